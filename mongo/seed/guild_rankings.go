package seed

import (
	"cmp"
	"slices"
	"strings"

	"gamedata/graph/model"
)

// rankGuilds gives guilds their places on the boards of raids (WIRE-CONTENT §12.2), and those
// of the day before, when some neighbours stood the other way round.
func rankGuilds(o Options, guilds []*model.Guild) {
	r := source(o.Seed, forGuildRecord, sideGuilds-1)
	place := func(board string, score func(*model.Guild) int64) {
		on := slices.DeleteFunc(slices.Clone(guilds), func(g *model.Guild) bool { return score(g) == 0 })
		slices.SortFunc(on, func(a, b *model.Guild) int {
			return cmp.Or(cmp.Compare(score(b), score(a)), strings.Compare(a.UUID, b.UUID))
		})
		put := func(list func(*model.Guild) *[]*model.RankPosition) {
			for i, g := range on {
				*list(g) = append(*list(g), &model.RankPosition{Type: board, Position: i + 1})
			}
		}
		put(func(g *model.Guild) *[]*model.RankPosition { return &g.Ranking })
		for i := 1; i < len(on); i += 2 {
			if chance(r, 0.3) {
				on[i-1], on[i] = on[i], on[i-1]
			}
		}
		put(func(g *model.Guild) *[]*model.RankPosition { return &g.PreviousRanking })
	}
	for _, raid := range raids {
		place(raid.board+"SrGuilds", func(g *model.Guild) int64 {
			for _, t := range g.RaidTallies {
				if t.Raid == raid.name {
					return 200*t.Completions + 10*t.Gambits.Ten + 20*t.Gambits.Twenty + 30*t.Gambits.Thirty
				}
			}
			return 0
		})
	}
	place("guildTotalRaids", func(g *model.Guild) int64 { return g.TotalGuildRaids })
}
