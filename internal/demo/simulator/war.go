package simulator

import (
	"math"
	"slices"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/demo/dice"
	"gamedata/internal/demo/seed"
	"gamedata/internal/feed"
)

const (
	// warLevel is the level required to fight wars.
	warLevel = 60
	// maxFighters is the maximum number of fighters in a war.
	maxFighters = 5
	// mostWars is the number of wars per minute at the busiest time, leastWars the minimum at any time, with warPlayers
	// players or more.
	mostWars, leastWars, warPlayers = 1.8, 1.0 / 5, 2000
	// landPace is how many times players' progress is recorded per change of land.
	landPace = 10
)

// wars lets guilds fight, mostly in the evening.
func (w *World) wars() {
	if len(w.land) == 0 {
		return
	}
	for !w.nextWar.After(w.now) {
		if g := w.attacker(); g != nil {
			if target := w.target(g); target != nil {
				w.winWar(g, target)
			}
		}
		bustle := bustle(w.now)
		perMinute := max(leastWars, mostWars*bustle*bustle) * min(1, float64(len(w.players))/warPlayers)
		w.nextWar = w.nextWar.Add(time.Duration((0.6 + 0.8*w.Float64()) / perMinute * float64(time.Minute)))
	}
}

// attacker returns a guild that fights: of two guilds with fighters online, the one with less land per member.
func (w *World) attacker() (best *guild) {
	for range min(2, len(w.online)) {
		for range 40 {
			p := dice.Pick(w.Dice, w.online)
			if p.guild == nil || p.guild.Wars == nil || !p.plays(warLevel) {
				continue
			}
			if best == nil || p.guild.spread() < best.spread() {
				best = p.guild
			}
			break
		}
	}
	return best
}

// give gives a plot to a guild.
func (p *plot) give(to *guild) {
	if from := p.holder; from != nil {
		from.land = slices.DeleteFunc(from.land, func(other *plot) bool { return other == p })
	}
	p.holder, to.land = to, append(to.land, p)
}

// spread returns how many plots a guild holds per member.
func (g *guild) spread() float64 { return float64(len(g.land)) / float64(max(1, len(g.members))) }

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

// target returns a plot linked to the guild's land or, for a guild without land, any plot except a headquarters. Of
// three candidates it returns the one whose holder has most land per member, or nil if there is none.
func (w *World) target(g *guild) (best *plot) {
	var targets []*plot
	for _, held := range g.land {
		for _, p := range held.links {
			if p.holder != g && p.open(w.now) {
				targets = append(targets, p)
			}
		}
	}
	if len(g.land) == 0 {
		targets = slices.DeleteFunc(slices.Clone(w.land), func(p *plot) bool { return p.Hq || !p.open(w.now) })
	}
	if len(targets) == 0 {
		return nil
	}
	for range 3 {
		if p := dice.Pick(w.Dice, targets); best == nil || p.weakness() > best.weakness() {
			best = p
		}
	}
	return best
}

// open reports whether a plot can be captured: its holder takes part in wars and did not capture it at the same time.
func (p *plot) open(now time.Time) bool {
	return p.holder == nil || p.holder.Wars != nil && !p.AcquiredAt.Equal(now)
}

// weakness returns how easily a plot is captured; a plot without a holder is the easiest.
func (p *plot) weakness() float64 {
	if p.holder == nil {
		return math.Inf(1)
	}
	return p.holder.spread()
}

// winWar counts a won war for its fighters, adds season rating and transfers the territory.
func (w *World) winWar(g *guild, target *plot) {
	fighters := g.fighters()
	w.Shuffle(len(fighters), func(i, j int) { fighters[i], fighters[j] = fighters[j], fighters[i] })
	w.play(&feed.WarWon{Guild: g.id(), Fighters: fighters[:min(len(fighters), w.Between(1, maxFighters))]})
	former := target.holder
	w.play(&feed.TerritoryCaptured{Territory: feed.TerritoryName(target.Name), Guild: g.id(), At: w.now})
	target.give(g)
	if s := model.RunningSeason(w.Seasons, w.now); s != nil {
		w.rate(g, s, int64(s.SrPerWar))
		if former != nil {
			w.rate(former, s, 0)
		}
	}
}

// rate adds season rating to a guild and sets its number of territories.
func (w *World) rate(g *guild, s *model.GuildSeason, rating int64) {
	w.play(&feed.SeasonRated{Guild: g.id(), Season: s.Number, Rating: rating, Territories: len(g.land), At: w.now})
}

// rateSeason adds rating for the territories held at each full hour, before the captures of the step.
func (w *World) rateSeason(before time.Time) {
	s := model.RunningSeason(w.Seasons, w.now)
	if _, _, hour := w.passed(before, time.Hour); s == nil || !hour {
		return
	}
	for _, g := range w.guilds {
		if n := len(g.land); n > 0 {
			w.rate(g, s, int64(s.TerritoryHoldingSrPerHour*n))
		}
	}
}

// tendLand adds the production of territories, without rounding losses over an hour; sometimes their guilds spend some
// of it. The longer a territory is held the higher its treasury; each rise also changes its defences.
func (w *World) tendLand(before time.Time) {
	from, to, ended := w.passed(before, landPace*w.Pace)
	for _, t := range w.land {
		if !ended && !w.now.Equal(w.End) || t.Guild.UUID == nil {
			continue
		}
		made := map[string]int64{}
		spends := w.Chance(0.05 * landPace * w.Pace.Hours())
		for _, r := range t.Resources {
			made[r.Type] = r.Generation*to.Unix()/3600 - r.Generation*from.Unix()/3600
			if spends {
				made[r.Type] -= w.Int64N(r.Stored + 1)
			}
		}
		name := feed.TerritoryName(t.Name)
		w.play(&feed.TerritoryProduced{Territory: name, Made: made})
		if treasury := seed.Treasury(w.now.Sub(*t.AcquiredAt)); treasury != t.Treasury {
			w.play(&feed.TerritoryFortified{Territory: name, Treasury: treasury, Defences: dice.Pick(w.Dice, feed.Strengths)})
		}
	}
}
