package mongo

import (
	"context"
	"reflect"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"gamedata/graph/model"
	"gamedata/mongo/conn"
)

// Content is small, changes seldom and is read whole. Every write purges the tag of its collection: processes that
// cache the content read it again.

// ContentStore reads lookup numbers, and content that has a default.
type ContentStore struct{ family }

func contentTag(collection string) string { return "content:" + collection }

// Content is one kind of content: the records of one collection. Either each has a key, or they are one
// list whose order matters, such as the markers of the map. The entries of a list are stored with their
// position and always replaced together.
type Content[T any] struct {
	// Name is the name of the collection.
	Name string
	// Key returns the key of a record: the value of the collection's key field. It is nil for a list.
	Key func(*T) any

	order      func(a, b *T) int   // sorts a list before it is written; nil when writers do
	lookupKeys func([]*T) []string // the metadata keys of records that need a lookup number
}

// All content but the lookup numbers.
var (
	// Seasons include disabled seasons.
	Seasons = Content[model.GuildSeason]{Name: "seasons", Key: func(s *model.GuildSeason) any { return s.Number }}
	// Items get a lookup number for each of their metadata keys, sets one each.
	Items    = Content[model.Item]{Name: "items", Key: itemKey, lookupKeys: LookupKeys}
	ItemSets = Content[model.ItemSet]{Name: "sets", Key: func(s *model.ItemSet) any { return s.Name }, lookupKeys: setKeys}
	Recipes  = Content[model.Recipe]{Name: "recipes", Key: func(r *model.Recipe) any { return r.InternalName }}
	Classes  = Content[model.Class]{Name: "classes", Key: func(c *model.Class) any { return c.Key }}
	// AbilityTrees holds the ability tree of every class.
	AbilityTrees = Content[model.AbilityTree]{Name: "abilityTrees", Key: func(t *model.AbilityTree) any { return t.Key }}
	// AbilityMaps holds the stored maps. A class without one has a map derived from its tree.
	AbilityMaps = Content[model.AbilityMap]{Name: "abilityMaps", Key: func(m *model.AbilityMap) any { return m.Tree }}
	// Aspects holds the aspects of each class, in stored order.
	Aspects = Content[model.AspectList]{Name: "aspects", Key: func(a *model.AspectList) any { return a.Tree }}
	// Raids decide which raids have leaderboards and appear in lists of guild raids; see Content.Raids.
	Raids = Content[model.Raid]{Name: "raids", Key: func(r *model.Raid) any { return r.Name }}
	// Articles include hidden articles.
	Articles = Content[model.Article]{Name: "articles", Key: func(a *model.Article) any { return a.Number }}

	MapMarkers     = Content[model.MapMarker]{Name: "mapMarkers"}
	GatheringNodes = Content[model.GatheringNode]{Name: "gatheringNodes"}
	WorldEvents    = Content[model.WorldEvent]{Name: "worldEvents"}
	// LootPools holds the pools of camps and raids, with every preview.
	LootPools = Content[model.LootPool]{Name: "lootPools"}
	// QuestSummary has one record; see Content.QuestSummary.
	QuestSummary = Content[model.QuestSummary]{Name: "questSummary"}
	Discoveries  = Content[model.Discovery]{Name: "discoveries"}
	// Videos are sorted by display position.
	Videos = Content[model.Video]{Name: "videos", order: func(a, b *model.Video) int { return a.Position - b.Position }}
	// LatestNews holds the news of the old forum, newest first.
	LatestNews = Content[model.NewsEntry]{Name: "latestNews"}
)

func itemKey(i *model.Item) any { return i.InternalName }

func itemName(i *model.Item) string { return i.InternalName }

func setKeys(sets []*model.ItemSet) []string {
	return each(sets, func(s *model.ItemSet) string { return s.InternalName })
}

// Read reads all records: in the order of the collection's Sort fields, or of the list.
func (c Content[T]) Read(ctx context.Context, s *Store) ([]*T, error) {
	if c.Key != nil {
		found, err := readContent(ctx, s, c.Name, reflect.TypeFor[T]())
		return typed[T](found), err
	}
	found, err := readContent(ctx, s, c.Name, reflect.TypeFor[listEntry[T]]())
	out := make([]*T, len(found))
	for i, e := range found {
		out[i] = e.(*listEntry[T]).Entry
	}
	return out, err
}

// Put replaces records by key, or adds them; a list is replaced as a whole. It purges its tag and
// assigns lookup numbers to the metadata keys of items and sets that have none.
func (c Content[T]) Put(ctx context.Context, s *Store, records []*T) error {
	if c.order != nil {
		records = slices.SortedFunc(slices.Values(records), c.order)
	}
	w := c.Writer(s)
	if err := w.Write(ctx, records); err != nil {
		return err
	}
	return w.Close(ctx)
}

// Raids reads the raids in order, or returns model.KnownRaids if none are stored.
func (s *ContentStore) Raids(ctx context.Context) ([]*model.Raid, error) {
	found, err := Raids.Read(ctx, s.store)
	if err == nil && len(found) == 0 {
		found = model.KnownRaids
	}
	return found, err
}

type listEntry[T any] struct {
	Position int `bson:"_id"`
	Entry    *T  `bson:"entry"`
}

// QuestSummary reads the quest summary; a zero one when none is stored.
func (s *ContentStore) QuestSummary(ctx context.Context) (*model.QuestSummary, error) {
	all, err := QuestSummary.Read(ctx, s.store)
	if err != nil || len(all) == 0 {
		return &model.QuestSummary{}, err
	}
	return all[0], nil
}

// readContent reads a whole collection in its order.
func readContent(ctx context.Context, s *Store, collection string, t reflect.Type) ([]any, error) {
	// Content is read after a purge: a secondary might not have the new version yet.
	ctx = conn.FromPrimary(conn.WithLongTimeout(ctx))
	found, _, err := findRecords(ctx, s.db.Collection(collection), t, bson.D{}, sortedBy(describe(collection).sort()...))
	return found, err
}

// SetMark stores a small fact about the store itself, such as how it was seeded.
func (s *Store) SetMark(ctx context.Context, key string, value any) error {
	_, err := s.db.Collection(Marks).UpdateOne(ctx, bson.D{{Key: "_id", Value: key}},
		bson.D{{Key: "$set", Value: bson.D{{Key: "value", Value: value}}}}, options.UpdateOne().SetUpsert(true))
	return err
}

// ReadMark reads a mark into value, a pointer, and reports whether there is one.
func (s *Store) ReadMark(ctx context.Context, key string, value any) (bool, error) {
	var record struct {
		Value bson.RawValue `bson:"value"`
	}
	found, err := s.db.Collection(Marks).FindOne(ctx, bson.D{{Key: "_id", Value: key}}, &record)
	if err != nil || !found {
		return false, err
	}
	return true, record.Value.Unmarshal(value)
}

// DeleteMark deletes a mark.
func (s *Store) DeleteMark(ctx context.Context, key string) error {
	_, err := s.db.Collection(Marks).DeleteOne(ctx, bson.D{{Key: "_id", Value: key}})
	return err
}
