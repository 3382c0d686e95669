package site

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
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
	Name                   string
	GuildName, GuildPrefix *string // nil if no guild holds it
	Acquired               *time.Time
	HQ                     bool
	LinkNames              []string
	Treasury, Defences     string
	Location               struct{ Start, End corner }
}

type corner struct{ X, Z int64 }

func (t territory) belongsTo(guild string) bool { return t.GuildName != nil && *t.GuildName == guild }

// holder is a guild with its number of territories.
type holder struct {
	Name, Prefix string
	Count        int
	Class        string // CSS class of its territories on the map
}

// mapColours is how many guilds have their own colour on the map.
const mapColours = 8

// holders returns the guilds with territories, those with the most first.
func holders(list []territory) []holder {
	at := map[string]int{}
	var out []holder
	for _, t := range list {
		if t.GuildName == nil || t.GuildPrefix == nil {
			continue
		}
		n, ok := at[*t.GuildName]
		if !ok {
			n = len(out)
			at[*t.GuildName] = n
			out = append(out, holder{Name: *t.GuildName, Prefix: *t.GuildPrefix, Class: "other"})
		}
		out[n].Count++
	}
	slices.SortFunc(out, func(a, b holder) int { return cmp.Or(b.Count-a.Count, cmp.Compare(a.Name, b.Name)) })
	for i := range min(mapColours, len(out)) {
		out[i].Class = "g" + strconv.Itoa(i)
	}
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
	classes := map[string]string{}
	for _, h := range page.Holders {
		classes[h.Name] = h.Class
		page.Unclaimed -= h.Count
	}
	page.Map = newTerritoryMap(page.Nodes, func(t territory) string {
		if t.GuildName == nil {
			return "unclaimed"
		}
		return classes[*t.GuildName]
	})
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
		}
	}
	if bad := c.read(&data); bad != nil {
		return bad
	}
	t := data.Territory
	if t == nil {
		return graph.ErrNotFound
	}
	c.setCanonical(web.Path("territories", t.Name))
	holder := "unclaimed"
	if t.GuildName != nil {
		holder = "held by " + *t.GuildName
	}
	return c.show(t.Name, fmt.Sprintf("The territory %s, %s, joined to %d others.", t.Name, holder, len(t.LinkNames)), t)
}
