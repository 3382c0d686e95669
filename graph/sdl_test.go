package graph_test

import (
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"gamedata/graph"
)

// The published text has no extensions, and describes the schema that is executed.
func TestSDL(t *testing.T) {
	text := graph.SDL()
	if strings.Contains(text, "\nextend ") {
		t.Error("the text has extensions")
	}
	published, err := gqlparser.LoadSchema(&ast.Source{Input: text})
	if err != nil {
		t.Fatal(err)
	}
	executed := graph.NewExecutableSchema(graph.Config{}).Schema()
	if len(published.Types) != len(executed.Types) {
		t.Errorf("got %d types, want %d", len(published.Types), len(executed.Types))
	}
	for name, def := range executed.Types {
		other := published.Types[name]
		if other == nil || len(other.Fields) != len(def.Fields) || len(other.Directives) != len(def.Directives) {
			t.Errorf("the text has another type %s", name)
			continue
		}
		for _, f := range def.Fields {
			if g := other.Fields.ForName(f.Name); g == nil || g.Type.String() != f.Type.String() {
				t.Errorf("the text has another field %s.%s", name, f.Name)
			}
		}
	}
}
