package resolvers

import (
	"context"
	"maps"
	"slices"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/loaders"
	"gamedata/mongo"
)

// metadata has the filter lists of one version of the item database.
type metadata struct {
	items   *loaders.Items
	filters *model.ItemFilters
}

// filters returns the filter lists of an item database. They are cached until the items change: every item
// search validates against them, and computing them visits every item.
func (r *root) filters(items *loaders.Items) *model.ItemFilters {
	if m := r.metadata.Load(); m != nil && m.items == items {
		return m.filters
	}
	m := &metadata{items, filtersOf(items.All)}
	r.metadata.Store(m)
	return m.filters
}

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
	filters := q.filters(items)
	groups := lookupGroups(filters, items.All, sets.All, numbers)
	return &model.ItemMetadata{Filters: filters, Static: union(groups), Groups: groups}, nil
}

// filtersOf lists the fixed values, then every other value that occurs in the items.
func filtersOf(items []*model.Item) *model.ItemFilters {
	f := &model.ItemFilters{Type: mongo.ItemTypes, LevelRange: &model.ValueRange{}}
	seen := map[string]map[string]bool{}
	see := func(group string, value *string) {
		if value == nil {
			return
		}
		if seen[group] == nil {
			seen[group] = map[string]bool{}
		}
		seen[group][*value] = true
	}
	byType := map[string]string{
		"weapon": "weapons", "armour": "armour", "accessory": "accessories", "tome": "tomes",
		"tool": "tools", "material": "gathering",
	}
	for n, i := range items {
		see("type", (*string)(&i.Type))
		see(byType[string(i.Type)], (*string)(i.SubType))
		see("attackSpeed", i.AttackSpeed)
		if i.Type == "ingredient" {
			see("ingredients", (*string)(i.Tier))
		} else {
			see("items", (*string)(i.Tier))
		}
		for _, s := range i.Requirements.Skills {
			see("crafting", &s)
		}
		for _, id := range i.Identifications {
			see("identifications", &id.Key)
		}
		for _, m := range i.MajorIds {
			key := mongo.MajorKey(m.Name)
			see("majorIds", &key)
		}
		if level := int64(i.Requirements.Level); n == 0 {
			f.LevelRange = &model.ValueRange{Minimum: level, Maximum: level}
		} else {
			f.LevelRange.Minimum, f.LevelRange.Maximum = min(f.LevelRange.Minimum, level), max(f.LevelRange.Maximum, level)
		}
	}
	f.Type = withSeen(mongo.ItemTypes, seen["type"])
	named := func(name string, fixed []string) *model.FilterGroup {
		return &model.FilterGroup{Name: name, Values: withSeen(fixed, seen[name])}
	}
	f.Advanced = append(f.Advanced, named("attackSpeed", mongo.AttackSpeeds))
	for _, g := range mongo.SubTypes {
		f.Advanced = append(f.Advanced, named(g.Name, g.Values))
	}
	f.Advanced = append(f.Advanced, named("crafting", mongo.Crafting), named("gathering", mongo.Gathering))
	f.Tier = []*model.FilterGroup{named("items", mongo.Tiers[0]), named("ingredients", mongo.Tiers[1])}
	f.Identifications = withSeen([]string{}, seen["identifications"])
	f.MajorIds = withSeen([]string{}, seen["majorIds"])
	return f
}

// withSeen returns the fixed values, then the other seen ones, sorted.
func withSeen(fixed []string, seen map[string]bool) []string {
	out := slices.Clone(fixed)
	for _, v := range slices.Sorted(maps.Keys(seen)) {
		if !slices.Contains(fixed, v) {
			out = append(out, v)
		}
	}
	return out
}

// lookupGroups returns the numbers of all keys in nine groups.
func lookupGroups(f *model.ItemFilters, items []*model.Item, sets []*model.ItemSet, numbers map[string]int) (
	out []*model.LookupGroup,
) {
	emblems := map[string]bool{}
	for _, i := range items {
		emblems[mongo.EmblemKey(i.Emblem)] = true
	}
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
	add("emblem", withSeen(mongo.Emblems, emblems))
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
