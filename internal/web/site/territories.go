package site

import (
	"fmt"

	"gamedata/internal/web"
)

type territoriesBody struct {
	*TerritoriesPage
	Holders []meter
	Claimed int
	Map     *territoryMap
}

func showTerritories(c *renderContext, data *TerritoriesPage) *errorPage {
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

// Map returns a map of the territory's surroundings.
func (p *TerritoryPage) Map() *territoryMap {
	return newTerritoryMap(orEmpty(p.Territories).Nodes, mapView{
		Dim: func(other MapTerritory) bool { return other.Name != p.Territory.Name }, Near: true,
	})
}

func showTerritory(c *renderContext, data *TerritoryPage) *errorPage {
	t := data.Territory
	c.setCanonical(web.Path("territories", t.Name))
	holder := "unclaimed"
	if t.GuildName != nil {
		holder = "held by " + *t.GuildName
	}
	return c.show(t.Name,
		fmt.Sprintf("The territory %s, %s, connected to %d others.", t.Name, holder, len(t.LinkNames)), data)
}
