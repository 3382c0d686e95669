package leaderboard

import (
	"slices"

	"gamedata/graph/model"
)

// The functions below compute scores and experience of a Subject; its kind must be the board's.

// totals returns the player's totals, zeros if the record has none.
func totals(p *model.Player) model.PlayerTotals {
	if p.Totals == nil {
		return model.PlayerTotals{}
	}
	return *p.Totals
}

func wars(s Subject) int64             { return totals(s.Player).Wars }
func playerContent(s Subject) int64    { return totals(s.Player).ContentCompletion }
func characterContent(s Subject) int64 { return orZero(s.Character.ContentCompletion) }
func combatLevel(s Subject) int64      { return int64(s.Character.Level) }
func combatXP(s Subject) int64         { return s.Character.XP }
func totalLevel(s Subject) int64       { return int64(s.Character.TotalLevel) }
func totalXP(s Subject) int64          { return model.Limited(combatXP(s) + professionsXP(s)) }

func orZero[N int64 | float64](n *N) N {
	if n == nil {
		return 0
	}
	return *n
}

func professionLevel(of func(*model.Professions) *model.ProfessionProgress) func(Subject) int64 {
	return func(s Subject) int64 {
		if s.Character.ProfessionLevels == nil {
			return 0
		}
		if p := of(s.Character.ProfessionLevels); p != nil {
			return int64(p.Level)
		}
		return 0
	}
}

func professionXP(name string) func(Subject) int64 {
	return func(s Subject) int64 { return s.Character.ProfessionXP[name] }
}

func professionLevels(s Subject) (total int64) {
	for _, p := range model.ProfessionList {
		model.Raise(&total, professionLevel(p.Of)(s))
	}
	return total
}

func professionsXP(s Subject) (total int64) {
	for _, xp := range s.Character.ProfessionXP {
		model.Raise(&total, xp)
	}
	return total
}

// sum adds up a score over all characters of a player.
func sum(one func(Subject) int64) func(Subject) int64 {
	return func(s Subject) (total int64) {
		for _, c := range s.Characters {
			model.Raise(&total, one(Subject{Player: s.Player, Character: c}))
		}
		return total
	}
}

func rating(season int) func(Subject) int64 {
	of := func(r *model.GuildSeasonResult) bool { return r.SeasonNumber == season }
	return func(s Subject) int64 { return find(s.Guild.SeasonResults, of).Rating }
}

// raidScore is the score on raid boards.
type raidScore struct {
	completions int64
	gambits     model.GambitCounts
}

func (r raidScore) points() int64 {
	return model.Limited(200*r.completions + 10*r.gambits.Ten + 20*r.gambits.Twenty + 30*r.gambits.Thirty)
}

func (r raidScore) gambitsUsed() int64 {
	return model.Limited(r.gambits.Ten + r.gambits.Twenty + r.gambits.Thirty)
}

func playerRuns(raid string) func(Subject) raidScore {
	return func(s Subject) raidScore {
		return raidScore{countOf(totals(s.Player).Raids, raid), gambits(s.Player, raid).All}
	}
}

// playerGuildRuns returns a player's runs of a raid with their guild.
func playerGuildRuns(raid string) func(Subject) raidScore {
	return func(s Subject) raidScore {
		return raidScore{countOf(totals(s.Player).GuildRaids, raid), gambits(s.Player, raid).Guild}
	}
}

func guildRuns(raid string) func(Subject) raidScore {
	return func(s Subject) raidScore {
		t := find(s.Guild.RaidTallies, func(t *model.RaidTally) bool { return t.Raid == raid })
		return raidScore{t.Completions, t.Gambits}
	}
}

func gambits(p *model.Player, raid string) model.RaidGambits {
	return find(p.Gambits, func(g *model.RaidGambits) bool { return g.Raid == raid })
}

func countOf(list *model.CountList, name string) int64 {
	if list == nil {
		return 0
	}
	return find(list.List, func(c *model.NamedCount) bool { return c.Name == name }).Count
}

// find returns the element of a list that fits, or zeros.
func find[T any](list []*T, fits func(*T) bool) (found T) {
	if i := slices.IndexFunc(list, fits); i >= 0 {
		found = *list[i]
	}
	return found
}
