package resolvers

import (
	"slices"
	"strings"

	"gamedata/graph/model"
	"gamedata/loaders"
	"gamedata/mongo"
)

// itemsNamed returns the items whose name contains the folded string: exact matches first, then prefix matches, then
// the rest, each in database order.
func itemsNamed(items *loaders.Items, text string) []*model.Item {
	var found []*model.Item
	for n, i := range items.All {
		if names := items.Names[n]; containsAny([]string{text}, names[0], names[1]) {
			found = append(found, i)
		}
	}
	return byRelevance(found, []string{text})
}

func selectItems(items *loaders.Items, filter *model.ItemFilter, order *model.ItemOrder) ([]*model.Item, error) {
	if filter == nil {
		return orderItems(items.All, nil, order)
	}
	all, texts := typedItemConditions(filter), nameTexts(filter.Query)
	if filter.Search != nil {
		searched, err := itemSearchConditions(items.Filters, *filter.Search)
		if err != nil {
			return nil, err
		}
		query, _ := stringValues("query", filter.Search.Query) // checked with the conditions
		all, texts = append(all, searched...), append(texts, query...)
	}
	var found []*model.Item
	for n, i := range items.All {
		if all.met(listedItem{i, items.Names[n]}) {
			found = append(found, i)
		}
	}
	if order == nil && filter.ChangedSince != nil {
		order = &model.ItemOrder{Field: model.ItemOrderFieldUpdatedAt, Direction: model.OrderDirectionAsc}
	}
	return orderItems(found, texts, order)
}

// byRelevance sorts items into three groups: names equal to a text, names that begin with one, and the rest.
func byRelevance(list []*model.Item, texts []string) []*model.Item {
	if len(texts) == 0 {
		return list
	}
	var equal, begins, rest []*model.Item
	for _, i := range list {
		names := [2]string{mongo.Fold(i.DisplayName), mongo.Fold(i.InternalName)}
		switch {
		case slices.Contains(texts, names[0]) || slices.Contains(texts, names[1]):
			equal = append(equal, i)
		case slices.ContainsFunc(texts, func(t string) bool {
			return strings.HasPrefix(names[0], t) || strings.HasPrefix(names[1], t)
		}):
			begins = append(begins, i)
		default:
			rest = append(rest, i)
		}
	}
	return slices.Concat(equal, begins, rest)
}

// itemSearchConditions validates a search request and returns its conditions.
func itemSearchConditions(lists *model.ItemFilters, r model.ItemSearchRequest) (c conditions[listedItem], err error) {
	query, err := stringValues("query", r.Query)
	if err != nil {
		return nil, err
	}
	c.add(len(query) > 0, itemNamed(query))
	kinds := [][]string{lists.Type}
	for _, g := range lists.Advanced {
		if g.Name != "attackSpeed" && g.Name != "crafting" {
			kinds = append(kinds, g.Values)
		}
	}
	for _, l := range []struct {
		name  string
		asked []string
		form  func(string) string
		texts func(listedItem) []string
		lists [][]string
	}{
		{"type", r.Type, mongo.Fold, func(i listedItem) []string { return append(itemType(i), itemSubType(i)...) }, kinds},
		{"tier", r.Tier, mongo.Fold, itemTier, [][]string{group(lists.Tier, "items"), group(lists.Tier, "ingredients")}},
		{"attackSpeed", r.AttackSpeed, mongo.Fold, attackSpeed, [][]string{group(lists.Advanced, "attackSpeed")}},
		{
			"professions", r.Professions, mongo.Fold, professionsOf,
			[][]string{group(lists.Advanced, "crafting"), group(lists.Advanced, "gathering")},
		},
		{"identifications", r.Identifications, mongo.Fold, nil, [][]string{lists.Identifications}},
		{"majorIds", r.MajorIds, majorForm, majorNames, [][]string{lists.MajorIds}},
	} {
		asked, err := listedValues(l.name, notListed, l.asked, l.form, l.lists...)
		if err != nil {
			return nil, err
		}
		if l.texts != nil {
			c.addTexts(asked, l.form, l.texts)
			continue
		}
		for _, key := range asked { // an item must have all identifications
			c.add(true, func(i listedItem) bool { return identification(i.Item, key) != nil })
		}
	}
	level, err := numberRange("levelRange", r.LevelRange)
	c.add(level != nil, func(i listedItem) bool { return inRange(level, i.Requirements.Level) })
	return c, err
}

// majorForm returns the same string for the key and the display name of a major identification.
func majorForm(s string) string {
	return strings.ToLower(strings.ReplaceAll(mongo.MajorKey(s), " ", ""))
}

func group(groups []*model.FilterGroup, name string) []string {
	for _, g := range groups {
		if g.Name == name {
			return g.Values
		}
	}
	return nil
}

var toolProfession = map[string]string{"axe": "woodcutting", "pickaxe": "mining", "rod": "fishing", "scythe": "farming"}

// professionsOf returns the professions that make, gather or use an item.
func professionsOf(i listedItem) []string {
	switch {
	case i.Type == "ingredient":
		return i.Requirements.Skills
	case i.Type == "material" && i.SubType != nil:
		return []string{string(*i.SubType)}
	case i.Type == "tool" && i.SubType != nil:
		return []string{toolProfession[string(*i.SubType)]}
	}
	return nil
}
