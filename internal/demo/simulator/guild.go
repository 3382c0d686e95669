package simulator

import (
	"slices"

	"gamedata/internal/demo/dice"
	"gamedata/internal/feed"
	"gamedata/mongo"
)

// maxMembers is the maximum number of simulated members of a guild.
const maxMembers = 150

// rankShares lists how many of a hundred members have each rank, in the order of mongo.GuildRanks.
var rankShares = []float64{0, 4, 8, 14, 24, 50}

// guildLife lets players join and leave guilds, and rise and fall in rank. About as many join as leave; larger guilds
// see more of both.
func (w *World) guildLife() {
	if len(w.guilds) == 0 || len(w.online) == 0 {
		return
	}
	perHour := 0.016 * float64(len(w.online))
	for range w.happen(perHour) {
		p, g := dice.Pick(w.Dice, w.online), dice.Pick(w.Dice, w.players).guild
		if p.free() && p.Guild == nil && g != nil && len(g.members) < maxMembers {
			w.play(&feed.GuildJoined{Player: p.id(), Guild: g.id(), Rank: "RECRUIT", At: w.now})
			w.move(p, g)
		}
	}
	for range w.happen(perHour / 2) {
		if p := dice.Pick(w.Dice, w.online); p.free() && p.guild != nil && !p.hasRank("OWNER") {
			w.play(&feed.GuildLeft{Player: p.id()})
			w.move(p, nil)
		}
	}
	for range w.happen(perHour) {
		w.changeRank(dice.Pick(w.Dice, w.online))
	}
}

// changeRank moves a member up or down by one rank, preserving the shares of the ranks. A guild has one owner.
func (w *World) changeRank(p *player) {
	if !p.free() || p.guild == nil || p.Guild.Rank == nil {
		return
	}
	at := slices.Index(mongo.GuildRanks, *p.Guild.Rank)
	to := at + 1 - 2*w.IntN(2)
	if at > 0 && to > 0 && to < len(rankShares) && w.Chance(rankShares[to]/rankShares[at]) {
		w.play(&feed.RankGiven{Player: p.id(), Rank: mongo.GuildRanks[to]})
	}
}

func (p *player) hasRank(rank string) bool { return p.Guild.Rank != nil && *p.Guild.Rank == rank }

// contribute adds experience to the player's guild.
func (w *World) contribute(p *player, xp int64, hours float64) {
	if p.guild == nil {
		return
	}
	w.play(&feed.Contributed{Player: p.id(), XP: xp})
	if percent := w.About(2 * hours / float64(p.guild.Level)); percent > 0 {
		level, percent := raise(p.guild.Level, p.guild.XPPercent, percent, 1<<30)
		w.play(&feed.GuildProgressed{Guild: p.guild.id(), Level: level, XPPercent: percent})
	}
}
