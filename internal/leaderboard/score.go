package leaderboard

import "gamedata/graph/model"

// Where scores and experience come from. Each takes a Subject of the kind its board has.

// totals are the player's totals; zeros when the record lacks them.
func totals(p *model.Player) model.PlayerGlobalData {
	if p.GlobalData == nil {
		return model.PlayerGlobalData{}
	}
	return *p.GlobalData
}

func wars(s Subject) int64         { return totals(s.Player).Wars }
func contentOfAll(s Subject) int64 { return totals(s.Player).ContentCompletion }
func contentOfOne(s Subject) int64 { return known(s.Character.ContentCompletion) }
func combatLevel(s Subject) int64  { return int64(s.Character.Level) }
func combatXP(s Subject) int64     { return s.Character.XP }
func totalLevel(s Subject) int64   { return int64(s.Character.TotalLevel) }
func totalXP(s Subject) int64      { return combatXP(s) + professionsXP(s) }
func guildRaidsOf(s Subject) int64 { return s.Guild.TotalGuildRaids }
func guildLevelOf(s Subject) int64 { return int64(s.Guild.Level) }
func guildWarsOf(s Subject) int64  { return known(s.Guild.Wars) }
func known[N int64 | float64](n *N) N {
	if n == nil {
		return 0
	}
	return *n
}

// professions are the twelve, in the order of their boards.
var professions = []struct {
	name string
	of   func(*model.Professions) *model.ProfessionProgress
}{
	{"woodcutting", func(p *model.Professions) *model.ProfessionProgress { return p.Woodcutting }},
	{"mining", func(p *model.Professions) *model.ProfessionProgress { return p.Mining }},
	{"fishing", func(p *model.Professions) *model.ProfessionProgress { return p.Fishing }},
	{"farming", func(p *model.Professions) *model.ProfessionProgress { return p.Farming }},
	{"alchemism", func(p *model.Professions) *model.ProfessionProgress { return p.Alchemism }},
	{"armouring", func(p *model.Professions) *model.ProfessionProgress { return p.Armouring }},
	{"cooking", func(p *model.Professions) *model.ProfessionProgress { return p.Cooking }},
	{"jeweling", func(p *model.Professions) *model.ProfessionProgress { return p.Jeweling }},
	{"scribing", func(p *model.Professions) *model.ProfessionProgress { return p.Scribing }},
	{"tailoring", func(p *model.Professions) *model.ProfessionProgress { return p.Tailoring }},
	{"weaponsmithing", func(p *model.Professions) *model.ProfessionProgress { return p.Weaponsmithing }},
	{"woodworking", func(p *model.Professions) *model.ProfessionProgress { return p.Woodworking }},
}

func professionLevel(of func(*model.Professions) *model.ProfessionProgress) func(Subject) int64 {
	return func(s Subject) int64 {
		if s.Character.Professions == nil {
			return 0
		}
		if p := of(s.Character.Professions); p != nil {
			return int64(p.Level)
		}
		return 0
	}
}

func professionXP(name string) func(Subject) int64 {
	return func(s Subject) int64 { return s.Character.ProfessionXP[name] }
}

func professionLevels(s Subject) (sum int64) {
	for _, p := range professions {
		sum += professionLevel(p.of)(s)
	}
	return sum
}

func professionsXP(s Subject) (sum int64) {
	for _, xp := range s.Character.ProfessionXP {
		sum += xp
	}
	return sum
}

// all adds up what counts of each character of a player.
func all(one func(Subject) int64) func(Subject) int64 {
	return func(s Subject) (sum int64) {
		for _, c := range s.Characters {
			sum += one(Subject{Player: s.Player, Character: c})
		}
		return sum
	}
}

// rating is the season rating of a guild.
func rating(season int) func(Subject) int64 {
	return func(s Subject) int64 {
		for _, r := range s.Guild.SeasonRanks {
			if r.Season == season {
				return r.Rating
			}
		}
		return 0
	}
}
