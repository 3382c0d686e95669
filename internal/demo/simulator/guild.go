package simulator

import (
	"slices"

	"gamedata/internal/feed"
	"gamedata/mongo"
)

// maxMembers is the maximum number of simulated members of a guild.
const maxMembers = 150

// guildLife lets players join and leave guilds and be promoted.
func (w *World) guildLife() {
	if len(w.guilds) == 0 || len(w.online) == 0 {
		return
	}
	perHour := 0.06 * float64(len(w.online))
	for range w.happen(perHour) {
		p, g := pick(w.dice, w.online), pick(w.dice, w.guilds)
		if p.Guild == nil && len(g.members) < maxMembers {
			w.play(&feed.GuildJoined{Player: p.id(), Guild: g.id(), Rank: "RECRUIT", At: w.now})
			p.guild, g.members = g, append(g.members, p)
		}
	}
	for range w.happen(perHour / 2) {
		if p := pick(w.dice, w.online); p.guild != nil && !p.hasRank("OWNER") {
			w.play(&feed.GuildLeft{Player: p.id()})
			p.guild.removeMember(p)
			p.guild = nil
		}
	}
	for range w.happen(perHour) {
		if p := pick(w.dice, w.online); p.guild != nil && p.Guild.Rank != nil {
			// Promotions end at chief: a guild has one owner.
			if at := slices.Index(mongo.GuildRanks, *p.Guild.Rank); at > 1 {
				w.play(&feed.RankGiven{Player: p.id(), Rank: mongo.GuildRanks[at-1]})
			}
		}
	}
}

func (p *player) hasRank(rank string) bool { return p.Guild.Rank != nil && *p.Guild.Rank == rank }

// contribute adds experience to the player's guild.
func (w *World) contribute(p *player, xp int64) {
	if p.guild == nil {
		return
	}
	w.play(&feed.Contributed{Player: p.id(), XP: xp})
	if w.chance(0.002) {
		level, percent := raise(p.guild.Level, p.guild.XPPercent, 1, 1<<30)
		w.play(&feed.GuildProgressed{Guild: p.guild.id(), Level: level, XPPercent: percent})
	}
}
