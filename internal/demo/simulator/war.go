package simulator

import (
	"slices"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/feed"
)

const (
	// warLevel is the level required to fight wars.
	warLevel = 60
	// maxFighters is the maximum number of fighters in a war.
	maxFighters = 5
)

// wars lets each guild with fighters online attack about once an hour.
func (w *World) wars() {
	if len(w.land) == 0 {
		return
	}
	for _, g := range w.guilds {
		if g.Wars == nil || w.happen(1) == 0 {
			continue
		}
		fighters := g.fighters()
		if len(fighters) == 0 {
			continue
		}
		held := w.territoriesOf(g.UUID)
		target := w.target(g, held)
		if target == nil {
			continue
		}
		// The more territories a guild holds, the less likely it wins another.
		if w.chance(0.8 / (1 + float64(len(held))/20)) {
			w.Shuffle(len(fighters), func(i, j int) { fighters[i], fighters[j] = fighters[j], fighters[i] })
			w.winWar(g, target, fighters[:min(len(fighters), w.between(1, maxFighters))])
		}
	}
}

// fighters returns the members who can fight now.
func (g *guild) fighters() []feed.CharacterID {
	var out []feed.CharacterID
	for _, p := range g.members {
		if p.plays(warLevel) {
			out = append(out, characterID(p.playing))
		}
	}
	return out
}

func (w *World) territoriesOf(guild string) []*model.Territory {
	var out []*model.Territory
	for _, t := range w.land {
		if t.Guild.UUID != nil && *t.Guild.UUID == guild {
			out = append(out, t)
		}
	}
	return out
}

// target returns a random territory linked to one that the guild holds or, for a guild without
// territories, any that is not a headquarters. It returns nil if there is none.
func (w *World) target(g *guild, held []*model.Territory) *model.Territory {
	var targets []*model.Territory
	for _, h := range held {
		for _, name := range h.LinkNames {
			if t := w.landOf[name]; t != nil && (t.Guild.UUID == nil || *t.Guild.UUID != g.UUID) {
				targets = append(targets, t)
			}
		}
	}
	if len(held) == 0 {
		targets = slices.DeleteFunc(slices.Clone(w.land), func(t *model.Territory) bool { return t.Hq })
	}
	if len(targets) == 0 {
		return nil
	}
	return pick(w.dice, targets)
}

// winWar counts a won war for its fighters, adds season rating and transfers the territory.
func (w *World) winWar(g *guild, target *model.Territory, fighters []feed.CharacterID) {
	w.play(&feed.WarWon{Guild: g.id(), Fighters: fighters})
	former := target.Guild.UUID
	w.play(&feed.TerritoryCaptured{Territory: feed.TerritoryName(target.Name), Guild: g.id(), At: w.now})
	if s := w.season(); s != nil {
		w.rate(g, s, int64(s.SrPerWar))
		if former != nil {
			w.rate(w.guildOf[*former], s, 0)
		}
	}
}

// rate adds season rating to a guild and sets its number of territories; nothing for a guild that is not simulated.
func (w *World) rate(g *guild, s *model.GuildSeason, rating int64) {
	if g == nil {
		return
	}
	w.play(&feed.SeasonRated{
		Guild: g.id(), Season: s.Number, Rating: rating, Territories: len(w.territoriesOf(g.UUID)), At: w.now,
	})
}

// season returns the current season: the latest that is enabled, has started and has not ended.
func (w *World) season() *model.GuildSeason {
	var latest *model.GuildSeason
	for _, s := range w.seasons {
		over := s.EndsAt != nil && !w.now.Before(*s.EndsAt)
		if s.Enabled && !s.StartsAt.After(w.now) && !over && (latest == nil || s.Number > latest.Number) {
			latest = s
		}
	}
	return latest
}

// rateSeason adds rating for the territories held, at each full hour.
func (w *World) rateSeason(before time.Time) {
	s := w.season()
	if s == nil || before.Truncate(time.Hour).Equal(w.now.Truncate(time.Hour)) {
		return
	}
	for _, g := range w.guilds {
		if n := len(w.territoriesOf(g.UUID)); n > 0 {
			w.rate(g, s, int64(s.TerritoryHoldingSrPerHour*n))
		}
	}
}

// produceResources adds what territories produce per minute, without rounding losses over an hour.
func (w *World) produceResources(before time.Time) {
	from, to := before.Unix()/60, w.now.Unix()/60
	if from == to {
		return
	}
	for _, t := range w.land {
		if t.Guild.UUID == nil {
			continue
		}
		produced := map[string]int64{}
		for _, r := range t.Resources {
			produced[r.Type] = r.Generation*to/60 - r.Generation*from/60
		}
		w.play(&feed.TerritoryProduced{Territory: feed.TerritoryName(t.Name), Made: produced})
	}
}
