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
	f := &model.ItemFilter{}
	if filter != nil {
		f = filter
	}
	typed := typedItemFilter(f)
	texts := itemFilter{}
	if f.Search != nil {
		var err error
		if texts, err = parseItemFilter(items.Filters, *f.Search); err != nil {
			return nil, err
		}
	}
	found := items.All
	if filter != nil {
		found = nil
		for n, i := range items.All {
			if names := items.Names[n]; typed.matches(i, names) && texts.matches(i, names) {
				found = append(found, i)
			}
		}
	}
	if order == nil && f.ChangedSince != nil {
		order = &model.ItemOrder{Field: model.ItemOrderFieldUpdatedAt, Direction: model.OrderDirectionAsc}
	}
	return orderItems(found, slices.Concat(typed.query, texts.query), order)
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
		case beginsWithAny(texts, names):
			begins = append(begins, i)
		default:
			rest = append(rest, i)
		}
	}
	return slices.Concat(equal, begins, rest)
}

func beginsWithAny(texts []string, names [2]string) bool {
	return slices.ContainsFunc(texts, func(t string) bool {
		return strings.HasPrefix(names[0], t) || strings.HasPrefix(names[1], t)
	})
}

// itemFilter is a validated search request; empty fields do not filter.
type itemFilter struct {
	query, types, tiers, speeds, professions, identifications, majors []string

	level span
}

func parseItemFilter(lists *model.ItemFilters, r model.ItemSearchRequest) (f itemFilter, err error) {
	if f.query, err = stringValues("query", r.Query); err != nil {
		return f, err
	}
	kinds := [][]string{lists.Type}
	for _, g := range lists.Advanced {
		if g.Name != "attackSpeed" && g.Name != "crafting" {
			kinds = append(kinds, g.Values)
		}
	}
	tiers := [][]string{group(lists.Tier, "items"), group(lists.Tier, "ingredients")}
	professions := [][]string{group(lists.Advanced, "crafting"), group(lists.Advanced, "gathering")}
	for _, l := range []struct {
		name  string
		given []string
		to    *[]string
		form  func(string) string
		lists [][]string
	}{
		{"type", r.Type, &f.types, mongo.Fold, kinds},
		{"tier", r.Tier, &f.tiers, mongo.Fold, tiers},
		{"attackSpeed", r.AttackSpeed, &f.speeds, mongo.Fold, [][]string{group(lists.Advanced, "attackSpeed")}},
		{"professions", r.Professions, &f.professions, mongo.Fold, professions},
		{"identifications", r.Identifications, &f.identifications, mongo.Fold, [][]string{lists.Identifications}},
		{"majorIds", r.MajorIds, &f.majors, majorForm, [][]string{lists.MajorIds}},
	} {
		if *l.to, err = listedValues(l.name, notListed, l.given, l.form, l.lists...); err != nil {
			return f, err
		}
	}
	f.level, err = numberRange("levelRange", r.LevelRange)
	return f, err
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

func (f *itemFilter) matches(i *model.Item, names [2]string) bool {
	return (len(f.query) == 0 || containsAny(f.query, names[0], names[1])) &&
		(isAny(f.types, &i.Type) || len(f.types) > 0 && isAny(f.types, i.SubType)) &&
		isAny(f.tiers, i.Tier) && isAny(f.speeds, i.AttackSpeed) &&
		f.level.holds(int64(i.Requirements.Level)) &&
		f.hasProfession(i) && f.hasIdentifications(i) && hasMajor(i, f.majors)
}

// isAny reports whether a value is one of the folded values, case ignored, or whether there are none.
func isAny[S ~string](values []string, value *S) bool {
	return len(values) == 0 || value != nil && slices.Contains(values, mongo.Fold(string(*value)))
}

var toolProfession = map[string]string{"axe": "woodcutting", "pickaxe": "mining", "rod": "fishing", "scythe": "farming"}

func (f *itemFilter) hasProfession(i *model.Item) bool {
	return len(f.professions) == 0 || slices.ContainsFunc(professionsOf(i), func(s string) bool {
		return slices.Contains(f.professions, mongo.Fold(s))
	})
}

// professionsOf returns the professions that make, gather or use an item.
func professionsOf(i *model.Item) []string {
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

func (f *itemFilter) hasIdentifications(i *model.Item) bool {
	for _, key := range f.identifications {
		if !slices.ContainsFunc(i.Identifications,
			func(id *model.Identification) bool { return mongo.Fold(id.Key) == key }) {
			return false
		}
	}
	return true
}

// hasMajor reports whether an item has one of some major identifications, in majorForm, or whether there are none.
func hasMajor(i *model.Item, majors []string) bool {
	return len(majors) == 0 || slices.ContainsFunc(i.MajorIds, func(m *model.MajorIdentification) bool {
		return slices.Contains(majors, majorForm(m.Name))
	})
}
