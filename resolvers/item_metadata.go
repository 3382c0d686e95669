package resolvers

import (
	"context"
	"slices"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/loaders"
	"gamedata/mongo"
)

func (q queryResolver) ItemMetadata(ctx context.Context) (*model.ItemMetadata, error) {
	set := loaders.From(ctx)
	items, err := set.Items.Load(ctx)
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	sets, err := set.Sets.Load(ctx)
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	numbers, err := set.LookupNumbers.Load(ctx)
	if err != nil {
		return nil, storeError(err, graph.ErrInternal)
	}
	groups := lookupGroups(items, sets.All, numbers)
	return &model.ItemMetadata{Filters: items.Filters, Static: union(groups), Groups: groups}, nil
}

// lookupGroups returns nine groups of keys with their counts.
func lookupGroups(items *loaders.Items, sets []*model.ItemSet, numbers map[string]int) (out []*model.LookupGroup) {
	f := items.Filters
	emblems := slices.Concat(mongo.Emblems, each(items.All, func(i *model.Item) string {
		return mongo.EmblemKey(i.Emblem)
	}))
	var setNames, subTypes []string
	for _, s := range sets {
		setNames = append(setNames, s.InternalName)
	}
	for _, g := range f.Advanced {
		if g.Name != "attackSpeed" && g.Name != "crafting" {
			subTypes = append(subTypes, g.Values...)
		}
	}
	add := func(name string, keys []string) {
		g := &model.LookupGroup{Name: name, Entries: []*model.LookupEntry{}}
		for _, k := range slices.Compact(slices.Sorted(slices.Values(keys))) {
			if n, ok := numbers[k]; ok {
				g.Entries = append(g.Entries, &model.LookupEntry{Key: k, Number: n})
			}
		}
		out = append(out, g)
	}
	add("attackSpeed", group(f.Advanced, "attackSpeed"))
	add("emblem", emblems)
	add("gathering", mongo.Gathering)
	add("identifications", f.Identifications)
	add("majorIds", f.MajorIds)
	add("set", setNames)
	add("subType", subTypes)
	add("tier", slices.Concat(group(f.Tier, "items"), group(f.Tier, "ingredients")))
	add("type", f.Type)
	return out
}

func union(groups []*model.LookupGroup) []*model.LookupEntry {
	out := []*model.LookupEntry{}
	seen := map[string]bool{}
	for _, g := range groups {
		for _, e := range g.Entries {
			if !seen[e.Key] {
				seen[e.Key] = true
				out = append(out, e)
			}
		}
	}
	return out
}
