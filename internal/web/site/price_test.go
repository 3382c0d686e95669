package site

import (
	"testing"

	"gamedata/graph"
)

// Whoever looks around may open some twenty pages a minute before the limit of guests, 50 a
// bucket, ends it.
func TestPrices(t *testing.T) {
	exec, err := graph.New(graph.NewExecutableSchema(graph.Config{}), graph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		p, err := newPage(exec, r)
		if err != nil {
			t.Fatal(err)
		}
		prices, tooDear := exec.Price(p.op, map[string]any{"name": "x", "username": "x", "type": "x", "query": "x"})
		if tooDear != nil || len(prices) == 0 {
			t.Errorf("%s: %v %v", r.path, prices, tooDear)
		}
		for bucket, price := range prices {
			if price > 2 {
				t.Errorf("%s costs %d in %s", r.path, price, bucket)
			}
		}
	}
}
