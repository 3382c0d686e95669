package seed

import (
	"math/rand/v2"

	"gamedata/graph/model"
)

// sum adds up lists of completions by name, in the order of nameOrder.
func sum(all []*figures, of func(*model.Character) *model.CountList) *model.CountList {
	out, at := emptyList(), make([]*model.NamedCount, len(nameOrder))
	for _, f := range all {
		list := of(&f.Character)
		if list == nil {
			continue
		}
		out.Total += list.Total
		for _, c := range list.List {
			if slot := &at[nameOrder[c.Name]]; *slot == nil {
				*slot = &model.NamedCount{Name: c.Name, Count: c.Count}
			} else {
				(*slot).Count += c.Count
			}
		}
	}
	for _, c := range at {
		if c != nil {
			out.List = append(out.List, c)
		}
	}
	return out
}

var nameOrder = func() map[string]int {
	order := map[string]int{}
	for _, d := range dungeons {
		order[d.Name] = len(order)
	}
	for _, raid := range model.Raids {
		order[raid] = len(order)
	}
	order[unnamedRaid] = len(order)
	return order
}()

// raidStats draws the statistics of n raids, nil for none.
func raidStats(r *rand.Rand, completed int64) *model.RaidStats {
	if completed == 0 {
		return nil
	}
	share := func(each int64) int64 { return completed*each + r.Int64N(each*completed/2+1) }
	return &model.RaidStats{
		DamageTaken: share(44_000), DamageDealt: share(45_000_000), HealthHealed: share(61_000),
		Deaths: r.Int64N(completed + 1), BuffsTaken: share(2), GambitsUsed: r.Int64N(completed*2 + 1),
	}
}

// setGuildRaids decides which completions were with the current or a former guild. The guilds add up to
// guildRaids.
func (p *plan) setGuildRaids(out *model.Player, done [raidCount]int64) {
	if p.NoGuildRaids {
		return
	}
	in := p.formerGuilds
	if p.guild >= 0 {
		in = append([]int{p.guild}, in...)
	}
	var all [raidCount]int64
	for _, n := range in {
		var here [raidCount]int64
		for i := range done {
			left := done[i] - all[i]
			here[i] = left/4 + p.r.Int64N(left/4+1)
			all[i] += here[i]
		}
		if list := raidList(here); list.Total > 0 {
			g := guild(p.seed, n)
			entry := &model.GuildHistoryEntry{UUID: g.UUID, Name: g.Name, Prefix: g.Prefix, GuildRaids: list}
			out.GuildHistory = append(out.GuildHistory, entry)
		}
	}
	out.Totals.GuildRaids = raidList(all)
}

// raidList lists all raids, including those with 0, as guildRaids does.
func raidList(counts [raidCount]int64) *model.CountList {
	out := &model.CountList{List: make([]*model.NamedCount, raidCount)}
	named := make([]model.NamedCount, raidCount)
	for i, n := range counts {
		named[i] = model.NamedCount{Name: model.Raids[i], Count: n}
		out.List[i] = &named[i]
		out.Total += n
	}
	return out
}
