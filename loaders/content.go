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

// at returns the value at the given versions or newer; if it is newer, the next operation reads it once more.
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

type contentCaches struct {
	items   *contentCache[*Items]
	recipes *contentCache[*Recipes]
	sets    *contentCache[*Sets]
	numbers *contentCache[map[string]int]
	trees   *contentCache[*Trees]
	aspects *contentCache[*Aspects]
	classes *contentCache[*Classes]
	seasons *contentCache[*Seasons]
	raids   *contentCache[*Raids]

	discoveries *contentCache[*Discoveries]
	markers     *contentCache[[]*model.MapMarker]
	nodes       *contentCache[[]*model.GatheringNode]
	events      *contentCache[[]*model.WorldEvent]
	loot        *contentCache[*LootPools]
	quests      *contentCache[*model.QuestSummary]
	articles    *contentCache[*Articles]
	videos      *contentCache[[]*model.Video]
	news        *contentCache[[]*model.NewsEntry]
}

func newContentCaches(store *mongo.Store) contentCaches {
	return contentCaches{
		items:   derivedCache(store, mongo.Items, newItems),
		recipes: derivedCache(store, mongo.Recipes, newRecipes),
		sets:    derivedCache(store, mongo.ItemSets, newSets),
		numbers: cacheOf(store.LookupNumbers, mongo.LookupNumbers),
		trees:   cacheOf(readTrees(store), mongo.AbilityTrees.Name, mongo.AbilityMaps.Name),
		aspects: derivedCache(store, mongo.Aspects, newAspects),
		classes: derivedCache(store, mongo.Classes, newClasses),
		seasons: derivedCache(store, mongo.Seasons, newSeasons),
		raids:   cacheOf(readRaids(store), mongo.Raids.Name),

		discoveries: derivedCache(store, mongo.Discoveries, newDiscoveries),
		markers:     listCache(store, mongo.MapMarkers),
		nodes:       listCache(store, mongo.GatheringNodes),
		events:      listCache(store, mongo.WorldEvents),
		loot:        derivedCache(store, mongo.LootPools, newLootPools),
		quests:      cacheOf(store.QuestSummary, mongo.QuestSummary.Name),
		articles:    derivedCache(store, mongo.Articles, newArticles),
		videos:      listCache(store, mongo.Videos),
		news:        listCache(store, mongo.LatestNews),
	}
}

// cacheOf returns a cache of what read makes of some families.
func cacheOf[T any](read func(context.Context) (T, error), families ...string) *contentCache[T] {
	return &contentCache[T]{families: families, read: read}
}

// listCache returns the cache of content that is used in its stored form.
func listCache[T any](store *mongo.Store, c mongo.Content[T]) *contentCache[[]*T] {
	return cacheOf(func(ctx context.Context) ([]*T, error) { return c.Read(ctx, store) }, c.Name)
}

// derivedCache returns the cache of what derive makes of stored content.
func derivedCache[R, T any](store *mongo.Store, c mongo.Content[R], derive func([]*R) T) *contentCache[T] {
	return cacheOf(func(ctx context.Context) (out T, err error) {
		records, err := c.Read(ctx, store)
		if err == nil {
			out = derive(records)
		}
		return out, err
	}, c.Name)
}

// index returns the records by a unique key.
func index[K comparable, R any](records []R, key func(R) K) map[K]R {
	out := make(map[K]R, len(records))
	for _, r := range records {
		out[key(r)] = r
	}
	return out
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
