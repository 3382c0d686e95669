package loaders

import (
	"maps"
	"slices"

	"gamedata/graph/model"
	"gamedata/mongo"
)

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

// withSeen returns the fixed values, then the other seen values, sorted.
func withSeen(fixed []string, seen map[string]bool) []string {
	out := slices.Clone(fixed)
	for _, v := range slices.Sorted(maps.Keys(seen)) {
		if !slices.Contains(fixed, v) {
			out = append(out, v)
		}
	}
	return out
}
