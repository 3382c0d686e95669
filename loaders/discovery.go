package loaders

import (
	"context"
	"slices"
	"strings"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// Discoveries is all discoveries.
type Discoveries struct {
	// All are the discoveries by folded name.
	All []*model.Discovery
	// Names are the folded names of All.
	Names []string
}

func readDiscoveries(store *mongo.Store) func(context.Context) (*Discoveries, error) {
	return func(ctx context.Context) (*Discoveries, error) {
		all, err := store.Discoveries(ctx)
		if err != nil {
			return nil, err
		}
		slices.SortStableFunc(all, func(a, b *model.Discovery) int {
			return strings.Compare(mongo.Fold(a.Name),
				mongo.Fold(b.Name))
		})
		out := &Discoveries{All: all, Names: make([]string, len(all))}
		for i, d := range all {
			out.Names[i] = mongo.Fold(d.Name)
		}
		return out, nil
	}
}

// Discoveries returns all discoveries.
func (set *Set) Discoveries(ctx context.Context) (*Discoveries, error) {
	return current(ctx, set, &set.source.content.discoveries)
}
