package site

import (
	"maps"
	"testing"
)

// A page costs 1 whatever it shows, so none may read much more than one request to the API.
func TestPageCosts(t *testing.T) {
	s := testSite()
	for _, p := range s.pages {
		t.Run(p.operation, func(t *testing.T) {
			variables := map[string]any{"name": "x", "username": "x", "type": "x", "query": "x", "number": 1}
			costs, tooExpensive := s.exec.Charges(p.op.Operation, variables)
			if tooExpensive != nil || len(costs) == 0 {
				t.Errorf("got costs %v, error %v", costs, tooExpensive)
			}
			for bucket, cost := range costs {
				if cost > 5 { // LeaderboardsPage, with the first entries of each board
					t.Errorf("got cost %d in %s, want at most 5", cost, bucket)
				}
			}
			if !maps.Equal(costs, p.costs) {
				t.Errorf("got costs %v with variables, %v without", costs, p.costs)
			}
			if p.list.path != "" { // the largest request that the page offers
				largest := map[string]any{firstVariable: p.list.size}
				if _, tooExpensive := s.exec.Charges(p.op.Operation, largest); tooExpensive != nil {
					t.Error(tooExpensive)
				}
			}
		})
	}
}
