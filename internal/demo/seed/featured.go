package seed

import (
	"math/rand/v2"
	"slices"

	"gamedata/graph/model"
)

// firstJoined is the only featured stat that is a text.
const firstJoined = "firstJoin"

// featurable lists the stats that a player can feature.
var featurable = []struct {
	path  string
	value func(*model.Player) int64
}{
	{"globalData.chestsFound", func(p *model.Player) int64 { return p.GlobalData.ChestsFound }},
	{"globalData.totalLevel", func(p *model.Player) int64 { return p.GlobalData.TotalLevel }},
	{firstJoined, nil},
	{"playtime", func(p *model.Player) int64 { return int64(*p.Playtime) }},
	{"globalData.contentCompletion", func(p *model.Player) int64 { return p.GlobalData.ContentCompletion }},
	{"globalData.wars", func(p *model.Player) int64 { return p.GlobalData.Wars }},
	{"globalData.mobsKilled", func(p *model.Player) int64 { return p.GlobalData.MobsKilled }},
	{"globalData.worldEvents", func(p *model.Player) int64 { return p.GlobalData.WorldEvents }},
	{"globalData.lootruns", func(p *model.Player) int64 { return p.GlobalData.Lootruns }},
	{"globalData.caves", func(p *model.Player) int64 { return p.GlobalData.Caves }},
	{"globalData.completedQuests", func(p *model.Player) int64 { return p.GlobalData.CompletedQuests }},
	{"globalData.dungeons.total", func(p *model.Player) int64 { return p.GlobalData.Dungeons.Total }},
	{"globalData.raids.total", func(p *model.Player) int64 { return p.GlobalData.Raids.Total }},
}

// drawFeatured returns up to four indexes of featurable.
func drawFeatured(r *rand.Rand) []int {
	var chosen []int
	for range weighted(r, []int{40, 10, 15, 15, 20}) {
		if n := r.IntN(len(featurable)); !slices.Contains(chosen, n) {
			chosen = append(chosen, n)
		}
	}
	return chosen
}

func featuredStats(p *model.Player, chosen []int) []*model.FeaturedStat {
	out := make([]*model.FeaturedStat, 0, len(chosen))
	for _, i := range chosen {
		stat := &model.FeaturedStat{Stat: featurable[i].path}
		if stat.Stat == firstJoined {
			text := model.FormatDateTime(*p.FirstJoin)
			stat.Text = &text
		} else {
			n := featurable[i].value(p)
			stat.Number = &n
		}
		out = append(out, stat)
	}
	return out
}
