package resolvers_test

import (
	"testing"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/loaders"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
	"gamedata/resolvers"
)

// BenchmarkGatheringNodes answers as many nodes as the recorded world has, with every field: as
// the service does, and as the engine does field by field.
func BenchmarkGatheringNodes(b *testing.B) {
	w := newEmpty(b)
	nodes := make([]*model.GatheringNode, 16_787)
	for i := range nodes {
		nodes[i] = &model.GatheringNode{
			Position: model.Position{X: float64(-1751 + i%3000), Y: 59, Z: float64(-4420 + i/7)}, Angle: 90, Type: "NODE", Resource: "COPPER",
			Level: 1,
		}
	}
	mongotest.Must(b, mongo.GatheringNodes.Put(b.Context(), w.store, nodes))
	for name, fieldByField := range map[string]bool{"at-once": false, "field-by-field": true} {
		b.Run(name, func(b *testing.B) {
			source := loaders.New(w.store, loaders.Options{})
			exec := newExecutor(b, resolvers.Settings{}, graph.Options{Loaders: source, DisableFastPath: fieldByField})
			op := parse(b, exec, `{gatheringNodes(first:17000){nodes{position{x y z} angle type resource level}}}`)
			size := 0
			b.ReportAllocs()
			for b.Loop() {
				r := exec.Run(b.Context(), op, nil)
				if len(r.Errors) > 0 {
					b.Fatal(r.Errors)
				}
				size = len(r.Data)
			}
			b.SetBytes(int64(size))
		})
	}
}
