package loaders

import (
	"context"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"gamedata/graph/model"
	"gamedata/internal/cache"
	"gamedata/mongo"
)

// Content caches one kind of content for all operations. It is read as a whole, and again when
// the store's version of it has changed.
type Content[T any] struct {
	// families are the store's families that the value is made of.
	families []string
	read     func(context.Context) (T, error)
	// maxAge is how old a value of the present version may be; 0 is any age. now is its clock.
	maxAge time.Duration
	now    func() time.Time
	// purges that name one of the families make it be read again too.
	purges *cache.Invalidations

	mu      sync.RWMutex
	version [2]int64
	loaded  bool
	readAt  time.Time // when it was last read
	purged  uint64    // generation of purges at that time
	value   T
	flight  singleflight.Group
}

// Load returns the content for the operation of a context. It is shared and may not be changed.
func (c *Content[T]) Load(ctx context.Context) (T, error) {
	set := From(ctx)
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

// at returns the value at the given versions or newer; if it is newer, the next operation reads it once more.
func (c *Content[T]) at(ctx context.Context, versions map[string]int64) (T, error) {
	var want [2]int64
	for i, name := range c.families {
		want[i] = versions[name]
	}
	return loadShared(ctx, &c.flight,
		func() (T, bool) {
			c.mu.RLock()
			defer c.mu.RUnlock()
			return c.value, c.loaded && c.version == want && (c.maxAge == 0 || c.now().Sub(c.readAt) <= c.maxAge) &&
				!slices.ContainsFunc(c.families, c.isPurged)
		},
		func(ctx context.Context) (T, error) {
			purged := c.purges.Generation()
			v, err := c.read(ctx)
			c.mu.Lock()
			defer c.mu.Unlock()
			if c.maxAge != 0 {
				c.readAt = c.now()
			}
			switch {
			case err == nil:
				c.value, c.version, c.loaded, c.purged = v, want, true, purged
			case c.loaded && c.version == want: // an expired value is better than none
				return c.value, nil
			}
			return v, err
		})
}

// isPurged reports whether a family was purged since the value was read.
func (c *Content[T]) isPurged(family string) bool {
	return c.purges.InvalidatedSince([]string{contentTag + ":" + family}, c.purged)
}

// contents are the kinds of content.
type contents struct {
	Items         *Content[*Items]
	Recipes       *Content[*Recipes]
	Sets          *Content[*Sets]
	LookupNumbers *Content[map[string]int] // of every metadata key
	Trees         *Content[*Trees]
	Aspects       *Content[*Aspects]
	Classes       *Content[*Classes]
	Seasons       *Content[*Seasons]
	Raids         *Content[*Raids]

	Discoveries    *Content[*Discoveries]
	MapMarkers     *Content[[]*model.MapMarker]     // in stored order
	GatheringNodes *Content[[]*model.GatheringNode] // in stored order
	WorldEvents    *Content[[]*model.WorldEvent]    // in stored order
	LootPools      *Content[*LootPools]
	QuestSummary   *Content[*model.QuestSummary]
	Articles       *Content[*Articles]
	Videos         *Content[[]*model.Video]     // by display position
	LatestNews     *Content[[]*model.NewsEntry] // of the old forum, newest first
}

// seasonsMaxAge is how soon a season that was changed in the store itself, which raises no version, is noticed.
const seasonsMaxAge = time.Minute

func newContents(store *mongo.Store, o Options) *contents {
	c := &contents{
		Items:         derivedCache(store, mongo.Items, newItems),
		Recipes:       derivedCache(store, mongo.Recipes, newRecipes),
		Sets:          derivedCache(store, mongo.ItemSets, newSets),
		LookupNumbers: cacheOf(store.Content.LookupNumbers, mongo.LookupNumbers),
		Trees:         cacheOf(readTrees(store), mongo.AbilityTrees.Name, mongo.AbilityMaps.Name),
		Aspects:       derivedCache(store, mongo.Aspects, newAspects),
		Classes:       derivedCache(store, mongo.Classes, newClasses),
		Seasons:       derivedCache(store, mongo.Seasons, newSeasons),
		Raids:         cacheOf(readRaids(store), mongo.Raids.Name),

		Discoveries:    derivedCache(store, mongo.Discoveries, newDiscoveries),
		MapMarkers:     listCache(store, mongo.MapMarkers),
		GatheringNodes: listCache(store, mongo.GatheringNodes),
		WorldEvents:    listCache(store, mongo.WorldEvents),
		LootPools:      derivedCache(store, mongo.LootPools, newLootPools),
		QuestSummary:   cacheOf(store.Content.QuestSummary, mongo.QuestSummary.Name),
		Articles:       derivedCache(store, mongo.Articles, newArticles),
		Videos:         listCache(store, mongo.Videos),
		LatestNews:     listCache(store, mongo.LatestNews),
	}
	c.Seasons.maxAge, c.Seasons.now = seasonsMaxAge, o.Now
	if o.Records != nil {
		c.Seasons.purges = o.Records.invalidations
	}
	return c
}

// cacheOf returns a cache of what read makes of some families.
func cacheOf[T any](read func(context.Context) (T, error), families ...string) *Content[T] {
	return &Content[T]{families: families, read: read, purges: new(cache.Invalidations)}
}

// listCache returns the cache of content that is used in its stored form.
func listCache[T any](store *mongo.Store, c mongo.Content[T]) *Content[[]*T] {
	return cacheOf(func(ctx context.Context) ([]*T, error) { return c.Read(ctx, store) }, c.Name)
}

// derivedCache returns the cache of what derive makes of stored content.
func derivedCache[R, T any](store *mongo.Store, c mongo.Content[R], derive func([]*R) T) *Content[T] {
	return cacheOf(func(ctx context.Context) (out T, err error) {
		records, err := c.Read(ctx, store)
		if err == nil {
			out = derive(records)
		}
		return out, err
	}, c.Name)
}

func index[K comparable, R any](records []R, key func(R) K) map[K]R {
	out := make(map[K]R, len(records))
	for _, r := range records {
		out[key(r)] = r
	}
	return out
}
