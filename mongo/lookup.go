package mongo

import (
	"context"
	"slices"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"gamedata/graph/model"
)

// Every key of the item metadata has a number, given once at first sight, never changed
// and never used for another key (WIRE-CONTENT §7.11).

type lookupNumber struct {
	Key    string `bson:"_id"`
	Number int    `bson:"number"`
}

// counterKey is the record in versions that counts the numbers given out.
const counterKey = "lookupNumbers"

// LookupNumbers reads the number of every key.
func (s *Store) LookupNumbers(ctx context.Context) (map[string]int, error) {
	list, err := readContent[lookupNumber](ctx, s, LookupNumbers, "_id")
	if err != nil {
		return nil, err
	}
	out := make(map[string]int, len(list))
	for _, n := range list {
		out[n.Key] = n.Number
	}
	return out, nil
}

// PutLookupNumbers keeps numbers that were given elsewhere, as an import brings them. A
// key that has a number already keeps its own. Later numbers are given above the highest.
func (s *Store) PutLookupNumbers(ctx context.Context, given map[string]int) error {
	highest := 0
	for _, n := range given {
		highest = max(highest, n)
	}
	_, err := s.db.Collection(Versions).UpdateOne(ctx, bson.D{{Key: "_id", Value: counterKey}},
		bson.D{{Key: "$max", Value: bson.D{{Key: "last", Value: int64(highest)}}}}, options.UpdateOne().SetUpsert(true))
	if err != nil {
		return translateError(err)
	}
	return s.addNumbers(ctx, given)
}

// AssignLookupNumbers gives a number to every key that has none.
func (s *Store) AssignLookupNumbers(ctx context.Context, keys []string) error {
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
		Last int64 `bson:"last"`
	}
	err = s.db.Collection(Versions).FindOneAndUpdate(ctx, bson.D{{Key: "_id", Value: counterKey}},
		bson.D{{Key: "$inc", Value: bson.D{{Key: "last", Value: int64(len(keys))}}}},
		options.FindOneAndUpdate().SetUpsert(true).SetReturnDocument(options.After)).Decode(&counter)
	if err != nil {
		return translateError(err)
	}
	given := make(map[string]int, len(keys))
	for i, k := range keys {
		given[k] = int(counter.Last) - len(keys) + 1 + i
	}
	return s.addNumbers(ctx, given)
}

// addNumbers writes numbers without ever changing one: the first writer of a key wins.
func (s *Store) addNumbers(ctx context.Context, given map[string]int) error {
	if len(given) == 0 {
		return nil
	}
	ctx, cancel := withLongTimeout(ctx)
	defer cancel()
	writes := make([]driver.WriteModel, 0, len(given))
	for k, n := range given {
		writes = append(writes, driver.NewUpdateOneModel().SetFilter(bson.D{{Key: "_id", Value: k}}).
			SetUpdate(bson.D{{Key: "$setOnInsert", Value: bson.D{{Key: "number", Value: n}}}}).SetUpsert(true))
	}
	if _, err := s.db.Collection(LookupNumbers).BulkWrite(ctx, writes, options.BulkWrite().SetOrdered(false)); err != nil {
		return translateError(err)
	}
	return s.raiseVersion(ctx, LookupNumbers)
}

// LookupKeys lists the keys of item metadata that the items bring, and the fixed ones.
func LookupKeys(list []*model.Item) []string {
	keys := slices.Concat(ItemTypes, AttackSpeeds, Gathering, Emblems, slices.Concat(Tiers...))
	for _, group := range SubTypes {
		keys = append(keys, group.Values...)
	}
	for _, i := range list {
		keys = append(keys, i.Type)
		for _, p := range []*string{i.SubType, i.Tier, i.AttackSpeed} {
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

// EmblemKey is an emblem's name without its numbered suffix: `diamond_2` is `diamond`.
func EmblemKey(emblem string) string {
	name, suffix, found := strings.Cut(emblem, "_")
	if found && len(suffix) == 1 && '0' <= suffix[0] && suffix[0] <= '9' {
		return name
	}
	return emblem
}

// MajorKey is the camelCase key of a major identification: `Still Water` is `stillWater`.
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
