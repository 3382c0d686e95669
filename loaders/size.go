package loaders

import "gamedata/graph/model"

// What records take in memory, in bytes, as near as is worth it: a test holds the sums against
// the heap.

func playerSize(p *model.Player) int {
	size := 1200 + len(p.Friends)*52 + (len(p.Ranking)+len(p.PreviousRanking))*56 + len(p.Gambits)*112
	for _, h := range p.GuildHistory {
		size += 220 + countsSize(h.GuildRaids)
	}
	if g := p.GlobalData; g != nil {
		size += 420 + countsSize(g.Dungeons) + countsSize(g.Raids) + countsSize(g.GuildRaids)
	}
	return size
}

func characterSize(c *model.Character) int {
	size := 900 + (len(c.Quests)+len(c.Unlocked)+len(c.RemovedStat)+len(c.Gamemode))*40 + len(c.ProfessionXP)*60 +
		countsSize(c.Dungeons) + countsSize(c.Raids)
	if c.Professions != nil {
		size += 400
	}
	return size
}

func guildSize(g *model.Guild) int {
	size := 700 + (len(g.Ranking)+len(g.PreviousRanking))*56 + len(g.SeasonRanks)*56 + len(g.RaidTallies)*120
	if g.Banner != nil {
		size += 64 + len(g.Banner.Layers)*64
	}
	return size
}

func countsSize(c *model.CountList) int {
	if c == nil {
		return 0
	}
	return 48 + len(c.List)*64
}
