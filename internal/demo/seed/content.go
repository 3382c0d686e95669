package seed

import (
	"context"

	"gamedata/graph/model"
	"gamedata/internal/demo/content"
	"gamedata/mongo"
)

// LootPools returns the camps and raids of a world.
func LootPools(o Options) (pools []*model.LootPool) {
	for _, p := range read[struct {
		model.LootPool
		Previews []*model.LootPreview // not in the JSON of a record
	}](o, "lootPools") {
		p.LootPool.Previews = p.Previews
		pools = append(pools, &p.LootPool)
	}
	return pools
}

func worldEvents(o Options) (events []*model.WorldEvent) {
	for _, e := range read[struct {
		model.WorldEvent
		Timetable *model.Timetable // not in the JSON of a record
	}](o, "worldEvents") {
		e.WorldEvent.Timetable = e.Timetable
		events = append(events, &e.WorldEvent)
	}
	return events
}

// PutContent stores the content that play does not change: items, classes, news and the like.
func PutContent(ctx context.Context, store *mongo.Store, o Options) error {
	for _, put := range []func(context.Context, *mongo.Store) error{
		all(mongo.Items), all(mongo.ItemSets), all(mongo.Recipes), all(mongo.Classes), all(mongo.AbilityTrees),
		all(mongo.Aspects), all(mongo.Videos), all(mongo.LatestNews),
		records(mongo.MapMarkers, read[model.MapMarker](o, "mapMarkers")),
		records(mongo.GatheringNodes, read[model.GatheringNode](o, "gatheringNodes")),
		records(mongo.WorldEvents, worldEvents(o)),
		records(mongo.LootPools, LootPools(o)), records(mongo.Discoveries, read[model.Discovery](o, "discoveries")),
		records(mongo.QuestSummary, []*model.QuestSummary{{Quests: len(quests)}}),
		records(mongo.Seasons, Seasons(o.Timestamp())), records(mongo.Raids, model.KnownRaids),
		records(mongo.Articles, Articles(o)),
	} {
		if err := put(ctx, store); err != nil {
			return err
		}
	}
	return nil
}

// records returns a function that stores the records of a kind of content.
func records[T any](kind mongo.Content[T], list []*T) func(context.Context, *mongo.Store) error {
	return func(ctx context.Context, store *mongo.Store) error { return kind.Put(ctx, store, list) }
}

// all returns a function that stores all records of a kind that is the same in each world.
func all[T any](kind mongo.Content[T]) func(context.Context, *mongo.Store) error {
	return func(ctx context.Context, store *mongo.Store) error {
		return kind.Put(ctx, store, content.Read[T](kind.Name))
	}
}
