package site

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"gamedata/graph"
	"gamedata/internal/web"
)

// territoryList is all territories at a time.
type territoryList struct {
	RefreshedAt time.Time
	Nodes       []territory
}

type territory struct {
	Name string
	// GuildUUID, GuildName and GuildPrefix are nil if no guild holds it.
	GuildUUID, GuildName, GuildPrefix *string
	Acquired                          *time.Time
	HQ                                bool
	LinkNames                         []string
	Treasury, Defences                string
	Location                          struct{ Start, End corner }
}

type corner struct{ X, Z int64 }

func (t territory) belongsTo(guild string) bool { return t.GuildName != nil && *t.GuildName == guild }

// holder is a guild with its number of territories.
type holder struct {
	UUID, Name, Prefix string
	Count              int
}

// holders returns the guilds with territories, those with the most first.
func holders(list []territory) []holder {
	at := map[string]int{}
	var out []holder
	for _, t := range list {
		if t.GuildUUID == nil || t.GuildName == nil || t.GuildPrefix == nil {
			continue
		}
		n, ok := at[*t.GuildUUID]
		if !ok {
			n = len(out)
			at[*t.GuildUUID] = n
			out = append(out, holder{UUID: *t.GuildUUID, Name: *t.GuildName, Prefix: *t.GuildPrefix})
		}
		out[n].Count++
	}
	slices.SortFunc(out, func(a, b holder) int { return cmp.Or(b.Count-a.Count, cmp.Compare(a.Name, b.Name)) })
	return out
}

type territoryPage struct {
	territoryList
	Holders   []holder
	Unclaimed int
	Map       *territoryMap
}

func showTerritories(c *renderContext) *graph.Error {
	var data struct{ Territories territoryList }
	if bad := c.read(&data); bad != nil {
		return bad
	}
	page := territoryPage{
		territoryList: data.Territories, Holders: holders(data.Territories.Nodes), Unclaimed: len(data.Territories.Nodes),
	}
	for _, h := range page.Holders {
		page.Unclaimed -= h.Count
	}
	page.Map = newTerritoryMap(page.Nodes, mapView{})
	return c.show("Territories",
		fmt.Sprintf("Map of %d territories, held by %d guilds.", len(page.Nodes), len(page.Holders)), page)
}

// territoryResource is a resource that a territory produces and stores.
type territoryResource struct {
	Type                      string
	Generation, Stored, Limit int64
}

func showTerritory(c *renderContext) *graph.Error {
	var data struct {
		Territory *struct {
			territory
			Resources []territoryResource
			Map       *territoryMap `json:"-"`
		}
		Territories territoryList
	}
	if bad := c.read(&data); bad != nil {
		return bad
	}
	t := data.Territory
	if t == nil {
		return graph.ErrNotFound
	}
	c.setCanonical(web.Path("territories", t.Name))
	t.Map = newTerritoryMap(data.Territories.Nodes, mapView{
		Dim: func(other territory) bool { return other.Name != t.Name }, Near: true,
	})
	holder := "unclaimed"
	if t.GuildName != nil {
		holder = "held by " + *t.GuildName
	}
	return c.show(t.Name, fmt.Sprintf("The territory %s, %s, joined to %d others.", t.Name, holder, len(t.LinkNames)), t)
}
