package graph_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gamedata/graph"
)

// largest are the texts of descriptions that say how large a page may be.
var largest = regexp.MustCompile(`(?:0 to|Up to) ([\d,]+)`)

// A connection whose pages may have more than the 1000 entries that the cost of a page counts at most says in its
// @listSize how many there can be.
func TestLargePagesHaveASize(t *testing.T) {
	connections, large := 0, 0
	for name, def := range executor(t, graph.Options{}).Schema().Types {
		for _, field := range def.Fields {
			if !strings.HasSuffix(field.Type.Name(), "Connection") {
				continue
			}
			connections++
			first := field.Arguments.ForName("first")
			if first == nil || field.Arguments.ForName("last") == nil {
				t.Errorf("%s.%s lacks first or last", name, field.Name)
				continue
			}
			most := 0
			for _, m := range largest.FindAllStringSubmatch(first.Description, -1) {
				n, _ := strconv.Atoi(strings.ReplaceAll(m[1], ",", ""))
				most = max(most, n)
			}
			size := field.Directives.ForName("listSize")
			switch {
			case most == 0:
				t.Errorf("%s.%s does not say how large a page may be", name, field.Name)
			case most > 1000:
				if large++; size == nil || size.Arguments.ForName("all") == nil {
					t.Errorf("%s.%s has pages of up to %d entries and no @listSize(all:)", name, field.Name, most)
				}
			}
		}
	}
	if connections < 20 || large < 15 {
		t.Errorf("got %d connections, %d with large pages", connections, large)
	}
}
