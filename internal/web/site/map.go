package site

import (
	"fmt"
	"net/url"
	"time"

	"gamedata/graph"
)

const mapPath = "/map"

// mapBody is the map of all territories, now or in the past.
type mapBody struct {
	*MapPage
	Map       *territoryMap
	At        *time.Time // in the past; nil for now
	Holders   []meter
	Unclaimed int
	// Unknown holds the names of the territories whose holder of that time is not known.
	Unknown map[string]bool
}

// timeLayouts are the formats of a time in the address, as programs and form fields write it, in UTC.
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

func showMap(c *renderContext, data *MapPage) *errorPage {
	page := &mapBody{MapPage: data}
	if at, err := time.Parse(time.RFC3339, c.variable("time")); err == nil {
		if data.Past == nil {
			return newErrorPage(c.page.errorOf(nil, c.errors))
		}
		page.At, page.Unknown = &at, data.showPast()
	}
	all := data.Territories.Nodes
	page.Holders = holders(all)
	page.Unclaimed = len(all) - countAll(page.Holders) - len(page.Unknown)
	page.Map = newTerritoryMap(all, mapView{})
	c.Styles = []string{"map.css"}
	c.setCanonical(mapPath)
	return c.show("Map", fmt.Sprintf("Map of %d territories, held by %d guilds, live and at any time of the past.",
		len(all), len(page.Holders)), page)
}

// showPast replaces the present holders of territories by the past ones. It returns the territories whose past holder
// is unknown.
func (p *MapPage) showPast() map[string]bool {
	at, unknown := map[string]int{}, map[string]bool{}
	for i, past := range p.Past {
		at[past.TerritoryName] = i
	}
	for i := range p.Territories.Nodes {
		t := &p.Territories.Nodes[i]
		t.Holding, t.AcquiredAt, t.Hq = Holding{}, nil, false
		n, ok := at[t.Name]
		if !ok || !p.Past[n].Known {
			unknown[t.Name] = true
		} else {
			t.AcquiredAt = p.Past[n].AcquiredAt
			if h := p.Past[n].Holder; h != nil {
				t.Holding = Holding{&h.UUID, &h.Name, &h.Prefix, new(colourOf(h.Guild, &h.UUID))}
			}
		}
	}
	return unknown
}

func textOf(s *string) string { return *orEmpty(s) }
