package seed

import (
	"slices"

	"gamedata/graph/model"
	"gamedata/internal/demo/content"
)

// rank describes how a player's rank is displayed.
type rank struct {
	Name, Short, Badge string
	Colour             model.RankColours
}

// ranks and supporters by name. Players without a rank have the first one; a supporter with the first rank is displayed
// as a supporter.
var ranks, supporters = content.Records[rank]("ranks.json"), content.Records[rank]("supporters.json")

func setRank(p *model.Player, name, support string) {
	named := func(name string) func(rank) bool { return func(r rank) bool { return r.Name == name } }
	r := &ranks[max(0, slices.IndexFunc(ranks, named(name)))]
	p.Rank, p.ShortenedRank = r.Name, &r.Short
	if at := slices.IndexFunc(supporters, named(support)); at >= 0 {
		p.SupportRank = (*model.Label)(&supporters[at].Name)
		if r == &ranks[0] {
			r = &supporters[at]
		}
	}
	p.RankBadge, p.RankColours = &r.Badge, &r.Colour
}
