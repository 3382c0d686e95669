package loaders

import (
	"context"
	"sync"

	"golang.org/x/sync/singleflight"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// contentCache caches one kind of content for all operations. It is read as a whole, and again when
// the store's version of it has changed.
type contentCache[T any] struct {
	// families are the store's families that the value is made of.
	families []string
	read     func(context.Context) (T, error)

	mu      sync.RWMutex
	version [2]int64
	loaded  bool
	value   T
	flight  singleflight.Group
}

// at returns the value at the given versions or newer; if it is newer, the next operation reads it
// once more.
func (c *contentCache[T]) at(ctx context.Context, versions map[string]int64) (T, error) {
	var want [2]int64
	for i, name := range c.families {
		want[i] = versions[name]
	}
	return loadShared(ctx, &c.flight,
		func() (T, bool) {
			c.mu.RLock()
			defer c.mu.RUnlock()
			return c.value, c.loaded && c.version == want
		},
		func(ctx context.Context) (T, error) {
			v, err := c.read(ctx)
			if err != nil {
				return v, err
			}
			c.mu.Lock()
			defer c.mu.Unlock()
			c.value, c.version, c.loaded = v, want, true
			return v, nil
		})
}

// contentCaches are the caches of all content.
type contentCaches struct {
	items   contentCache[*Items]
	recipes contentCache[*Recipes]
	sets    contentCache[*Sets]
	numbers contentCache[map[string]int]
	trees   contentCache[*Trees]
	aspects contentCache[*Aspects]
	classes contentCache[*Classes]
	seasons contentCache[*Seasons]

	discoveries contentCache[*Discoveries]
	markers     contentCache[[]*model.MapMarker]
	nodes       contentCache[[]*model.GatheringNode]
	events      contentCache[[]*model.WorldEvent]
	loot        contentCache[[]*model.LootPoolContent]
	quests      contentCache[*model.QuestSummary]
	articles    contentCache[*Articles]
	videos      contentCache[[]*model.Video]
	news        contentCache[[]*model.NewsEntry]
}

func newContentCaches(store *mongo.Store) contentCaches {
	return contentCaches{
		items:   contentCache[*Items]{families: []string{mongo.Items}, read: readItems(store)},
		recipes: contentCache[*Recipes]{families: []string{mongo.Recipes}, read: readRecipes(store)},
		sets:    contentCache[*Sets]{families: []string{mongo.ItemSets}, read: readSets(store)},
		numbers: contentCache[map[string]int]{families: []string{mongo.LookupNumbers}, read: store.LookupNumbers},
		trees:   contentCache[*Trees]{families: []string{mongo.AbilityTrees, mongo.AbilityMaps}, read: readTrees(store)},
		aspects: contentCache[*Aspects]{families: []string{mongo.Aspects}, read: readAspects(store)},
		classes: contentCache[*Classes]{families: []string{mongo.Classes}, read: readClasses(store)},
		seasons: contentCache[*Seasons]{families: []string{mongo.Seasons}, read: readSeasons(store)},

		discoveries: contentCache[*Discoveries]{families: []string{mongo.Discoveries}, read: readDiscoveries(store)},
		markers:     contentCache[[]*model.MapMarker]{families: []string{mongo.MapMarkers}, read: store.MapMarkers},
		nodes: contentCache[[]*model.GatheringNode]{
			families: []string{mongo.GatheringNodes},
			read:     store.GatheringNodes,
		},
		events:   contentCache[[]*model.WorldEvent]{families: []string{mongo.WorldEvents}, read: store.WorldEvents},
		loot:     contentCache[[]*model.LootPoolContent]{families: []string{mongo.LootPools}, read: store.LootPools},
		quests:   contentCache[*model.QuestSummary]{families: []string{mongo.QuestSummary}, read: store.QuestSummary},
		articles: contentCache[*Articles]{families: []string{mongo.Articles}, read: readArticles(store)},
		videos:   contentCache[[]*model.Video]{families: []string{mongo.Videos}, read: store.Videos},
		news:     contentCache[[]*model.NewsEntry]{families: []string{mongo.LatestNews}, read: store.LatestNews},
	}
}

// current returns the value of a cache for this operation.
func current[T any](ctx context.Context, set *Set, c *contentCache[T]) (T, error) {
	versions, err := set.versions()
	if err != nil {
		var none T
		return none, err
	}
	for _, name := range c.families {
		set.log.addTag(contentTag, name)
	}
	return c.at(ctx, versions)
}
