package resolvers

import (
	"slices"
	"strings"

	"gamedata/graph/model"
	"gamedata/loaders"
	"gamedata/mongo"
)

// itemsNamed returns the items whose name contains the folded string: equal names first, then names with
// that prefix, then the rest, each in the order of the database.
func itemsNamed(items *loaders.Items, text string) []*model.Item {
	var equal, begins, rest []*model.Item
	for n, i := range items.All {
		display, internal := items.Names[n][0], items.Names[n][1]
		switch {
		case display == text || internal == text:
			equal = append(equal, i)
		case strings.HasPrefix(display, text) || strings.HasPrefix(internal, text):
			begins = append(begins, i)
		case strings.Contains(display, text) || strings.Contains(internal, text):
			rest = append(rest, i)
		}
	}
	return slices.Concat(equal, begins, rest)
}

// itemFilter is a validated search request; empty fields do not filter.
type itemFilter struct {
	query, types, tiers, speeds, professions, identifications, majors []string

	level span
}

// searchItems returns the items that match every filter, in the order of the database; with a name query
// equal names first, then names with that prefix.
func searchItems(items *loaders.Items, lists *model.ItemFilters, request model.ItemSearchRequest) (
	[]*model.Item, error,
) {
	f, err := parseItemFilter(lists, request)
	if err != nil {
		return nil, err
	}
	var out, begins, rest []*model.Item
	for n, i := range items.All {
		if !f.matches(i, items.Names[n]) {
			continue
		}
		switch {
		case len(f.query) == 0 || slices.Contains(f.query, items.Names[n][0]) || slices.Contains(f.query, items.Names[n][1]):
			out = append(out, i)
		case beginsWithAny(f.query, items.Names[n]):
			begins = append(begins, i)
		default:
			rest = append(rest, i)
		}
	}
	return slices.Concat(out, begins, rest), nil
}

func beginsWithAny(texts []string, names [2]string) bool {
	return slices.ContainsFunc(texts, func(t string) bool {
		return strings.HasPrefix(names[0], t) || strings.HasPrefix(names[1], t)
	})
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
		given []*string
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
		f.hasProfession(i) && f.hasIdentifications(i) && f.hasMajor(i)
}

// isAny reports whether a value is one of the folded values, case ignored, or whether there are none.
func isAny(values []string, value *string) bool {
	return len(values) == 0 || value != nil && slices.Contains(values, mongo.Fold(*value))
}

// toolProfession is the profession a kind of tool is for.
var toolProfession = map[string]string{"axe": "woodcutting", "pickaxe": "mining", "rod": "fishing", "scythe": "farming"}

func (f *itemFilter) hasProfession(i *model.Item) bool {
	if len(f.professions) == 0 {
		return true
	}
	switch i.Type {
	case "ingredient":
		return slices.ContainsFunc(i.Requirements.Skills, func(s string) bool { return isAny(f.professions, &s) })
	case "material":
		return isAny(f.professions, i.SubType)
	case "tool":
		return i.SubType != nil && slices.Contains(f.professions, toolProfession[*i.SubType])
	}
	return false
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

func (f *itemFilter) hasMajor(i *model.Item) bool {
	return len(f.majors) == 0 || slices.ContainsFunc(i.MajorIds, func(m *model.MajorIdentification) bool {
		return slices.Contains(f.majors, majorForm(m.Name))
	})
}
