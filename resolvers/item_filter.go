package resolvers

import (
	"cmp"
	"slices"
	"strings"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/mongo"
)

// itemConditions holds the conditions of a typed filter; nil and empty conditions do not filter.
type itemConditions struct {
	*model.ItemFilter

	query             []string // folded, without texts that cannot match
	majors, sources   []string // normalised for comparison
	level, dps, slots span
}

func typedItemFilter(f *model.ItemFilter) *itemConditions {
	return &itemConditions{
		ItemFilter: f, query: nameTexts(f.Query), sources: foldEach(f.DropSources),
		majors: each(f.MajorIds, func(s string) string { return majorForm(mongo.Fold(s)) }),
		level:  spanOf(f.Level), dps: int64Span(f.AverageDps), slots: spanOf(f.PowderSlots),
	}
}

// foldEach returns the folded texts; nil for none.
func foldEach(list []string) []string {
	if len(list) == 0 {
		return nil
	}
	return each(list, mongo.Fold)
}

func (c *itemConditions) matches(i *model.Item, names [2]string) bool {
	return (len(c.Query) == 0 || containsAny(c.query, names[0], names[1])) &&
		(len(c.InternalNames) == 0 || slices.Contains(c.InternalNames, i.InternalName)) &&
		isValue("ItemType", c.Types, &i.Type) && isValue("ItemSubType", c.SubTypes, i.SubType) &&
		isValue("ItemTier", c.Tiers, i.Tier) && isValue("AttackSpeed", c.AttackSpeeds, i.AttackSpeed) &&
		isValue("CharacterClass", c.Classes, i.Requirements.ClassKey) &&
		hasValue("Profession", c.Professions, professionsOf(i)) && hasValue("Element", c.Elements, i.Elements) &&
		isValue("ItemRestriction", c.Restrictions, i.Restriction) &&
		isValue("ItemDropRestriction", c.DropRestrictions, i.DropRestriction) &&
		c.level.holds(int64(i.Requirements.Level)) && c.dps.holdsSet(i.AverageDps) &&
		c.slots.holdsSet(widened(i.PowderSlots)) && c.hasIdentifications(i) && hasMajor(i, c.majors) && c.hasSource(i) &&
		changedSince(i.Updated, c.ChangedSince)
}

// isValue reports whether a stored text has one of the values of an enum, or whether there are no values.
func isValue[S ~string](enum string, values []string, stored *S) bool {
	return len(values) == 0 || stored != nil && slices.Contains(values, model.Enums[enum].Value(string(*stored)))
}

// hasValue is isValue for a list of stored texts; one of them must match.
func hasValue(enum string, values, stored []string) bool {
	return len(values) == 0 ||
		slices.ContainsFunc(stored, func(s string) bool { return slices.Contains(values, model.Enums[enum].Value(s)) })
}

// holdsSet is holds for a value that may be missing; a set span never contains a missing value.
func (s span) holdsSet(n *int64) bool { return !s.set || n != nil && s.holds(*n) }

func (c *itemConditions) hasIdentifications(i *model.Item) bool {
	for _, want := range c.Identifications {
		value := identification(i, want.Key)
		if value == nil || !int64Span(&model.Int64Range{Min: want.Min, Max: want.Max}).holds(*value) {
			return false
		}
	}
	return true
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

func (c *itemConditions) hasSource(i *model.Item) bool {
	if len(c.sources) == 0 {
		return true
	}
	is := func(name string) bool { return slices.Contains(c.sources, mongo.Fold(name)) }
	return i.DropMeta != nil && (is(i.DropMeta.Name) || slices.ContainsFunc(i.DropMeta.Types(), is)) ||
		slices.ContainsFunc(i.DroppedBy, func(d *model.DroppedBy) bool { return is(d.Name) })
}

// orderItems reorders items sorted by name. texts are the search texts, for the order by relevance.
func orderItems(list []*model.Item, texts []string, order *model.ItemOrder) ([]*model.Item, error) {
	if order == nil {
		return byRelevance(list, texts), nil
	}
	var value func(*model.Item) *int64
	switch order.Field {
	case model.ItemOrderFieldRelevance, model.ItemOrderFieldName:
		out := list
		if order.Field == model.ItemOrderFieldRelevance {
			out = byRelevance(list, texts)
		}
		if order.Direction == model.OrderDirectionDesc {
			out = slices.Clone(out)
			slices.Reverse(out)
		}
		return out, nil
	case model.ItemOrderFieldLevel:
		value = func(i *model.Item) *int64 { return new(int64(i.Requirements.Level)) }
	case model.ItemOrderFieldDps:
		value = func(i *model.Item) *int64 { return i.AverageDps }
	case model.ItemOrderFieldTier:
		value = tierRank
	case model.ItemOrderFieldUpdatedAt:
		value = func(i *model.Item) *int64 { return new(i.Updated.UnixMilli()) }
	case model.ItemOrderFieldIdentification:
		if order.Identification == nil {
			return nil, graph.Errorf(graph.InvalidQueryParams, "The order IDENTIFICATION needs the key identification.")
		}
		value = func(i *model.Item) *int64 { return identification(i, *order.Identification) }
	}
	return byValue(list, value, order.Direction), nil
}

func tierRank(i *model.Item) *int64 {
	if i.Tier == nil {
		return nil
	}
	tiers := model.Enums["ItemTier"]
	return new(int64(slices.Index(tiers.Values, tiers.Value(string(*i.Tier)))))
}

// byValue sorts items by a value; items without it come last.
func byValue(list []*model.Item, value func(*model.Item) *int64, d model.OrderDirection) []*model.Item {
	type valued struct {
		item  *model.Item
		value *int64
	}
	all := each(list, func(i *model.Item) valued { return valued{i, value(i)} })
	slices.SortStableFunc(all, func(a, b valued) int { return knownFirst(a.value, b.value, d, cmp.Compare) })
	return each(all, func(v valued) *model.Item { return v.item })
}
