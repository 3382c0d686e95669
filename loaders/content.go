package loaders

import (
	"context"
	"math"
	"strings"
	"time"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// Content caches one kind of content for all operations. It is read as a whole, and again after a purge of one of its
// families.
type Content[T any] struct {
	families []string
	value    refreshingValue[T]
}

// Load returns the content for the operation of a context. The content is shared and must not be changed.
func (c *Content[T]) Load(ctx context.Context) (T, error) {
	for _, name := range c.families {
		From(ctx).log.addTag(contentTag, name)
	}
	return c.get(ctx)
}

// get returns the content. It does not count as a read of the operation.
func (c *Content[T]) get(ctx context.Context) (value T, err error) {
	current, err := c.value.current(ctx)
	if err == nil {
		value = current.value
	}
	return value, err
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

// seasonsMaxAge limits the age of seasons: somebody may change them in the store directly, which purges nothing.
const seasonsMaxAge = time.Minute

// forever is the max age of content that only a purge replaces.
const forever time.Duration = math.MaxInt64

func newContents(s *Source) *contents {
	c := &contents{
		Items:         derivedCache(s, mongo.Items, newItems),
		Recipes:       derivedCache(s, mongo.Recipes, newRecipes),
		Sets:          derivedCache(s, mongo.ItemSets, newSets),
		LookupNumbers: cacheOf(s, s.store.Content.LookupNumbers, mongo.LookupNumbers),
		Trees:         cacheOf(s, readTrees(s.store), mongo.AbilityTrees.Name, mongo.AbilityMaps.Name),
		Aspects:       derivedCache(s, mongo.Aspects, newAspects),
		Classes:       derivedCache(s, mongo.Classes, newClasses),
		Seasons:       derivedCache(s, mongo.Seasons, newSeasons),
		Raids:         cacheOf(s, readRaids(s.store), mongo.Raids.Name),

		Discoveries:    derivedCache(s, mongo.Discoveries, newDiscoveries),
		MapMarkers:     listCache(s, mongo.MapMarkers),
		GatheringNodes: listCache(s, mongo.GatheringNodes),
		WorldEvents:    listCache(s, mongo.WorldEvents),
		LootPools:      derivedCache(s, mongo.LootPools, newLootPools),
		QuestSummary:   cacheOf(s, s.store.Content.QuestSummary, mongo.QuestSummary.Name),
		Articles:       derivedCache(s, mongo.Articles, newArticles),
		Videos:         listCache(s, mongo.Videos),
		LatestNews:     listCache(s, mongo.LatestNews),
	}
	c.Seasons.value.maxAge = seasonsMaxAge
	return c
}

// cacheOf caches the result of read until one of the families changes.
func cacheOf[T any](s *Source, read func(context.Context) (T, error), families ...string) *Content[T] {
	var tags []string
	for _, name := range families {
		tags = append(tags, contentTag+":"+name)
	}
	return &Content[T]{families, refreshingValue[T]{
		maxAge: forever, load: read,
		lastValue: lastValue[T]{name: strings.Join(families, ", "), maxStale: forever, tags: tags, shared: s.shared},
	}}
}

// listCache caches content in its stored form.
func listCache[T any](s *Source, c mongo.Content[T]) *Content[[]*T] {
	return cacheOf(s, func(ctx context.Context) ([]*T, error) { return c.Read(ctx, s.store) }, c.Name)
}

// derivedCache caches the result of derive for stored content.
func derivedCache[R, T any](s *Source, c mongo.Content[R], derive func([]*R) T) *Content[T] {
	return cacheOf(s, func(ctx context.Context) (out T, err error) {
		records, err := c.Read(ctx, s.store)
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
