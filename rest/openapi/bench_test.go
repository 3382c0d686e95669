package openapi

import (
	"testing"

	"gamedata/graph"
	"gamedata/graph/generated"
	"gamedata/internal/benchtest"
	"gamedata/rest"
)

// What the start of the service waits for.
func BenchmarkDocument(b *testing.B) {
	exec, err := graph.New(generated.NewExecutableSchema(generated.Config{}), graph.Options{})
	if err != nil {
		b.Fatal(err)
	}
	ops, err := rest.Load(exec.Schema())
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := Document(exec, ops); err != nil {
			b.Fatal(err)
		}
	}
}

func TestBenchmarks(t *testing.T) {
	benchtest.Run(t, BenchmarkDocument)
}
