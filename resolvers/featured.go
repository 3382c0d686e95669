package resolvers

import (
	"gamedata/graph/model"
)

// featuredStats returns the stats that a player chose with their current values. An unknown path keeps
// its stored value; stats without a value are left out.
func featuredStats(p *model.Player) []*model.FeaturedStat {
	out := make([]*model.FeaturedStat, 0, len(p.Featured))
	for _, chosen := range p.Featured {
		stat := model.FeaturedStat{Stat: chosen.Stat, Number: chosen.Number, Text: chosen.Text}
		if n, ok := featuredNumber(p, chosen.Stat); ok {
			stat.Number, stat.Text = n, nil
		} else if chosen.Stat == "firstJoin" && p.FirstJoin != nil {
			text := model.FormatDateTime(*p.FirstJoin)
			stat.Number, stat.Text = nil, &text
		}
		if stat.Number != nil || stat.Text != nil {
			out = append(out, &stat)
		}
	}
	return out
}

// featuredNumber returns a numeric stat by its dotted path; false for any other path.
func featuredNumber(p *model.Player, path string) (*int64, bool) {
	if path == "playtime" {
		if p.Playtime == nil {
			return nil, true
		}
		hours := int64(*p.Playtime)
		return &hours, true
	}
	g := p.GlobalData
	if g == nil {
		return nil, false
	}
	switch path {
	case "globalData.contentCompletion":
		return &g.ContentCompletion, true
	case "globalData.wars":
		return &g.Wars, true
	case "globalData.totalLevel":
		return &g.TotalLevel, true
	case "globalData.mobsKilled":
		return &g.MobsKilled, true
	case "globalData.chestsFound":
		return &g.ChestsFound, true
	case "globalData.worldEvents":
		return &g.WorldEvents, true
	case "globalData.lootruns":
		return &g.Lootruns, true
	case "globalData.caves":
		return &g.Caves, true
	case "globalData.completedQuests":
		return &g.CompletedQuests, true
	case "globalData.dungeons.total":
		return total(g.Dungeons)
	case "globalData.raids.total":
		return total(g.Raids)
	case "globalData.guildRaids.total":
		return total(g.GuildRaids)
	}
	return nil, false
}

func total(c *model.CountList) (*int64, bool) {
	if c == nil {
		return nil, false
	}
	return &c.Total, true
}
