package seed

import (
	"slices"

	"gamedata/graph/model"
	"gamedata/internal/demo/content"
)

// rank describes how a player's rank is displayed.
type rank struct {
	Name, Short string
	Badge       string
	Colour      model.RankColours
}

// plainRank is the rank of players without one.
const plainRank = "Player"

// ranks and supporters by name. The first rank is plainRank; a supporter with it is displayed as a supporter.
var ranks, supporters = content.Records[rank]("ranks.json"), content.Records[rank]("supporters.json")

func find(list []rank, name string) *rank {
	at := slices.IndexFunc(list, func(r rank) bool { return r.Name == name })
	if at < 0 {
		return nil
	}
	return &list[at]
}

func setRank(p *model.Player, name, support string) {
	r := find(ranks, name)
	drawn := r
	if s := find(supporters, support); s != nil {
		p.SupportRank = (*model.Label)(&s.Name)
		if name == plainRank {
			drawn = s
		}
	}
	colour := drawn.Colour
	p.Rank, p.ShortenedRank, p.RankBadge, p.RankColours = r.Name, &r.Short, &drawn.Badge, &colour
}
