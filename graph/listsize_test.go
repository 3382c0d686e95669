package graph_test

import (
	"strings"
	"testing"

	"github.com/dustin/go-humanize"

	"gamedata/graph"
)

// The description of a list says how large its pages are, and a list with large ones how long it is as a whole.
func TestLargePagesHaveASize(t *testing.T) {
	connections, large := 0, 0
	for name, def := range executor(graph.Options{}).Schema().Types {
		for _, field := range def.Fields {
			if !strings.HasSuffix(field.Type.Name(), "Connection") {
				continue
			}
			connections++
			first := field.Arguments.ForName("first")
			most, err := first.Directives.ForName("range").Arguments.ForName("max").Value.Value(nil)
			if err != nil {
				t.Fatal(err)
			}
			if n := most.(int64); !strings.Contains(first.Description, humanize.Comma(n)) {
				t.Errorf("%s.%s does not say that a page has at most %d entries", name, field.Name, n)
			} else if n > 1000 {
				large++
				if size := field.Directives.ForName("listSize"); size == nil || size.Arguments.ForName("all") == nil {
					t.Errorf("%s.%s has pages of up to %d entries and no @listSize(all:)", name, field.Name, n)
				}
			}
		}
	}
	if connections < 20 || large < 15 {
		t.Errorf("got %d connections, %d with large pages", connections, large)
	}
}
