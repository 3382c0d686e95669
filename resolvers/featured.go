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
		if n, ok := model.PlayerStat(p, chosen.Stat); ok {
			stat.Number, stat.Text = &n, nil
		} else if chosen.Stat == "playtime" {
			stat.Number = nil
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
