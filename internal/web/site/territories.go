package site

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"gamedata/graph"
	"gamedata/internal/web"
)

// territoryList is a list of territories at a time.
type territoryList struct {
	RefreshedAt time.Time
	TotalCount  int64
	PageInfo    pageInfo
	Nodes       []territory
}

type territory struct {
	Name                              string
	GuildUUID, GuildName, GuildPrefix *string // nil if no guild holds it
	Acquired                          *time.Time
	HQ                                bool
	LinkNames                         []string
	Treasury, Defences                string
	Resources                         []territoryResource
	Location                          struct{ Start, End corner }
}

type corner struct{ X, Z int64 }

func (t territory) belongsTo(guild string) bool { return t.GuildName != nil && *t.GuildName == guild }

// holder is a guild with its number of territories.
type holder struct {
	UUID, Name, Prefix string
	Count              int
	Bar                int    // the count as percentage of the highest
	Path               string // of the list of its territories
	Chosen             bool
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
			out = append(out, holder{
				UUID: *t.GuildUUID, Name: *t.GuildName, Prefix: *t.GuildPrefix, Path: "/territories?guild=" + *t.GuildUUID,
			})
		}
		out[n].Count++
	}
	slices.SortFunc(out, func(a, b holder) int { return cmp.Or(b.Count-a.Count, cmp.Compare(a.Name, b.Name)) })
	for i := range out {
		out[i].Bar = max(1, out[i].Count*100/out[0].Count)
	}
	return out
}

// territoryPage is a page of the list of territories.
type territoryPage struct {
	Territories territoryList
	All         *territoryList
	Holders     []holder      `json:"-"`
	Claimed     int           `json:"-"`
	Map         *territoryMap `json:"-"`
	CSV         string        `json:"-"`
}

func showTerritories(c *renderContext) *graph.Error {
	page := &territoryPage{}
	if bad := c.read(page); bad != nil {
		return bad
	}
	if page.All != nil {
		page.Holders = holders(page.All.Nodes)
		for i, h := range page.Holders {
			page.Claimed += h.Count
			page.Holders[i].Chosen = h.UUID == c.Value("guild")
		}
		page.Map = newTerritoryMap(page.All.Nodes, mapView{})
	}
	page.CSV = c.csvLink("territories.nodes", map[string]any{firstVariable: maxListFile, lastVariable: nil})
	c.setDefaults("sort", "NAME")
	return c.show("Territories", "Every territory: who holds it, since when, and what it produces.", page)
}

// territoryResource is a resource that a territory produces and stores.
type territoryResource struct {
	Type                      string
	Generation, Stored, Limit int64
}

// shownTerritory is a territory with its surroundings.
type shownTerritory struct {
	territory
	Map         *territoryMap `json:"-"`
	WorldEvents []worldEvent  `json:"-"`
}

func showTerritory(c *renderContext) *graph.Error {
	var data struct {
		Territory   *shownTerritory
		Territories territoryList
		WorldEvents struct{ Nodes []worldEvent }
	}
	if bad := c.read(&data); bad != nil {
		return bad
	}
	t := data.Territory
	if t == nil {
		return graph.ErrNotFound
	}
	c.setCanonical(web.Path("territories", t.Name))
	t.WorldEvents = data.WorldEvents.Nodes
	t.Map = newTerritoryMap(data.Territories.Nodes, mapView{
		Dim: func(other territory) bool { return other.Name != t.Name }, Near: true,
	})
	holder := "unclaimed"
	if t.GuildName != nil {
		holder = "held by " + *t.GuildName
	}
	return c.show(t.Name,
		fmt.Sprintf("The territory %s, %s, connected to %d others.", t.Name, holder, len(t.LinkNames)), t)
}
