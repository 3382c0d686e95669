package loaders

import (
	"slices"
	"strings"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// LootPools holds all camps and raids with every preview.
type LootPools struct {
	All []*model.LootPool // in stored order
	// ByReward maps a reward's name to the pools that give it at some level. ByAspect does so for aspects.
	ByReward, ByAspect map[string][]*model.LootPool
}

// AspectReward is the type of rewards that are aspects.
const AspectReward = "ASPECT"

func newLootPools(all []*model.LootPool) *LootPools {
	out := &LootPools{All: all, ByReward: map[string][]*model.LootPool{}, ByAspect: map[string][]*model.LootPool{}}
	add := func(to map[string][]*model.LootPool, name string, pool *model.LootPool) {
		if list := to[name]; len(list) == 0 || list[len(list)-1] != pool {
			to[name] = append(list, pool)
		}
	}
	for _, pool := range all {
		for _, p := range pool.Previews {
			for _, r := range p.Rewards {
				add(out.ByReward, r.Name, pool)
				if r.Type == AspectReward {
					add(out.ByAspect, r.Name, pool)
				}
			}
		}
	}
	return out
}

// Discoveries holds all discoveries.
type Discoveries struct {
	// All is sorted by folded name.
	All []*model.Discovery
	// Names holds the folded names of All.
	Names []string
}

func newDiscoveries(all []*model.Discovery) *Discoveries {
	slices.SortStableFunc(all, func(a, b *model.Discovery) int {
		return strings.Compare(mongo.Fold(a.Name), mongo.Fold(b.Name))
	})
	out := &Discoveries{All: all, Names: make([]string, len(all))}
	for i, d := range all {
		out.Names[i] = mongo.Fold(d.Name)
	}
	return out
}
