package api

import (
	"testing"

	"gamedata/graph"
	"gamedata/graph/generated"
	"gamedata/graph/viewer"
	"gamedata/internal/httpapi"
	"gamedata/resolvers"
	"gamedata/rest"
)

// wholeLists are the operations that return whole lists whatever is sent, and what their documents cost at most. Guilds
// list their members by rank, each list at most a whole guild. A request to the endpoint itself costs 1.
var wholeLists = map[string]int{
	"Guilds": 20, "Territories": 20, "GatheringNodes": 20, "Guild": 12, "GuildByPrefix": 12, "GuildByUUID": 12,
	"ItemsByName": 49, "Search": 49, "WorldEvents": 3, "Camps": 3, "Raids": 3,
}

// A guest's quota of a minute suffices for the GraphQL operation of every endpoint in full; with default parameters it
// costs little, long lists excepted.
func TestGuestsCanAffordEveryEndpoint(t *testing.T) {
	e := graph.New(
		generated.NewExecutableSchema(generated.Config{Resolvers: resolvers.New(resolvers.Settings{PageSize: 20})}),
		graph.Options{},
	)
	ops := rest.Load(e.Schema())
	limit := httpapi.DefaultRates()[viewer.Guest].Limit
	whole := map[string]any{"fullResult": true, "full_result": true, "first": 100_000}
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
		charges, tooExpensive := e.Charges(op, whole)
		if tooExpensive != nil || len(charges) != 1 {
			t.Errorf("%s: got the charges %v, %v, want one bucket", row.Operation, charges, tooExpensive)
		}
		for bucket, units := range charges {
			if units > limit {
				t.Errorf("%s costs %d in %s, more than the %d of a guest", row.Operation, units, bucket, limit)
			}
			if row.Operation == "ItemDatabase" && units < 10 {
				t.Errorf("all items cost only %d", units)
			}
		}
		pages, _ := e.Charges(op, nil)
		for bucket, units := range pages {
			if units > max(2, wholeLists[row.Operation]) {
				t.Errorf("%s costs %d in %s by default", row.Operation, units, bucket)
			}
		}
	}
}
