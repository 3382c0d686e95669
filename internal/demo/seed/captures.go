package seed

import (
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// The usual days between two captures of a territory: at the border of the land of two guilds, and elsewhere.
const (
	contestedDays = 6.0
	quietDays     = 20.0
)

// captures returns the captures that led to the present holders of territories, in the order of time: of the last
// pastDays, between guilds whose land is next to each other, most of them in the evening and at weekends.
func captures(o Options, land []*model.Territory) []mongo.NewEvent {
	byName, founded := map[string]*model.Territory{}, foundings(o)
	for _, t := range land {
		byName[t.Name] = t
	}
	var out []mongo.NewEvent
	for i, t := range land {
		r := source(o.Seed, forCapture, uint64(i))
		near := guildsNear(t, byName, founded, o.Now.Add(-pastDays*day))
		out = append(out, capturesOf(r, o, t, near, founded)...)
	}
	slices.SortStableFunc(out, func(a, b mongo.NewEvent) int { return a.At.Compare(b.At) })
	return out
}

// foundings returns when each guild was founded, by its uuid.
func foundings(o Options) map[string]time.Time {
	out := map[string]time.Time{}
	for n := range guildsBefore(o.Players) {
		out[guild(o.Seed, n).UUID] = o.Now.Add(-guildAge(o, o.Now, n))
	}
	return out
}

// guildsNear returns the holders of a territory and of those joined to it; of those farther away until one of them was
// founded before a time, if the territory is unclaimed.
func guildsNear(t *model.Territory, byName map[string]*model.Territory, founded map[string]time.Time, before time.Time,
) []*model.TerritoryGuild {
	near, seen := []*model.TerritoryGuild{t.Guild}, map[string]bool{t.Name: true}
	found := t.Guild.UUID != nil
	for around := []*model.Territory{t}; len(around) > 0; {
		var next []*model.Territory
		for _, x := range around {
			for _, name := range x.LinkNames {
				if seen[name] {
					continue
				}
				g := byName[name].Guild
				seen[name], next, near = true, append(next, byName[name]), append(near, g)
				found = found || g.UUID != nil && founded[*g.UUID].Before(before)
			}
		}
		if found {
			break
		}
		around = next
	}
	return near
}

// capturesOf returns the captures of a territory by guilds that are near, the last one first.
func capturesOf(r *rand.Rand, o Options, t *model.Territory, near []*model.TerritoryGuild,
	founded map[string]time.Time,
) (out []mongo.NewEvent) {
	days := quietDays
	if slices.ContainsFunc(near, func(g *model.TerritoryGuild) bool { return orEmpty(g.UUID) != orEmpty(t.Guild.UUID) }) {
		days = contestedDays
	}
	holder, at := t.Guild, *t.AcquiredAt
	for begin := o.Now.Add(-pastDays * day); at.After(begin); {
		since := captureBefore(r, at, days)
		var others []*model.TerritoryGuild
		for _, g := range near {
			uuid := orEmpty(g.UUID)
			if uuid != orEmpty(holder.UUID) && (uuid == "" || founded[uuid].Before(since)) {
				others = append(others, g)
			}
		}
		former := &model.TerritoryGuild{}
		switch {
		case len(others) > 0:
			former = pick(r, others)
		case holder.UUID == nil:
			return out // no one was there to hold it
		}
		out = append(out, mongo.NewEvent{At: at, Data: model.HolderChange(t.Name, former, holder, &since, at)})
		holder, at = former, since
	}
	return out
}

// captureBefore returns the time of a capture before another one.
func captureBefore(r *rand.Rand, at time.Time, days float64) time.Time {
	at = at.Add(-time.Hour)
	for {
		at = at.Add(-time.Duration(r.ExpFloat64() * days / 2 * float64(day))).Truncate(time.Millisecond)
		if chance(r, busy(at)) {
			return at
		}
	}
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// heldPast returns how many territories each guild held at the end of the last days, today first.
func heldPast(o Options, land []*model.Territory, captured []mongo.NewEvent) []map[string]int {
	held := map[string]int{}
	for _, t := range land {
		if t.Guild.UUID != nil {
			held[*t.Guild.UUID]++
		}
	}
	today, next := o.Now.Truncate(day), len(captured)-1
	out := make([]map[string]int, 0, pastDays+1)
	for i := range pastDays + 1 {
		end := today.Add(time.Duration(1-i) * day)
		for ; next >= 0 && !captured[next].At.Before(end); next-- {
			e := captured[next].Data.(*model.TerritoryCaptured)
			if e.To != nil {
				held[e.To.UUID]--
			}
			if e.From != nil {
				held[e.From.UUID]++
			}
		}
		out = append(out, maps.Clone(held))
	}
	return out
}
