package app_test

import (
	"testing"

	"gamedata/graph"
	"gamedata/graph/viewer"
	"gamedata/internal/httpapi"
	"gamedata/resolvers"
	"gamedata/rest"
)

// What a guest may ask of a documented path, a guest can also ask of GraphQL within a minute,
// whole; and what it answers without being asked for more is cheap, long lists apart.
func TestGuestsCanAffordEveryEndpoint(t *testing.T) {
	e, err := graph.New(
		graph.NewExecutableSchema(graph.Config{Resolvers: resolvers.New(resolvers.Settings{PageSize: 20})}),
		graph.Options{},
	)
	if err != nil {
		t.Fatal(err)
	}
	ops, err := rest.Load(e.Schema())
	if err != nil {
		t.Fatal(err)
	}
	limit := httpapi.DefaultRates()[viewer.Guest].Limit
	whole := map[string]any{"fullResult": true, "full_result": true, "first": 1000}
	for _, row := range rest.Rows {
		o := ops[row.Operation]
		if o == nil {
			continue
		}
		op, errs := e.Parse(o.Document(), "")
		if errs != nil {
			t.Errorf("%s: %v", row.Operation, errs)
			continue
		}
		charges, tooDear := e.Charges(op, whole)
		if tooDear != nil || len(charges) != 1 {
			t.Errorf("%s costs %v, %v", row.Operation, charges, tooDear)
		}
		for bucket, units := range charges {
			if units > limit {
				t.Errorf("%s costs %d in %s, more than the %d of a guest", row.Operation, units, bucket, limit)
			}
			if row.Operation == "ItemDatabase" && units < 10 {
				t.Errorf("all items cost only %d", units)
			}
		}
		if pages, _ := e.Charges(op, nil); row.Operation != "Guilds" && row.Operation != "Territories" &&
			row.Operation != "GatheringNodes" {
			for bucket, units := range pages {
				if units > 2 {
					t.Errorf("%s costs %d in %s by default", row.Operation, units, bucket)
				}
			}
		}
	}
}
