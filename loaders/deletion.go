package loaders

import (
	"context"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// DeletionPage reads a page of deletions.
func (set *Set) DeletionPage(ctx context.Context, l mongo.DeletionList, q mongo.PageQuery) (
	[]*model.Deletion, bool, error,
) {
	return set.source.store.DeletionPage(ctx, l, q)
}

// CountDeletions counts deletions.
func (set *Set) CountDeletions(ctx context.Context, l mongo.DeletionList) (int, error) {
	return set.source.store.CountDeletions(ctx, l)
}
