package mongo

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"gamedata/graph/model"
)

// ItemStore reads single items, by internalName; Content has all of them.
type ItemStore struct{ table[model.Item] }

// ByTitle reads the items with each displayName, by internalName.
func (s *ItemStore) ByTitle(ctx context.Context, titles []string) ([][]*model.Item, error) {
	return findGrouped(ctx, s.any.records(), "displayName", titles,
		func(i *model.Item) string { return i.DisplayName }, sortedBy("displayName", "internalName"))
}

// Every key of the item metadata has a lookup number. It is assigned when the key is first stored,
// never changes and is never reused for another key.

type lookupNumber struct {
	Key    string `bson:"_id"`
	Number int    `bson:"number"`
}

// counterKey is the mark that holds the highest number assigned.
const counterKey = "lookupNumbers"

// LookupNumbers reads all lookup numbers by key.
func (s *ContentStore) LookupNumbers(ctx context.Context) (map[string]int, error) {
	list, err := readContent(ctx, s.store, LookupNumbers, reflect.TypeFor[lookupNumber]())
	if err != nil {
		return nil, err
	}
	out := make(map[string]int, len(list))
	for _, n := range typed[lookupNumber](list) {
		out[n.Key] = n.Number
	}
	return out, nil
}

// PutLookupNumbers stores imported numbers. A key that already has a number keeps it. Later numbers are higher than all
// of these.
func (s *ContentStore) PutLookupNumbers(ctx context.Context, numbers map[string]int) error {
	highest := 0
	for _, n := range numbers {
		highest = max(highest, n)
	}
	_, err := s.db.Collection(Marks).UpdateOne(ctx, bson.D{{Key: "_id", Value: counterKey}},
		bson.D{{Key: "$max", Value: bson.D{{Key: "value", Value: int64(highest)}}}}, options.UpdateOne().SetUpsert(true))
	if err != nil {
		return err
	}
	return s.addLookupNumbers(ctx, numbers)
}

// AssignLookupNumbers assigns a number to every key that has none.
func (s *ContentStore) AssignLookupNumbers(ctx context.Context, keys []string) error {
	known, err := s.LookupNumbers(ctx)
	if err != nil {
		return err
	}
	keys = slices.Clone(keys)
	slices.Sort(keys)
	keys = slices.DeleteFunc(slices.Compact(keys), func(k string) bool { _, ok := known[k]; return ok || k == "" })
	if len(keys) == 0 {
		return nil
	}
	var counter struct {
		Last int64 `bson:"value"`
	}
	_, err = s.db.Collection(Marks).FindOneAndUpdate(ctx, bson.D{{Key: "_id", Value: counterKey}},
		bson.D{{Key: "$inc", Value: bson.D{{Key: "value", Value: int64(len(keys))}}}},
		&counter, options.FindOneAndUpdate().SetUpsert(true).SetReturnDocument(options.After))
	if err != nil {
		return err
	}
	numbers := make(map[string]int, len(keys))
	for i, k := range keys {
		numbers[k] = int(counter.Last) - len(keys) + 1 + i
	}
	return s.addLookupNumbers(ctx, numbers)
}

// addLookupNumbers writes numbers without changing existing ones: the first writer of a key wins.
func (s *ContentStore) addLookupNumbers(ctx context.Context, numbers map[string]int) error {
	if len(numbers) == 0 {
		return nil
	}
	writes := make([]driver.WriteModel, 0, len(numbers))
	for _, k := range slices.Sorted(maps.Keys(numbers)) { // in one order, so that concurrent writers do not deadlock
		writes = append(writes, driver.NewUpdateOneModel().SetFilter(bson.D{{Key: "_id", Value: k}}).
			SetUpdate(bson.D{{Key: "$setOnInsert", Value: bson.D{{Key: "number", Value: numbers[k]}}}}).SetUpsert(true))
	}
	if _, err := s.db.bulkUpdate(ctx, LookupNumbers, writes); err != nil {
		return err
	}
	return s.store.Purge(ctx, contentTag(LookupNumbers))
}

// LookupKeys returns the metadata keys of items, and the fixed ones. It may repeat keys.
func LookupKeys(list []*model.Item) []string {
	keys := slices.Concat(ItemTypes, AttackSpeeds, Gathering, Emblems, slices.Concat(Tiers...))
	for _, group := range SubTypes {
		keys = append(keys, group.Values...)
	}
	for _, i := range list {
		keys = append(keys, string(i.Type))
		for _, p := range []*string{(*string)(i.SubType), (*string)(i.Tier), i.AttackSpeed} {
			if p != nil {
				keys = append(keys, *p)
			}
		}
		keys = append(keys, EmblemKey(i.Emblem))
		for _, id := range i.Identifications {
			keys = append(keys, id.Key)
		}
		for _, m := range i.MajorIds {
			keys = append(keys, MajorKey(m.Name))
		}
	}
	return keys
}

// EmblemKey returns an emblem's name without its numbered suffix: `diamond` for `diamond_2`.
func EmblemKey(emblem string) string {
	name, suffix, found := strings.Cut(emblem, "_")
	if found && len(suffix) == 1 && '0' <= suffix[0] && suffix[0] <= '9' {
		return name
	}
	return emblem
}

// MajorKey returns the camelCase key of a major identification: `stillWater` for `Still Water`.
func MajorKey(name string) string {
	words := strings.FieldsFunc(name, func(r rune) bool { return r == ' ' || r == '-' || r == '_' })
	for i, w := range words {
		if i == 0 {
			words[i] = strings.ToLower(w[:1]) + w[1:]
		} else {
			words[i] = strings.ToUpper(w[:1]) + w[1:]
		}
	}
	return strings.Join(words, "")
}

// The fixed values of item metadata, in display order. Values of stored items are added to them.
var (
	ItemTypes    = []string{"weapon", "armour", "accessory", "charm", "tome", "tool", "material", "ingredient"}
	AttackSpeeds = []string{"superSlow", "verySlow", "slow", "normal", "fast", "veryFast", "superFast"}
	Crafting     = []string{
		"alchemism", "armouring", "cooking", "jeweling", "scribing", "tailoring", "weaponsmithing", "woodworking",
	}
	Gathering = []string{"mining", "woodcutting", "farming", "fishing"}
	Emblems   = []string{"diamond", "shield", "sticker", "square"}
	// Tiers are the tiers of items and of ingredients.
	Tiers = [][]string{
		{"normal", "unique", "rare", "set", "legendary", "fabled", "mythic"},
		{"TIER_0", "TIER_1", "TIER_2", "TIER_3"},
	}
	// SubTypes are the subtypes of item types, by filter group.
	SubTypes = []*model.FilterGroup{
		{Name: "weapons", Values: []string{"bow", "dagger", "relik", "spear", "wand"}},
		{Name: "armour", Values: []string{"helmet", "chestplate", "leggings", "boots"}},
		{Name: "accessories", Values: []string{"ring", "bracelet", "necklace"}},
		{Name: "tomes", Values: []string{
			"weapon_tome", "armour_tome", "mysticism_tome", "expertise_tome", "lootrun_tome", "marathon_tome", "guild_tome",
		}},
		{Name: "tools", Values: []string{"axe", "pickaxe", "rod", "scythe"}},
	}
)
