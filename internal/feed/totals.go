package feed

import (
	"cmp"
	"slices"
	"strings"

	"gamedata/graph/model"
)

// countsOf returns what a character adds to the numeric counters of its player.
func countsOf(c *model.Character) []int64 {
	out := make([]int64, len(model.PlayerCounters))
	for i, counter := range model.PlayerCounters {
		if counter.Number != nil {
			out[i] = counter.NumberOf(c)
		}
	}
	return out
}

// addCounts adds what changed between two results of countsOf to the totals of a player.
func addCounts(data *model.PlayerTotals, before, after []int64) {
	for i, counter := range model.PlayerCounters {
		if counter.Number != nil {
			model.Raise(counter.Number(data), after[i]-before[i])
		}
	}
}

// setTotals sets the player's playtime and globalData to the sums over characters.
//
// Some counters exist per player only: raidStats and gambits stay while another character has completed the raid,
// guildRaids and guildHistory always stay.
func setTotals(p *model.Player, characters []*model.Character) {
	if p.Playtime != nil {
		hours := 0.0
		for _, c := range characters {
			if c.Playtime != nil {
				model.Raise(&hours, *c.Playtime)
			}
		}
		p.Playtime = new(inHundredths(hours))
	}
	data := p.Totals
	if data == nil {
		return
	}
	fights := zeroPvp()
	for _, counter := range model.PlayerCounters {
		switch {
		case counter.Number != nil:
			*counter.Number(data) = 0
		case counter.ListOf != nil:
			list := counter.List(data)
			*list = sumLists(*list, characters, counter.ListOf)
		}
	}
	for _, c := range characters {
		addCounts(data, make([]int64, len(model.PlayerCounters)), countsOf(c))
		if c.Pvp != nil {
			model.AddCounter(&fights.Kills, c.Pvp.Kills)
			model.AddCounter(&fights.Deaths, c.Pvp.Deaths)
		}
	}
	if data.Pvp != nil {
		data.Pvp = fights
	}
	forgetRaids(p)
	setFeatured(p)
}

// forgetRaids clears what deleted characters left behind: the gambits outside guilds of raids that no character has
// completed, and raidStats if no raid is left.
func forgetRaids(p *model.Player) {
	for i, g := range p.Gambits {
		if countOf(p.Totals.Raids, g.Raid) == 0 {
			p.Gambits[i] = &model.RaidGambits{Raid: g.Raid, Guild: g.Guild}
		}
	}
	if l := p.Totals.Raids; l == nil || l.Total == 0 {
		p.Totals.RaidStats = nil
	}
}

func countOf(l *model.CountList, name string) int64 {
	if l != nil {
		for _, n := range l.List {
			if n.Name == name {
				return n.Count
			}
		}
	}
	return 0
}

// sumLists adds up the lists of characters, in the order of the old list, then by name.
func sumLists(old *model.CountList, characters []*model.Character,
	of func(*model.Character) *model.CountList,
) *model.CountList {
	if old == nil {
		return nil
	}
	counts := map[string]int64{}
	for _, c := range characters {
		if list := of(c); list != nil {
			for _, n := range list.List {
				count := counts[n.Name]
				model.Raise(&count, n.Count)
				counts[n.Name] = count
			}
		}
	}
	sum := &model.CountList{List: []*model.NamedCount{}}
	for name, n := range counts {
		model.Raise(&sum.Total, n)
		sum.List = append(sum.List, &model.NamedCount{Name: name, Count: n})
	}
	place := func(name string) int {
		at := slices.IndexFunc(old.List, func(n *model.NamedCount) bool { return n.Name == name })
		if at < 0 {
			at = len(old.List)
		}
		return at
	}
	slices.SortFunc(sum.List, func(a, b *model.NamedCount) int {
		return cmp.Or(cmp.Compare(place(a.Name), place(b.Name)), strings.Compare(a.Name, b.Name))
	})
	return sum
}

// setFeatured updates the featured stats that are among the totals.
func setFeatured(p *model.Player) {
	for i, stat := range p.Featured {
		if n, ok := model.PlayerStat(p, stat.Stat); ok && stat.Number != nil {
			p.Featured[i] = &model.FeaturedStat{Stat: stat.Stat, Number: &n}
		}
	}
}
