package simulator

import (
	"slices"
	"time"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// mostMembers is how many players of this world a guild takes.
const mostMembers = 150

// guildLife lets members join, leave and rise.
func (w *World) guildLife() {
	if len(w.guilds) == 0 || len(w.online) == 0 {
		return
	}
	often := 0.06 * float64(len(w.online))
	for range w.happen(often) {
		p, g := one(w.dice, w.online), one(w.dice, w.guilds)
		if p.Guild == nil && len(g.members) < mostMembers && g.anyoneOnline() {
			w.feed.GuildJoined(p.Player, g.Guild, "RECRUIT", w.now)
			p.guild, g.members = g, append(g.members, p)
			w.tally[GuildJoins]++
		}
	}
	for range w.happen(often / 2) {
		if p := one(w.dice, w.online); p.guild != nil && !p.ranked("OWNER") {
			w.feed.GuildLeft(p.Player)
			p.guild.lose(p)
			p.guild = nil
			w.tally[GuildLeaves]++
		}
	}
	for range w.happen(often) {
		if p := one(w.dice, w.online); p.guild != nil && p.Guild.Rank != nil {
			// Up to chief: a guild has one owner.
			if at := slices.Index(mongo.GuildRanks, *p.Guild.Rank); at > 1 {
				w.feed.RankGiven(p.Player, mongo.GuildRanks[at-1])
				w.tally[Promotions]++
			}
		}
	}
}

func (g *guild) anyoneOnline() bool {
	return slices.ContainsFunc(g.members, (*player).online)
}

func (p *player) ranked(rank string) bool { return p.Guild.Rank != nil && *p.Guild.Rank == rank }

// give contributes experience to the player's guild and works on the weekly objective.
func (w *World) give(p *player, xp int64) {
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

// week is the number of a week; weeks begin on Monday at 00:00 UTC.
func week(t time.Time) int64 {
	const day = 24 * 60 * 60
	return (t.Unix() + 3*day) / (7 * day)
}

// passWeek opens the weekly objective again; who missed it loses the streak.
func (w *World) passWeek(before time.Time) {
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
