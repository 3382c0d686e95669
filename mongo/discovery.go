package mongo

import (
	"context"

	"gamedata/graph/model"
)

// Discoveries reads all discoveries in stored order.
func (s *Store) Discoveries(ctx context.Context) ([]*model.Discovery, error) {
	return readList[model.Discovery](ctx, s, Discoveries)
}

// PutDiscoveries replaces all discoveries.
func (s *Store) PutDiscoveries(ctx context.Context, all []*model.Discovery) error {
	return putList(ctx, s, Discoveries, all)
}
