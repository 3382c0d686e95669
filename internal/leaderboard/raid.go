package leaderboard

import "gamedata/graph/model"

// raids are the raids with boards, by the prefix of the boards' names.
var raids = []struct{ prefix, name string }{
	{"grootslang", "Nest of the Grootslangs"},
	{"orphion", "Orphion's Nexus of Light"},
	{"colossus", "The Canyon Colossus"},
	{"nameless", "The Nameless Anomaly"},
	{"fruma", "The Wartorn Palace"},
}

// raidScore is what raid boards count (WIRE-CONTENT §12.5).
type raidScore struct {
	completions int64
	gambits     model.GambitCounts
}

func (r raidScore) points() int64 {
	return 200*r.completions + 10*r.gambits.Ten + 20*r.gambits.Twenty + 30*r.gambits.Thirty
}

func (r raidScore) used() int64 { return r.gambits.Ten + r.gambits.Twenty + r.gambits.Thirty }

// runs are all runs of a player in a raid.
func runs(raid string) func(Subject) raidScore {
	return func(s Subject) raidScore {
		return raidScore{counted(totals(s.Player).Raids, raid), gambits(s.Player, raid).All}
	}
}

// guildRuns are the runs of a player in guild raids.
func guildRuns(raid string) func(Subject) raidScore {
	return func(s Subject) raidScore {
		return raidScore{counted(totals(s.Player).GuildRaids, raid), gambits(s.Player, raid).Guild}
	}
}

// tallied are the runs of a guild.
func tallied(raid string) func(Subject) raidScore {
	return func(s Subject) raidScore {
		for _, t := range s.Guild.RaidTallies {
			if t.Raid == raid {
				return raidScore{t.Completions, t.Gambits}
			}
		}
		return raidScore{}
	}
}

func gambits(p *model.Player, raid string) model.RaidGambits {
	for _, g := range p.Gambits {
		if g.Raid == raid {
			return *g
		}
	}
	return model.RaidGambits{}
}

func counted(list *model.CountList, name string) int64 {
	if list == nil {
		return 0
	}
	for _, c := range list.List {
		if c.Name == name {
			return c.Count
		}
	}
	return 0
}
