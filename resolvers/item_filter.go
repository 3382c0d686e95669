package resolvers

import (
	"slices"
	"strings"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/mongo"
)

// listedItem is an item with its folded names.
type listedItem struct {
	*model.Item

	names [2]string
}

// typedItemConditions returns the conditions of a typed filter.
func typedItemConditions(f *model.ItemFilter) (c conditions[listedItem]) {
	c.add(len(f.Query) > 0, itemNamed(nameTexts(f.Query)))
	c.add(len(f.InternalNames) > 0, func(i listedItem) bool { return slices.Contains(f.InternalNames, i.InternalName) })
	for _, l := range []struct {
		enum  string
		asked []string
		texts func(listedItem) []string
	}{
		{"ItemType", f.Types, itemType},
		{"ItemSubType", f.SubTypes, itemSubType},
		{"ItemTier", f.Tiers, itemTier},
		{"AttackSpeed", f.AttackSpeeds, attackSpeed},
		{"CharacterClass", f.Classes, func(i listedItem) []string { return textOf(i.Requirements.ClassKey) }},
		{"Profession", f.Professions, professionsOf},
		{"Element", f.Elements, func(i listedItem) []string { return i.Elements }},
		{"ItemRestriction", f.Restrictions, func(i listedItem) []string { return textOf(i.Restriction) }},
		{"ItemDropRestriction", f.DropRestrictions, func(i listedItem) []string { return textOf(i.DropRestriction) }},
	} {
		c.addTexts(l.asked, model.Enums[l.enum].Value, l.texts)
	}
	majors := each(f.MajorIds, func(s string) string { return majorForm(mongo.Fold(s)) })
	c.addTexts(majors, majorForm, majorNames)
	c.addTexts(foldEach(f.DropSources), mongo.Fold, dropSources)
	c.add(f.Level != nil, func(i listedItem) bool { return inRange(f.Level, i.Requirements.Level) })
	c.add(f.AverageDps != nil, func(i listedItem) bool {
		return i.AverageDps != nil && inRange64(f.AverageDps, *i.AverageDps)
	})
	c.add(f.PowderSlots != nil, func(i listedItem) bool {
		return i.PowderSlots != nil && inRange(f.PowderSlots, *i.PowderSlots)
	})
	for _, wanted := range f.Identifications {
		c.add(true, func(i listedItem) bool {
			value := identification(i.Item, wanted.Key)
			return value != nil && within(wanted.Min, wanted.Max, *value)
		})
	}
	c.add(f.ChangedSince != nil, func(i listedItem) bool { return changedSince(i.Updated, f.ChangedSince) })
	return c
}

func itemNamed(texts []string) func(listedItem) bool {
	return func(i listedItem) bool { return containsAny(texts, i.names[:]...) }
}

func itemType(i listedItem) []string    { return textOf(&i.Type) }
func itemSubType(i listedItem) []string { return textOf(i.SubType) }
func itemTier(i listedItem) []string    { return textOf(i.Tier) }
func attackSpeed(i listedItem) []string { return textOf(i.AttackSpeed) }

// textOf returns a text, or none for nil.
func textOf[S ~string](text *S) []string {
	if text == nil {
		return nil
	}
	return []string{string(*text)}
}

// majorNames returns the names of an item's major identifications.
func majorNames(i listedItem) []string {
	return each(i.MajorIds, func(m *model.MajorIdentification) string { return m.Name })
}

// dropSources returns the names and types of the sources that drop an item.
func dropSources(i listedItem) []string {
	names := each(i.DroppedBy, func(d *model.DroppedBy) string { return d.Name })
	if i.DropMeta == nil {
		return names
	}
	return slices.Concat(names, i.DropMeta.Types(), []string{i.DropMeta.Name})
}

// foldEach returns the folded texts; nil for none.
func foldEach(list []string) []string {
	if len(list) == 0 {
		return nil
	}
	return each(list, mongo.Fold)
}

// identification returns the fixed or designed value of an identification, nil if the item lacks it. Case is ignored.
func identification(i *model.Item, key string) *int64 {
	for _, id := range i.Identifications {
		if strings.EqualFold(id.Key, key) {
			return &id.Raw
		}
	}
	return nil
}

// orderItems reorders items sorted by name. texts are the search texts, for the order by relevance.
func orderItems(list []*model.Item, texts []string, order *model.ItemOrder) ([]*model.Item, error) {
	if order == nil {
		return byRelevance(list, texts), nil
	}
	switch order.Field {
	case model.ItemOrderFieldRelevance, model.ItemOrderFieldName:
		if order.Field == model.ItemOrderFieldRelevance {
			list = byRelevance(list, texts)
		}
		if order.Direction == model.OrderDirectionDesc {
			list = slices.Clone(list)
			slices.Reverse(list)
		}
		return list, nil
	case model.ItemOrderFieldIdentification:
		if order.Identification == nil {
			return nil, graph.Errorf(graph.InvalidQueryParams, "The order IDENTIFICATION needs the key identification.")
		}
		byIdentification := func(i *model.Item) any { return valueOf(identification(i, *order.Identification)) }
		return sorted(list, byIdentification, order.Direction), nil
	}
	return sorted(list, itemOrders[order.Field], order.Direction), nil
}

var itemOrders = map[model.ItemOrderField]value[*model.Item]{
	model.ItemOrderFieldLevel:     func(i *model.Item) any { return i.Requirements.Level },
	model.ItemOrderFieldDps:       func(i *model.Item) any { return valueOf(i.AverageDps) },
	model.ItemOrderFieldTier:      tierRank,
	model.ItemOrderFieldUpdatedAt: func(i *model.Item) any { return i.Updated },
}

func tierRank(i *model.Item) any {
	if i.Tier == nil {
		return nil
	}
	tiers := model.Enums["ItemTier"]
	return slices.Index(tiers.Values, tiers.Value(string(*i.Tier)))
}
