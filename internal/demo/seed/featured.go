package seed

import (
	"math/rand/v2"
	"slices"

	"gamedata/graph/model"
	"gamedata/internal/demo/content"
)

// featurable lists the stats that a player can feature. The first join is the only one that is a text.
var featurable = content.Names("featurable.txt")

// drawFeatured returns up to four of featurable.
func drawFeatured(r *rand.Rand) []string {
	var chosen []string
	for range weighted(r, []int{40, 10, 15, 15, 20}) {
		if stat := pick(r, featurable); !slices.Contains(chosen, stat) {
			chosen = append(chosen, stat)
		}
	}
	return chosen
}

func featuredStats(p *model.Player, chosen []string) []*model.FeaturedStat {
	out := make([]*model.FeaturedStat, 0, len(chosen))
	for _, name := range chosen {
		stat := &model.FeaturedStat{Stat: name}
		if n, ok := model.PlayerStat(p, name); ok {
			stat.Number = &n
		} else {
			stat.Text = new(model.FormatDateTime(*p.FirstJoinedAt))
		}
		out = append(out, stat)
	}
	return out
}
