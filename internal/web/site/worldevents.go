package site

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gamedata/internal/web"
)

// Map returns a map of where the event happens, nil without a place or territories.
func (p *WorldEventPage) Map() *territoryMap {
	spots := p.WorldEvent.Spots()
	if len(spots) == 0 {
		return nil
	}
	return newTerritoryMap(orEmpty(p.Territories).Nodes, mapView{
		Spots: spots, Near: true, Dim: func(MapTerritory) bool { return true },
	})
}

// Path returns the path of the event's page.
func (e WorldEventRow) Path() string { return web.Path("world-events", e.InternalName) }

// Spots returns the places where the event happens.
func (e WorldEventRow) Spots() []Place {
	var out []Place
	for _, p := range e.Places {
		if p.Event != nil {
			out = append(out, *p.Event)
		}
	}
	return out
}

// Summary returns level, difficulty and length of the event on one line, such as "level 12, easy difficulty, short
// length".
func (e WorldEventRow) Summary() string {
	var parts []string
	if e.Level != nil {
		parts = append(parts, "level "+web.Number(*e.Level))
	}
	for i, s := range []*string{e.Difficulty, e.Length} {
		if s != nil {
			parts = append(parts, strings.ToLower(web.Label(*s))+[]string{" difficulty", " length"}[i])
		}
	}
	return strings.Join(parts, ", ")
}

// eventsBody lists the events that begin soon, ordered by time, and the others by level.
type eventsBody struct{ Soon, Later []WorldEventRow }

func showWorldEvents(c *renderContext, data *WorldEventsPage) *errorPage {
	var out eventsBody
	for _, e := range data.WorldEvents.Nodes {
		if e.StartsAt != nil {
			out.Soon = append(out.Soon, e)
		} else {
			out.Later = append(out.Later, e)
		}
	}
	slices.SortStableFunc(out.Soon, func(a, b WorldEventRow) int { return a.StartsAt.Compare(*b.StartsAt) })
	slices.SortStableFunc(out.Later, func(a, b WorldEventRow) int {
		return cmp.Or(cmp.Compare(*orEmpty(a.Level), *orEmpty(b.Level)), cmp.Compare(a.Name, b.Name))
	})
	return c.show("World events",
		fmt.Sprintf("The %d world events: when the next ones begin, and where each happens.",
			len(data.WorldEvents.Nodes)), out)
}

func showWorldEvent(c *renderContext, data *WorldEventPage) *errorPage {
	e := data.WorldEvent
	c.setCanonical(e.Path())
	description := "The world event " + e.Name
	if s := e.Summary(); s != "" {
		description += ": " + s
	}
	if e.Territory != nil {
		description += ", in " + e.Territory.Name
	}
	return c.show(e.Name, description+".", data)
}
