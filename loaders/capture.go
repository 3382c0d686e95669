package loaders

import (
	"context"

	"gamedata/mongo"
)

// CaptureKey selects the captures of a territory or guild.
type CaptureKey struct {
	List mongo.CaptureList
	// Key is the name of the territory or the uuid of the guild.
	Key string
}

// CapturePageKey selects a page of a list of captures.
type CapturePageKey struct {
	CaptureKey
	// After is the position behind which the page begins; the zero Position for the beginning of the list.
	After    mongo.Position
	Backward bool
	Limit    int
}

// capturePages reads pages of captures. Pages that differ only in territory or guild share one read.
func (s *Source) capturePages(ctx context.Context, keys []CapturePageKey) ([]*mongo.CapturePage, error) {
	return grouped(keys, func(k CapturePageKey) (CapturePageKey, string) {
		key := k.Key
		k.Key = ""
		return k, key
	}, func(k CapturePageKey, of []string) ([]*mongo.CapturePage, error) {
		q := mongo.PageQuery{Backward: k.Backward, Limit: k.Limit}
		if k.After != (mongo.Position{}) {
			q.After = &k.After
		}
		return s.store.Captures.Pages(ctx, k.List, of, q)
	})
}

// captureCounts counts captures. Lists that differ only in territory or guild share one read.
func (s *Source) captureCounts(ctx context.Context, keys []CaptureKey) ([]*int, error) {
	return grouped(keys, func(k CaptureKey) (mongo.CaptureList, string) { return k.List, k.Key },
		func(l mongo.CaptureList, of []string) ([]*int, error) { return s.store.Captures.Count(ctx, l, of) })
}

// grouped reads the values of keys group by group. split returns the group of a key and the key's name within it; read
// returns the values for some names of one group.
func grouped[K, N any, G comparable, V any](keys []K, split func(K) (G, N), read func(G, []N) ([]V, error)) ([]V,
	error,
) {
	names, places := map[G][]N{}, map[G][]int{}
	for i, k := range keys {
		group, name := split(k)
		names[group], places[group] = append(names[group], name), append(places[group], i)
	}
	out := make([]V, len(keys))
	for group, of := range names {
		found, err := read(group, of)
		if err != nil {
			return nil, err
		}
		for i, place := range places[group] {
			out[place] = found[i]
		}
	}
	return out, nil
}
