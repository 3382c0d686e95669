package simulator

import (
	"slices"

	"gamedata/graph/model"
	"gamedata/internal/demo/dice"
	"gamedata/internal/demo/seed"
	"gamedata/internal/feed"
)

// raidSize is the maximum number of players in a raid.
const raidSize = 4

// raids lets members of a guild, or a player without a guild, complete raids.
func (w *World) raids() {
	if len(w.online) == 0 {
		return
	}
	for range w.happen(0.12 * float64(len(w.online))) {
		leader := dice.Pick(w.Dice, w.online)
		run := &feed.RaidCompleted{Raid: dice.Pick(w.Dice, model.Raids)}
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
			run.Raiders = append(run.Raiders, seed.Raider(w.Dice, p.playing, 1))
		}
	}
	if len(run.Raiders) > 0 {
		w.play(run)
	}
}

// raids reports whether the player can raid. Members of the cast can if they have raided before.
func (p *player) raids() bool {
	return p.plays(seed.RaidLevel) && (p.free() || p.Totals.Raids != nil && p.Totals.Raids.Total > 0)
}

// plays reports whether the player is playing a character of at least the level.
func (p *player) plays(level int) bool {
	return p.online() && p.playing != nil && p.playing.Level >= level
}
