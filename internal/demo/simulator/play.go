package simulator

import (
	"context"
	"math"
	"slices"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/demo/dice"
	"gamedata/internal/demo/seed"
	"gamedata/internal/feed"
)

// The highest levels.
const (
	maxLevel           = 106
	maxProfessionLevel = 132
)

// hundredth is a hundredth of an hour, the unit of playtime.
const hundredth = 36 * time.Second

// playAll records the progress and movement of players who are due.
func (w *World) playAll() {
	for _, p := range w.online {
		if p.idle() || w.now.Before(p.nextProgress) && !w.now.Equal(w.End) {
			continue
		}
		p.nextProgress = w.now.Add(w.pause())
		switch {
		case p.playing == nil:
			p.playing = w.choose(p)
			w.enterWorld(p)
		case !p.placed() && w.Chance(w.since(p).Hours()/2):
			w.enterWorld(p)
		}
		w.walk(p)
		w.recordProgress(p)
	}
}

// enterWorld moves a player with their current character to a random world.
func (w *World) enterWorld(p *player) {
	w.play(&feed.WorldEntered{Character: characterID(p.playing), Server: w.server(), Location: seed.Spawn(w.Dice)})
}

func (w *World) since(p *player) time.Duration { return w.now.Sub(p.recordedUntil) }

// walk moves a player by at most three blocks a second.
func (w *World) walk(p *player) {
	at := seed.Spawn(w.Dice)
	if p.Location != nil {
		at = *p.Location
		reach := 3 * w.since(p).Seconds()
		at.X = clamp(at.X+reach*(2*w.Float64()-1), -2500, 2500)
		at.Z = clamp(at.Z+reach*(2*w.Float64()-1), -6500, 500)
	}
	w.play(&feed.PlayerMoved{Player: p.id(), Location: at})
}

// clamp keeps a coordinate inside the world and rounds it to quarters of a block.
func clamp(x, low, high float64) float64 { return math.Round(4*min(max(x, low), high)) / 4 }

// recordProgress records a player's gains since the previous record.
func (w *World) recordProgress(p *player) {
	n := w.since(p) / hundredth
	if p.playing == nil || n <= 0 {
		return
	}
	p.recordedUntil = p.recordedUntil.Add(n * hundredth)
	c, hours := p.playing, float64(n)/100
	g := feed.Gain{Hours: hours, Gains: seed.Gains(w.Dice, c.Level, hours)}
	mortal := slices.Contains(c.Gamemodes, seed.Hardcore)
	if mortal {
		g.Deaths = 0
	}
	w.fight(c, hours, &g)
	w.trainProfession(c, hours, &g)
	w.explore(c, hours, &g)
	w.play(&feed.CharacterGained{Character: characterID(c), Gain: g})
	w.contribute(p, g.XP/10, hours)
	w.playWeek(p, hours)
	if mortal && p.free() && w.Chance(hours/50) {
		w.play(&feed.CharacterDied{Character: characterID(c)})
		p.characters = slices.DeleteFunc(p.characters, func(other *model.Character) bool { return other == c })
		p.playing, p.nextProgress = nil, w.now // another character at once
	}
}

// beginWeek resets the weekly objectives of all players when a week begins, also of players who are offline.
func (w *World) beginWeek(ctx context.Context) error {
	if w.now.Before(w.week.Add(seed.Week)) {
		return nil
	}
	w.week = w.now.Truncate(seed.Week)
	var offline []string
	for _, p := range w.players {
		if p.weekly && !p.online() {
			offline = append(offline, p.uuid)
		}
	}
	if err := w.loadSessions(ctx, offline); err != nil {
		return err
	}
	for _, p := range w.players {
		if p.weekly && p.online() && p.Weekly != nil {
			e := &feed.WeeklyProgressed{Player: p.id()}
			if p.Weekly.Completed {
				e.Streak = p.Weekly.Streak
			}
			p.weekly = e.Streak > 0
			w.play(e)
		}
	}
	for _, uuid := range offline {
		if p := w.byUUID[uuid]; p.online() {
			w.unload(p)
		}
	}
	return nil
}

// playWeek sometimes completes the weekly objective of a player who logged in this week.
func (w *World) playWeek(p *player, hours float64) {
	if p.Weekly != nil && !p.Weekly.Completed && !p.LastJoinedAt.Before(w.week) && w.Chance(hours/8) {
		p.weekly = true
		w.play(&feed.WeeklyProgressed{Player: p.id(), Completed: true, Streak: p.Weekly.Streak + 1})
	}
}

// fight adds experience: level n takes n/10 hours.
func (w *World) fight(c *model.Character, hours float64, g *feed.Gain) {
	g.Level, g.XPPercent = c.Level, c.XPPercent
	level := int64(max(c.Level, 1))
	percent := w.About(hours * 1000 / float64(level))
	g.XP = percent*level*level*level + w.About(hours*5000)
	if c.Level >= maxLevel {
		return
	}
	g.Level, g.XPPercent = raise(c.Level, c.XPPercent, percent, maxLevel)
}

// raise adds a percentage to a level. At the highest level the percentage stays 0.
func raise(level, percent int, by int64, highest int) (int, int) {
	sum := percent + int(by)
	level, percent = level+sum/100, sum%100
	if level >= highest {
		return highest, 0
	}
	return level, percent
}

// trainProfession sometimes adds progress in a profession.
func (w *World) trainProfession(c *model.Character, hours float64, g *feed.Gain) {
	if c.Level < 5 || !w.Chance(0.3) {
		return
	}
	name := dice.Pick(w.Dice, model.ProfessionList).Name
	at := c.ProfessionLevels.Named(name)
	if at == nil || at.Level >= maxProfessionLevel {
		return
	}
	percent := w.About(hours * 1500 / float64(at.Level+4))
	if percent == 0 {
		return
	}
	level, rest := raise(at.Level, at.XpPercent, percent, maxProfessionLevel)
	xp := percent * int64(at.Level) * int64(at.Level)
	g.Practised = []feed.Practice{{Profession: name, XP: xp, Level: level, XPPercent: rest}}
}

// explore sometimes completes quests, dungeons, caves, world events and lootruns.
func (w *World) explore(c *model.Character, hours float64, g *feed.Gain) {
	if len(w.quests) > 0 && w.Chance(0.7*hours) {
		if q := dice.Pick(w.Dice, w.quests); !slices.Contains(c.Quests, q) {
			g.Quests = []string{q}
		}
	}
	if w.Chance(0.6 * hours) {
		if d := dice.Pick(w.Dice, seed.Dungeons); c.Level >= d.Level {
			g.Dungeons = []string{d.Name}
		}
	}
	g.Content = g.WorldEvents + g.Lootruns + g.Caves + int64(len(g.Quests)+len(g.Dungeons))
}
