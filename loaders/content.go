package loaders

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// contents are the kinds of content. Each is read as a whole, and again after a purge of one of its families.
type contents struct {
	Items         *Shared[*Items]
	Recipes       *Shared[*Recipes]
	Sets          *Shared[*Sets]
	LookupNumbers *Shared[map[string]int] // of every metadata key
	Trees         *Shared[*Trees]
	Aspects       *Shared[*Aspects]
	Classes       *Shared[*Keyed[string, model.Class]]    // by key
	Seasons       *Shared[*Keyed[int, model.GuildSeason]] // by number, including disabled ones
	Raids         *Shared[*Raids]

	Discoveries    *Shared[*Discoveries]
	MapMarkers     *Shared[[]*model.MapMarker]     // in stored order
	GatheringNodes *Shared[[]*model.GatheringNode] // in stored order
	WorldEvents    *Shared[[]*model.WorldEvent]    // in stored order
	LootPools      *Shared[*LootPools]
	QuestSummary   *Shared[*model.QuestSummary]
	Articles       *Shared[*Keyed[int, model.Article]] // in list order, including invisible ones
	Videos         *Shared[[]*model.Video]             // by display position
	LatestNews     *Shared[[]*model.NewsEntry]         // of the old forum, newest first
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
		Trees:         cacheOf(s, s.readTrees, mongo.AbilityTrees.Name, mongo.AbilityMaps.Name),
		Aspects:       derivedCache(s, mongo.Aspects, newAspects),
		Classes:       derivedCache(s, mongo.Classes, keyed(func(c *model.Class) string { return c.Key })),
		Seasons:       derivedCache(s, mongo.Seasons, keyed(func(s *model.GuildSeason) int { return s.Number })),
		Raids:         cacheOf(s, s.readRaids, mongo.Raids.Name),

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
	c.Seasons.MaxAge = seasonsMaxAge
	return c
}

// cacheOf caches the result of read until one of the families changes.
func cacheOf[T any](s *Source, read func(context.Context) (T, error), families ...string) *Shared[T] {
	var tags []string
	for _, name := range families {
		tags = append(tags, contentTag+":"+name)
	}
	return &Shared[T]{
		Name: strings.Join(families, ", "), Tags: tags, MaxAge: forever, MaxStale: forever, Read: read, source: s,
	}
}

// listCache caches content in its stored form.
func listCache[T any](s *Source, c mongo.Content[T]) *Shared[[]*T] {
	return cacheOf(s, func(ctx context.Context) ([]*T, error) { return c.Read(ctx, s.store) }, c.Name)
}

// derivedCache caches the result of derive for stored content.
func derivedCache[R, T any](s *Source, c mongo.Content[R], derive func([]*R) T) *Shared[T] {
	return cacheOf(s, func(ctx context.Context) (out T, err error) {
		records, err := c.Read(ctx, s.store)
		if err == nil {
			out = derive(records)
		}
		return out, err
	}, c.Name)
}

// Keyed holds content in the order of a list and by key.
type Keyed[K comparable, T any] struct {
	All   []*T
	ByKey map[K]*T
}

func keyed[K comparable, T any](key func(*T) K) func([]*T) *Keyed[K, T] {
	return func(all []*T) *Keyed[K, T] { return &Keyed[K, T]{all, index(all, key)} }
}

func index[K comparable, R any](records []R, key func(R) K) map[K]R {
	out := make(map[K]R, len(records))
	for _, r := range records {
		out[key(r)] = r
	}
	return out
}

// newArticles sorts articles for their list: pinned first, then the newest by publishedAt, then the highest number.
func newArticles(all []*model.Article) *Keyed[int, model.Article] {
	slices.SortFunc(all, func(a, b *model.Article) int {
		if a.Pinned != b.Pinned {
			if a.Pinned {
				return -1
			}
			return 1
		}
		return cmp.Or(b.PublishedAt.Compare(a.PublishedAt), cmp.Compare(b.Number, a.Number))
	})
	return keyed(func(a *model.Article) int { return a.Number })(all)
}
