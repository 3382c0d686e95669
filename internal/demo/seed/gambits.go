package seed

import "gamedata/graph/model"

// setGambits distributes the gambits in raidStats over the player's raids, and decides which were with a guild.
func (p *plan) setGambits(out *model.Player, done [raidCount]int64) {
	stats := out.Totals.RaidStats
	named := int64(0)
	for _, n := range done {
		named += n
	}
	if stats == nil || stats.GambitsUsed == 0 || named == 0 {
		return
	}
	r := source(p.seed, forGambits, uint64(p.index))
	left, runs := stats.GambitsUsed, named
	for i, n := range done {
		if n == 0 {
			continue
		}
		used := left * n / runs
		left, runs = left-used, runs-n
		thirty := r.Int64N(used/4 + 1)
		twenty := r.Int64N(used/2 + 1)
		all := model.GambitCounts{Ten: used - twenty - thirty, Twenty: twenty, Thirty: thirty}
		withGuild := int64(0)
		if g := out.Totals.GuildRaids; g != nil {
			withGuild = g.List[i].Count
		}
		share := func(of int64) int64 { return of * withGuild / n }
		out.Gambits = append(out.Gambits, &model.RaidGambits{
			Raid: model.Raids[i], All: all,
			Guild: model.GambitCounts{Ten: share(all.Ten), Twenty: share(all.Twenty), Thirty: share(all.Thirty)},
		})
	}
}
