package graph_test

import (
	"runtime"
	"strings"
	"testing"

	"gamedata/graph"
)

// An introspection of one unit is cheap to run: lists of types in lists of types would multiply with every level.
func TestIntrospectionIsBounded(t *testing.T) {
	e := executor(graph.Options{})
	for _, start := range []string{
		`{__schema{types`, `{__schema{queryType`, `{__type(name:"Node")`,
		`{__type(name:"Query")`,
	} {
		for _, lists := range []string{"{possibleTypes{interfaces", "{fields{type", "{fields{args{type{inputFields{type"} {
			for repeated := 1; repeated <= 4; repeated++ {
				query := start + strings.Repeat(lists, repeated) + "{name}"
				query += strings.Repeat("}", strings.Count(query, "{")-strings.Count(query, "}"))
				op, errs := e.Parse(query, "")
				if errs != nil {
					if repeated == 1 {
						t.Errorf("%s: %v", query, errs)
					}
					continue
				}
				charges, tooExpensive := e.Charges(op, nil)
				if tooExpensive != nil {
					continue
				}
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				e.Run(t.Context(), op, nil)
				runtime.ReadMemStats(&after)
				if mb := (after.TotalAlloc - before.TotalAlloc) >> 20; int(mb) >= 10*charges["SHARED"] {
					t.Errorf("%s allocates %d MB and costs %v", query, mb, charges)
				}
			}
		}
	}
}
