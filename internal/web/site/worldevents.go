package site

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"gamedata/graph"
	"gamedata/internal/web"
)

type worldEvent struct {
	Name, InternalName       string
	Lore, Difficulty, Length *string
	Level                    *int64
	Schedule                 *time.Time
	Territory                *struct {
		Name                              string
		GuildName, GuildPrefix, GuildUUID *string
	}
	Requirements []struct {
		Level *int64
		Quest *string
	}
	RewardPerLevel []struct {
		Level   int64
		Rewards []string
	}
	Places []struct{ Event *place }
	// Map shows where it happens; nil without a place or territories.
	Map *territoryMap `json:"-"`
}

// Path is the path of the event's page.
func (e worldEvent) Path() string { return web.Path("world-events", e.InternalName) }

// Spots are where the event happens.
func (e worldEvent) Spots() []place {
	var out []place
	for _, p := range e.Places {
		if p.Event != nil {
			out = append(out, *p.Event)
		}
	}
	return out
}

// Summary is level, difficulty and length of the event in a line, such as "level 12, easy, short".
func (e worldEvent) Summary() string {
	var parts []string
	if e.Level != nil {
		parts = append(parts, "level "+web.Number(*e.Level))
	}
	for _, s := range []*string{e.Difficulty, e.Length} {
		if s != nil {
			parts = append(parts, strings.ToLower(web.Label(*s)))
		}
	}
	return strings.Join(parts, ", ")
}

// worldEvents are those that begin soon, in the order of time, and the others by level.
type worldEvents struct{ Soon, Later []worldEvent }

func showWorldEvents(c *renderContext) *graph.Error {
	var data struct{ WorldEvents struct{ Nodes []worldEvent } }
	if bad := c.read(&data); bad != nil {
		return bad
	}
	var out worldEvents
	for _, e := range data.WorldEvents.Nodes {
		if e.Schedule != nil {
			out.Soon = append(out.Soon, e)
		} else {
			out.Later = append(out.Later, e)
		}
	}
	slices.SortStableFunc(out.Soon, func(a, b worldEvent) int { return a.Schedule.Compare(*b.Schedule) })
	level := func(e worldEvent) int64 {
		if e.Level == nil {
			return 0
		}
		return *e.Level
	}
	slices.SortStableFunc(out.Later, func(a, b worldEvent) int {
		return cmp.Or(cmp.Compare(level(a), level(b)), cmp.Compare(a.Name, b.Name))
	})
	return c.show("World events",
		fmt.Sprintf("The %d world events: when the next ones begin, and where each happens.",
			len(data.WorldEvents.Nodes)), out)
}

func showWorldEvent(c *renderContext) *graph.Error {
	var data struct {
		WorldEvent  *worldEvent
		Territories *territoryList
	}
	if bad := c.read(&data); bad != nil {
		return bad
	}
	e := data.WorldEvent
	if e == nil {
		return graph.ErrNotFound
	}
	if spots := e.Spots(); data.Territories != nil && len(spots) > 0 {
		e.Map = newTerritoryMap(data.Territories.Nodes, mapView{
			Spots: spots, Near: true, Dim: func(territory) bool { return true },
		})
	}
	c.setCanonical(e.Path())
	description := "The world event " + e.Name
	if s := e.Summary(); s != "" {
		description += ": " + s
	}
	if e.Territory != nil {
		description += ", in " + e.Territory.Name
	}
	return c.show(e.Name, description+".", e)
}
