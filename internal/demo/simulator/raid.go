package simulator

import (
	"slices"

	"gamedata/graph/model"
	"gamedata/internal/feed"
)

const (
	// raidLevel is the level that every raid accepts.
	raidLevel = 105
	// raidSize is the most players of a raid.
	raidSize = 4
)

// raids lets members of a guild, or a player without one, complete raids.
func (w *World) raids() {
	if len(w.online) == 0 {
		return
	}
	for range w.happen(0.12 * float64(len(w.online))) {
		leader := pick(w.dice, w.online)
		run := &feed.RaidCompleted{Raid: pick(w.dice, model.Raids)}
		party := []*player{leader}
		if g := leader.guild; g != nil {
			run.Guild = g.id()
			first := w.IntN(len(g.members))
			party = append(party, g.members[first:]...)
			party = append(party, g.members[:first]...)
		}
		w.raid(run, party)
	}
}

// raid completes a raid with the first players who can.
func (w *World) raid(run *feed.RaidCompleted, players []*player) {
	for i, p := range players {
		if len(run.Raiders) < raidSize && p.raids() && !slices.Contains(players[:i], p) {
			run.Raiders = append(run.Raiders, feed.RaidCompletedRaider{
				Character: characterID(p.playing),
				Gambits:   model.GambitCounts{Ten: w.about(0.4), Twenty: w.about(0.4), Thirty: w.about(0.4)},
				Stats: model.RaidStats{
					DamageTaken: w.about(44_000), DamageDealt: w.about(45_000_000), HealthHealed: w.about(61_000),
					Deaths: w.about(0.4), BuffsTaken: w.about(3),
				},
			})
		}
	}
	if len(run.Raiders) > 0 {
		w.play(run)
	}
}

// raids reports whether the player can raid. Members of the cast do if they have before.
func (p *player) raids() bool {
	return p.plays(raidLevel) && (p.free() || p.Totals.Raids != nil && p.Totals.Raids.Total > 0)
}

// plays reports whether the player plays a character of at least the level.
func (p *player) plays(level int) bool {
	return p.online() && p.playing != nil && p.playing.Level >= level
}
