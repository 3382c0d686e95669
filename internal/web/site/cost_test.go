package site

import (
	"maps"
	"testing"

	"gamedata/internal/httpapi"
)

// A guest may open some twenty pages a minute within the limit of 50 requests per bucket.
func TestPageCosts(t *testing.T) {
	s := testSite(t)
	for _, p := range s.pages {
		t.Run(p.operation, func(t *testing.T) {
			variables := map[string]any{"name": "x", "username": "x", "type": "x", "query": "x", "number": 1}
			costs, tooExpensive := s.exec.Charges(p.op.Operation, variables)
			if tooExpensive != nil || len(costs) == 0 {
				t.Errorf("got costs %v, error %v", costs, tooExpensive)
			}
			for bucket, cost := range costs {
				if cost > 2 {
					t.Errorf("got cost %d in %s, want at most 2", cost, bucket)
				}
			}
			if n := p.cardCosts(cardFiles[0])[httpapi.Shared]; p.card != nil && n < 3 {
				t.Errorf("a picture, which takes 25 ms of a core, costs %d in %s, want 3", n, httpapi.Shared)
			}
			if !maps.Equal(costs, p.costs) {
				t.Errorf("got costs %v with variables, %v without", costs, p.costs)
			}
		})
	}
}
