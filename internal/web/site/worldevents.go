package site

import (
	"cmp"
	"fmt"
	"slices"
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
		Name                   string
		GuildName, GuildPrefix *string
	}
	Requirements []struct {
		Level *int64
		Quest *string
	}
	RewardPerLevel []struct {
		Level   int64
		Rewards []string
	}
	Places []struct {
		Event *struct{ X, Z float64 }
	}
}

// Where are the coordinates of the first place, empty if it has none.
func (e worldEvent) Where() string {
	if len(e.Places) == 0 || e.Places[0].Event == nil {
		return ""
	}
	return fmt.Sprintf("%s, %s", web.Number(int64(e.Places[0].Event.X)), web.Number(int64(e.Places[0].Event.Z)))
}

// MapPath is the path of the map at the first place.
func (e worldEvent) MapPath() string {
	at := e.Places[0].Event
	return place{at.X, at.Z}.mapPath("roads,regions,events")
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
		fmt.Sprintf("The %d world events: when and where the next ones begin, levels and rewards.",
			len(data.WorldEvents.Nodes)), out)
}
