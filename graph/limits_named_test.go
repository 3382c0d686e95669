package graph_test

import (
	"strings"
	"testing"

	"gamedata/graph"
)

// Every limit is a setting, and the error of a document that exceeds it has its name, the requested
// and the allowed number.
func TestLimitErrorsNameTheLimit(t *testing.T) {
	for _, c := range []struct {
		name, query        string
		set                func(*graph.Limits)
		requested, allowed int
	}{
		{"tokens", "{classes{id name}}", func(l *graph.Limits) { l.Tokens = 6 }, 7, 6},
		{"selections", "{classes{" + strings.Repeat("id ", 5) + "}}", func(l *graph.Limits) { l.Selections = 4 }, 5, 4},
		{"fields", "{classes{...f ...f}} fragment f on Class{id name}", func(l *graph.Limits) { l.Fields = 3 }, 5, 3},
		{"depth", "{classes{tree{class{id}}}}", func(l *graph.Limits) { l.Depth = 3 }, 4, 3},
		{"introspectionDepth", "{__schema{types{fields{name}}}}", func(l *graph.Limits) { l.IntrospectionDepth = 2 }, 3, 2},
		{"aliases", "{classes{a:id b:id c:id}}", func(l *graph.Limits) { l.Aliases = 2 }, 3, 2},
		{"aliases", "{classes{" + strings.Repeat("a:id b:id c:id d:id ", 10) + "}}", func(*graph.Limits) {}, 40, 30},
		{"aliasLength", "{classes{" + strings.Repeat("a", 129) + ":id}}", func(*graph.Limits) {}, 129, 128},
		{
			"fields", "{...f}fragment f on Query{classes{...g ...g ...g}}fragment g on Class{" + strings.Repeat("id ", 190) + "}",
			func(*graph.Limits) {}, 571, 500,
		},
		{"cost", "{classes{id name}}", func(l *graph.Limits) { l.Cost = 40 }, 41, 40},
	} {
		t.Run(c.name, func(t *testing.T) {
			limits := graph.DefaultLimits()
			c.set(&limits)
			lowered := limits != graph.DefaultLimits()
			for allowed, limits := range map[bool]graph.Limits{lowered: graph.DefaultLimits(), false: limits} {
				e := executor(graph.Options{Limits: limits})
				op, errs := e.Parse(c.query, "")
				if errs == nil {
					if _, err := e.Charges(op, nil); err != nil {
						errs = append(errs, err)
					}
				}
				switch {
				case allowed && errs != nil:
					t.Fatal(errs)
				case !allowed && errs == nil:
					t.Fatal("accepted")
				case !allowed:
					x := errs[0].Extensions
					if x["code"] != "LIMIT_EXCEEDED" || x["limit"] != c.name || x["requested"] != c.requested ||
						x["allowed"] != c.allowed {
						t.Errorf("%s: %v", errs[0].Message, x)
					}
				}
			}
		})
	}
}
