package loaders

import (
	"context"
	"sync"

	"golang.org/x/sync/singleflight"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// family is one kind of content as the process keeps it: read whole, shared by all
// operations, read again when the store's version of it changed.
type family[T any] struct {
	// collections are the families of the store that the value is made of.
	collections []string
	read        func(context.Context) (T, error)

	mu      sync.RWMutex
	version [2]int64
	loaded  bool
	value   T
	flight  singleflight.Group
}

// at returns the value as of the versions given. The value read is never older than they
// are; it may be newer, and then the next operation reads once more.
func (f *family[T]) at(ctx context.Context, versions map[string]int64) (T, error) {
	var want [2]int64
	for i, c := range f.collections {
		want[i] = versions[c]
	}
	if v, ok := f.kept(want); ok {
		return v, nil
	}
	got, err, _ := f.flight.Do("", func() (any, error) {
		if v, ok := f.kept(want); ok {
			return v, nil
		}
		// Others wait for this read, so the one who asked may leave without ending it.
		v, err := f.read(context.WithoutCancel(ctx))
		if err != nil {
			return v, err
		}
		f.mu.Lock()
		defer f.mu.Unlock()
		f.value, f.version, f.loaded = v, want, true
		return v, nil
	})
	value, _ := got.(T)
	return value, err
}

func (f *family[T]) kept(want [2]int64) (T, bool) {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.value, f.loaded && f.version == want
}

// families is all content.
type families struct {
	items   family[*Items]
	recipes family[*Recipes]
	sets    family[*Sets]
	numbers family[map[string]int]
	trees   family[*Trees]
	aspects family[*Aspects]
	classes family[*Classes]
	seasons family[*Seasons]

	discoveries family[*Discoveries]
	markers     family[[]*model.MapMarker]
	nodes       family[[]*model.GatheringNode]
	events      family[[]*model.WorldEvent]
	loot        family[[]*model.LootPoolContent]
	quests      family[*model.QuestSummary]
	articles    family[*Articles]
	videos      family[[]*model.Video]
	news        family[[]*model.NewsEntry]
}

func newFamilies(store *mongo.Store) families {
	return families{
		items:   family[*Items]{collections: []string{mongo.Items}, read: readItems(store)},
		recipes: family[*Recipes]{collections: []string{mongo.Recipes}, read: readRecipes(store)},
		sets:    family[*Sets]{collections: []string{mongo.ItemSets}, read: readSets(store)},
		numbers: family[map[string]int]{collections: []string{mongo.LookupNumbers}, read: store.LookupNumbers},
		trees:   family[*Trees]{collections: []string{mongo.AbilityTrees, mongo.AbilityMaps}, read: readTrees(store)},
		aspects: family[*Aspects]{collections: []string{mongo.Aspects}, read: readAspects(store)},
		classes: family[*Classes]{collections: []string{mongo.Classes}, read: readClasses(store)},
		seasons: family[*Seasons]{collections: []string{mongo.Seasons}, read: readSeasons(store)},

		discoveries: family[*Discoveries]{collections: []string{mongo.Discoveries}, read: readDiscoveries(store)},
		markers:     family[[]*model.MapMarker]{collections: []string{mongo.MapMarkers}, read: store.MapMarkers},
		nodes:       family[[]*model.GatheringNode]{collections: []string{mongo.GatheringNodes}, read: store.GatheringNodes},
		events:      family[[]*model.WorldEvent]{collections: []string{mongo.WorldEvents}, read: store.WorldEvents},
		loot:        family[[]*model.LootPoolContent]{collections: []string{mongo.LootPools}, read: store.LootPools},
		quests:      family[*model.QuestSummary]{collections: []string{mongo.QuestSummary}, read: store.QuestSummary},
		articles:    family[*Articles]{collections: []string{mongo.Articles}, read: readArticles(store)},
		videos:      family[[]*model.Video]{collections: []string{mongo.Videos}, read: store.Videos},
		news:        family[[]*model.NewsEntry]{collections: []string{mongo.LatestNews}, read: store.LatestNews},
	}
}

// current is the value of a family for this operation.
func current[T any](ctx context.Context, set *Set, f *family[T]) (T, error) {
	versions, err := set.versions()
	if err != nil {
		var none T
		return none, err
	}
	for _, c := range f.collections {
		set.read.of(contentTag, c)
	}
	return f.at(ctx, versions)
}
