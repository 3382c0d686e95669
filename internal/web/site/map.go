package site

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"gamedata/graph"
)

const mapPath = "/map"

// mapBody is the map of all territories, now or at a time of the past, and a table of those found by a search.
type mapBody struct {
	*MapPage
	Map       *territoryMap
	At        *time.Time // the time of the past
	Found     []MapTerritory
	Holders   []meter
	Unclaimed int
}

// timeLayouts are how the address may write a time: as programs do, and as form fields do, in UTC.
var timeLayouts = []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04", time.DateOnly}

// mapValues sets the variables of a map of the past if the address has a time.
func mapValues(_ time.Time, given url.Values) *graph.Error {
	given.Del("past")
	if !given.Has("time") {
		return nil
	}
	for _, layout := range timeLayouts {
		if at, err := time.Parse(layout, given.Get("time")); err == nil {
			given.Set("time", at.UTC().Format(time.RFC3339))
			given.Set("past", "true")
			return nil
		}
	}
	return graph.Errorf(graph.InvalidQueryParams, "Write the time such as 2026-11-20T20:00.")
}

func showMap(c *renderContext, data *MapPage) *graph.Error {
	page := &mapBody{MapPage: data}
	if at, err := time.Parse(time.RFC3339, c.variable("time")); err == nil {
		if data.Past == nil {
			return c.page.errorOf(nil, c.errors)
		}
		page.At = &at
		data.showPast()
	}
	all := data.Territories.Nodes
	page.Holders = holders(all)
	page.Unclaimed = len(all) - countAll(page.Holders)
	page.Map = newTerritoryMap(all, mapView{Regions: data.Regions.Nodes})
	page.Found = foundTerritories(all, c.Value("search"))
	slices.SortStableFunc(page.Found, func(a, b MapTerritory) int {
		order := territoryOrders[c.Value("sort")]
		if order == nil {
			order = territoryOrders["NAME"]
		}
		if c.Value("direction") == "DESC" {
			a, b = b, a
		}
		return cmp.Or(order(a, b), strings.Compare(a.Name, b.Name))
	})
	c.Styles = []string{"map.css"}
	c.setCanonical(mapPath)
	return c.show("Map", fmt.Sprintf("Map of %d territories, held by %d guilds, live and at any time of the past.",
		len(all), len(page.Holders)), page)
}

// showPast replaces what is known of the territories by who held them then.
func (p *MapPage) showPast() {
	at := map[string]int{}
	for i, past := range p.Past {
		at[past.TerritoryName] = i
	}
	for i := range p.Territories.Nodes {
		t := &p.Territories.Nodes[i]
		t.Holding, t.AcquiredAt, t.Hq = Holding{}, nil, false
		t.Treasury, t.Defences = "", ""
		if n, ok := at[t.Name]; ok {
			t.AcquiredAt = p.Past[n].AcquiredAt
			if h := p.Past[n].Holder; h != nil {
				t.Holding = Holding{&h.UUID, &h.Name, &h.Prefix, h.Guild}
			}
		}
	}
}

// foundTerritories returns the territories whose name or guild contains a text, case ignored.
func foundTerritories(list []MapTerritory, search string) []MapTerritory {
	search = strings.ToLower(search)
	var out []MapTerritory
	for _, t := range list {
		for _, text := range []string{t.Name, textOf(t.GuildName), textOf(t.GuildPrefix)} {
			if strings.Contains(strings.ToLower(text), search) {
				out = append(out, t)
				break
			}
		}
	}
	return out
}

func textOf(s *string) string { return *orEmpty(s) }

// levels are the levels of treasury and defences, lowest first.
var levels = []string{"VERY_LOW", "LOW", "MEDIUM", "HIGH", "VERY_HIGH"}

// territoryOrders compare territories by the values of the parameter sort. Unclaimed ones come last.
var territoryOrders = map[string]func(a, b MapTerritory) int{
	"NAME": func(a, b MapTerritory) int { return strings.Compare(a.Name, b.Name) },
	"GUILD": func(a, b MapTerritory) int {
		return cmp.Or(cmp.Compare(boolOf(a.GuildName == nil), boolOf(b.GuildName == nil)),
			strings.Compare(textOf(a.GuildName), textOf(b.GuildName)))
	},
	"SINCE": func(a, b MapTerritory) int {
		if a.AcquiredAt == nil || b.AcquiredAt == nil {
			return cmp.Compare(boolOf(a.AcquiredAt == nil), boolOf(b.AcquiredAt == nil))
		}
		return a.AcquiredAt.Compare(*b.AcquiredAt)
	},
	"TREASURY": func(a, b MapTerritory) int {
		return cmp.Compare(slices.Index(levels, a.Treasury), slices.Index(levels, b.Treasury))
	},
	"DEFENCES": func(a, b MapTerritory) int {
		return cmp.Compare(slices.Index(levels, a.Defences), slices.Index(levels, b.Defences))
	},
}

func boolOf(b bool) int {
	if b {
		return 1
	}
	return 0
}
