package site

import (
	"maps"
	"testing"

	"gamedata/graph"
	"gamedata/internal/web"
)

// A guest may open some twenty pages a minute within the limit of 50 requests per bucket.
func TestPageCosts(t *testing.T) {
	exec, err := graph.New(graph.NewExecutableSchema(graph.Config{}), graph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	operations, err := web.LoadOperations(exec, files)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range routes {
		t.Run(r.operation, func(t *testing.T) {
			p, err := newPage(exec, r, operations[r.operation])
			if err != nil {
				t.Fatal(err)
			}
			variables := map[string]any{"name": "x", "username": "x", "type": "x", "query": "x", "pk": 1}
			costs, tooExpensive := exec.Charges(p.op.Operation, variables)
			if tooExpensive != nil || len(costs) == 0 {
				t.Errorf("got costs %v, error %v", costs, tooExpensive)
			}
			for bucket, cost := range costs {
				if cost > 2 {
					t.Errorf("got cost %d in %s, want at most 2", cost, bucket)
				}
			}
			if !maps.Equal(costs, p.costs) {
				t.Errorf("got costs %v with variables, %v without", costs, p.costs)
			}
		})
	}
}
