package graph_test

import (
	"runtime"
	"strings"
	"testing"

	"gamedata/graph"
)

// Selections that are several times as deep take several times as long, and not a power of it: the introspection that
// consoles send selects the type of a type nine times.
func TestDeepSelections(t *testing.T) {
	e := executor(graph.Options{})
	allocated := func(depth int) uint64 {
		op, errs := e.Parse("{__schema{types{fields{name type"+strings.Repeat("{name ofType", depth)+"{name}"+
			strings.Repeat("}", depth+4), "")
		if errs != nil {
			t.Fatal(errs)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if r := e.Run(t.Context(), op, nil); len(r.Errors) > 0 || len(r.Data) < 1000 {
			t.Fatalf("%d bytes, %v", len(r.Data), r.Errors)
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	allocated(1)
	if shallow, deep := allocated(2), allocated(8); deep > 8*shallow {
		t.Errorf("2 levels allocate %d kB, 8 levels %d kB", shallow/1000, deep/1000)
	}
}
