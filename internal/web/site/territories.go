package site

import (
	"fmt"

	"gamedata/graph"
	"gamedata/internal/web"
)

// territoriesBody is a page of the list of territories.
type territoriesBody struct {
	*TerritoriesPage
	Holders []meter
	Claimed int
	Map     *territoryMap
}

func showTerritories(c *renderContext, data *TerritoriesPage) *graph.Error {
	body := &territoriesBody{TerritoriesPage: data}
	if data.All != nil {
		body.Holders = holders(data.All.Nodes)
		body.Claimed = countAll(body.Holders)
		for i, h := range body.Holders {
			body.Holders[i].Chosen = h.UUID == c.Value("guild")
		}
		body.Map = newTerritoryMap(data.All.Nodes, mapView{})
	}
	c.setDefaults("sort", "NAME")
	return c.show("Territories", "Every territory: who holds it, since when, and what it produces.", body)
}

// territoryBody is a territory with its surroundings.
type territoryBody struct {
	*TerritoryPage
	Map *territoryMap
}

func showTerritory(c *renderContext, data *TerritoryPage) *graph.Error {
	t := data.Territory
	body := &territoryBody{TerritoryPage: data}
	if data.Territories != nil {
		body.Map = newTerritoryMap(data.Territories.Nodes, mapView{
			Dim: func(other MapTerritory) bool { return other.Name != t.Name }, Near: true,
		})
	}
	c.setCanonical(web.Path("territories", t.Name))
	holder := "unclaimed"
	if t.GuildName != nil {
		holder = "held by " + *t.GuildName
	}
	return c.show(t.Name,
		fmt.Sprintf("The territory %s, %s, connected to %d others.", t.Name, holder, len(t.LinkNames)), body)
}
