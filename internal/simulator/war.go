package simulator

import (
	"slices"
	"time"

	"gamedata/graph/model"
	"gamedata/mongo/feed"
)

const (
	// warLevel is the least level of those who fight wars.
	warLevel = 60
	// fighters is how many fight a war at most.
	fighters = 5
)

// wars lets guilds with fighters online attack, about once an hour each.
func (w *World) wars() {
	if len(w.land) == 0 {
		return
	}
	for _, g := range w.guilds {
		if g.Wars == nil || w.happen(1) == 0 {
			continue
		}
		force := g.force()
		if len(force) == 0 {
			continue
		}
		held := w.heldBy(g.UUID)
		target := w.target(g, held)
		if target == nil {
			continue
		}
		// The more a guild holds, the harder it is to hold more.
		if w.chance(0.8 / (1 + float64(len(held))/20)) {
			w.Shuffle(len(force), func(i, j int) { force[i], force[j] = force[j], force[i] })
			w.win(g, held, target, force[:min(len(force), w.between(1, fighters))])
		}
	}
}

// force are the members who could fight now.
func (g *guild) force() []feed.Fighter {
	var out []feed.Fighter
	for _, p := range g.members {
		if p.online() && p.playing != nil && p.playing.Level >= warLevel && (p.party == nil || p.party.raid == "") {
			out = append(out, feed.Fighter{Player: p.Player, Character: p.playing})
		}
	}
	return out
}

func (w *World) heldBy(guild string) []*model.Territory {
	var out []*model.Territory
	for _, t := range w.land {
		if t.Guild.UUID != nil && *t.Guild.UUID == guild {
			out = append(out, t)
		}
	}
	return out
}

// target is a territory joined to one the guild holds; without any, one that nobody holds
// or that is nobody's headquarters. nil when there is none.
func (w *World) target(g *guild, held []*model.Territory) *model.Territory {
	var near []*model.Territory
	for _, h := range held {
		for _, name := range h.Links {
			if t := w.landOf[name]; t != nil && (t.Guild.UUID == nil || *t.Guild.UUID != g.UUID) {
				near = append(near, t)
			}
		}
	}
	if len(held) == 0 {
		near = slices.DeleteFunc(slices.Clone(w.land), func(t *model.Territory) bool { return t.Hq })
	}
	if len(near) == 0 {
		return nil
	}
	return one(w.dice, near)
}

// win is a war won: it counts for those who fought, gives season rating, and the territory
// changes hands.
func (w *World) win(g *guild, held []*model.Territory, target *model.Territory, force []feed.Fighter) {
	w.feed.WarWon(g.Guild, force)
	var left []*model.Territory
	former := target.Guild.UUID
	if former != nil {
		left = slices.DeleteFunc(w.heldBy(*former), func(t *model.Territory) bool { return t == target })
	}
	w.feed.TerritoryCaptured(feed.Capture{Territory: target, By: g.Guild, At: w.now, Held: held, Left: left})
	if s := w.season(); s != nil {
		w.feed.SeasonRated(g.Guild, s.Number, int64(s.SrPerWar), len(held)+1)
		if former != nil && w.guildOf[*former] != nil {
			w.feed.SeasonRated(w.guildOf[*former].Guild, s.Number, 0, len(left))
		}
	}
	w.tally[Wars]++
	w.tally[Captures]++
}

// season is the running season: the latest that is enabled, has begun and has not ended.
func (w *World) season() *model.GuildSeason {
	var latest *model.GuildSeason
	for _, s := range w.seasons {
		over := s.EndDate != nil && !w.now.Before(*s.EndDate)
		if s.Enabled && !s.InitDate.After(w.now) && !over && (latest == nil || s.Number > latest.Number) {
			latest = s
		}
	}
	return latest
}

// slot is how often holding is rewarded; an hour is a whole number of slots.
const slot = 10 * time.Minute

// passSeasonSlots gives rating for the territories held, and lets them grow strong.
func (w *World) passSeasonSlots(before time.Time) {
	const perHour = int64(time.Hour / slot)
	for at := before.Truncate(slot).Add(slot); !at.After(w.now); at = at.Add(slot) {
		w.fortify()
		s := w.season()
		if s == nil {
			continue
		}
		n := at.Unix() / int64(slot/time.Second) % perHour
		share := int64(s.TerritoryHoldingSrPerHour)*(n+1)/perHour - int64(s.TerritoryHoldingSrPerHour)*n/perHour
		held := map[string]int{}
		for _, t := range w.land {
			if t.Guild.UUID != nil {
				held[*t.Guild.UUID]++
			}
		}
		for _, g := range w.guilds {
			if n := held[g.UUID]; n > 0 {
				w.feed.SeasonRated(g.Guild, s.Number, share*int64(n), n)
			}
		}
	}
}
