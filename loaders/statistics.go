package loaders

import (
	"context"

	"gamedata/graph/model"
)

// Census returns the last census, an empty one before the first.
func (set *Set) Census(ctx context.Context) (*model.Census, error) {
	return set.source.store.Census(ctx)
}
