package seed

import "gamedata/graph/model"

// rank describes how a player's rank is displayed.
type rank struct {
	name, short string
	badge       string
	colour      model.LegacyRankColour
}

func paint(name, short, badge, first, second string) rank {
	return rank{name, short, "nextgen/badges/rank_" + badge + ".svg", model.LegacyRankColour{Main: first, Sub: second}}
}

// plainRank is the rank of players without one.
const plainRank = "Player"

// ranks by name; the first is none.
var ranks = []rank{
	paint(plainRank, plainRank, "player", "#aaaaaa", "#ffffff"),
	paint("Administrator", "Admin", "admin", "#aa0000", "#ff5555"),
	paint("Moderator", "Mod", "mod", "#ffaa00", "#ffff55"),
	paint("Builder", "Builder", "builder", "#00aaaa", "#55ffff"),
	paint("WebDev", "WebDev", "webdev", "#0000aa", "#5555ff"),
	paint("Media", "Media", "media", "#aa00aa", "#ff55ff"),
}

// supporters by name; a player without another rank is displayed as one.
var supporters = []rank{
	paint("vip", "", "vip", "#00aa00", "#55ff55"),
	paint("vipplus", "", "vipplus", "#00aaaa", "#55ffff"),
	paint("hero", "", "hero", "#aa00aa", "#ff55ff"),
	paint("champion", "", "champion", "#ffaa00", "#ffff55"),
}

func find(list []rank, name string) *rank {
	for i := range list {
		if list[i].name == name {
			return &list[i]
		}
	}
	return nil
}

func setRank(p *model.Player, name, support string) {
	r := find(ranks, name)
	drawn := r
	if s := find(supporters, support); s != nil {
		p.SupportRank = &s.name
		if name == plainRank {
			drawn = s
		}
	}
	colour := drawn.colour
	p.Rank, p.ShortenedRank, p.RankBadge, p.LegacyRankColour = r.name, &r.short, &drawn.badge, &colour
}
