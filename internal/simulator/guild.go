package simulator

import (
	"slices"
	"time"

	"gamedata/graph/model"
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
		if p.Guild == nil && len(g.members) < maxMembers && g.anyoneOnline() {
			w.feed.GuildJoined(p.Player, g.Guild, "RECRUIT", w.now)
			p.guild, g.members = g, append(g.members, p)
			w.tally[GuildJoins]++
		}
	}
	for range w.happen(perHour / 2) {
		if p := pick(w.dice, w.online); p.guild != nil && !p.hasRank("OWNER") {
			w.feed.GuildLeft(p.Player)
			p.guild.removeMember(p)
			p.guild = nil
			w.tally[GuildLeaves]++
		}
	}
	for range w.happen(perHour) {
		if p := pick(w.dice, w.online); p.guild != nil && p.Guild.Rank != nil {
			// Promotions end at chief: a guild has one owner.
			if at := slices.Index(mongo.GuildRanks, *p.Guild.Rank); at > 1 {
				w.feed.RankGiven(p.Player, mongo.GuildRanks[at-1])
				w.tally[Promotions]++
			}
		}
	}
}

func (g *guild) anyoneOnline() bool { return slices.ContainsFunc(g.members, (*player).online) }

func (p *player) hasRank(rank string) bool { return p.Guild.Rank != nil && *p.Guild.Rank == rank }

// contribute adds experience to the player's guild and progress to the weekly objective.
func (w *World) contribute(p *player, xp int64) {
	if p.guild == nil {
		return
	}
	w.feed.Contributed(p.Player, xp)
	var weekly model.WeeklyProgress
	if p.Weekly != nil {
		weekly = *p.Weekly
	}
	if !weekly.Completed && w.chance(0.01) {
		w.feed.WeeklyProgressed(p.Player, model.WeeklyProgress{Completed: true, Streak: weekly.Streak + 1})
	}
	if w.chance(0.002) {
		level, percent := raise(p.guild.Level, p.guild.XPPercent, 1, 1<<30)
		w.feed.GuildProgressed(p.guild.Guild, level, percent)
	}
}

// week returns the number of a week; weeks start on Monday at 00:00 UTC.
func week(t time.Time) int64 {
	const day = 24 * 60 * 60
	return (t.Unix() + 3*day) / (7 * day)
}

// resetWeekly resets the weekly objectives of a new week; players who missed theirs lose the streak.
func (w *World) resetWeekly(before time.Time) {
	if week(before) == week(w.now) {
		return
	}
	for _, p := range w.players {
		record := p.record()
		if record.Weekly == nil {
			continue
		}
		next := model.WeeklyProgress{}
		if record.Weekly.Completed {
			next.Streak = record.Weekly.Streak
		}
		if next != *record.Weekly {
			w.feed.WeeklyProgressed(record, next)
			p.weekly = record.Weekly
		}
	}
}
