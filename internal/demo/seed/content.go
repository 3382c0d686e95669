package seed

import (
	"context"
	"path"

	"gamedata/graph/model"
	"gamedata/internal/demo/content"
	"gamedata/mongo"
)

// Items returns all items.
func Items() []*model.Item { return content.Read[model.Item]("items") }

// AbilityTrees returns the trees of all classes.
func AbilityTrees() []*model.AbilityTree { return content.Read[model.AbilityTree]("abilityTrees") }

// GatheringNodes returns the gathering nodes of a world.
func GatheringNodes(o Options) []*model.GatheringNode {
	return content.Read[model.GatheringNode](o.land() + "/gatheringNodes")
}

// LootPools returns the camps and raids of a world.
func LootPools(o Options) (pools []*model.LootPool) {
	for _, p := range content.Read[struct {
		model.LootPool
		Previews []*model.LootPreview // not in the JSON of a record
	}](o.land() + "/lootPools") {
		p.LootPool.Previews = p.Previews
		pools = append(pools, &p.LootPool)
	}
	return pools
}

func worldEvents(o Options) (events []*model.WorldEvent) {
	for _, e := range content.Read[struct {
		model.WorldEvent
		Timetable *model.Timetable // not in the JSON of a record
	}](o.land() + "/worldEvents") {
		e.WorldEvent.Timetable = e.Timetable
		events = append(events, &e.WorldEvent)
	}
	return events
}

// Discoveries returns the discoveries of a world.
func Discoveries(o Options) []*model.Discovery {
	return content.Read[model.Discovery](o.land() + "/discoveries")
}

// PutContent stores what is not played: items, classes, news and the like.
func PutContent(ctx context.Context, store *mongo.Store, o Options) error {
	for _, put := range []func() error{
		func() error { return putRecords(ctx, store, mongo.Items, "") },
		func() error { return putRecords(ctx, store, mongo.ItemSets, "") },
		func() error { return putRecords(ctx, store, mongo.Recipes, "") },
		func() error { return putRecords(ctx, store, mongo.Classes, "") },
		func() error { return putRecords(ctx, store, mongo.AbilityTrees, "") },
		func() error { return putRecords(ctx, store, mongo.Aspects, "") },
		func() error { return putRecords(ctx, store, mongo.MapMarkers, o.land()) },
		func() error { return putRecords(ctx, store, mongo.GatheringNodes, o.land()) },
		func() error { return mongo.WorldEvents.Put(ctx, store, worldEvents(o)) },
		func() error { return mongo.LootPools.Put(ctx, store, LootPools(o)) },
		func() error { return mongo.QuestSummary.Put(ctx, store, []*model.QuestSummary{{Quests: len(quests)}}) },
		func() error { return mongo.Seasons.Put(ctx, store, Seasons(o.end())) },
		func() error { return mongo.Raids.Put(ctx, store, model.KnownRaids) },
		func() error { return putRecords(ctx, store, mongo.Discoveries, o.land()) },
		func() error { return mongo.Articles.Put(ctx, store, Articles(o)) },
		func() error { return putRecords(ctx, store, mongo.Videos, "") },
		func() error { return putRecords(ctx, store, mongo.LatestNews, "") },
	} {
		if err := put(); err != nil {
			return err
		}
	}
	return nil
}

// putRecords stores the records of a kind of content, from a folder.
func putRecords[T any](ctx context.Context, store *mongo.Store, kind mongo.Content[T], folder string) error {
	return kind.Put(ctx, store, content.Read[T](path.Join(folder, kind.Name)))
}
