package resolvers

import (
	"context"
	"time"

	"gamedata/graph/model"
	"gamedata/loaders"
	"gamedata/mongo"
)

func (q queryResolver) Deletions(ctx context.Context, page model.PageArgs, since time.Time, types []string) (
	*model.DeletionConnection, error,
) {
	list := mongo.DeletionList{Since: since, Types: types}
	return connectStored(ctx, page, q.PageSize, storedList[*model.Deletion]{
		order: mongo.DeletionOrder,
		page: func(ctx context.Context, page mongo.PageQuery) ([]*model.Deletion, bool, error) {
			return loaders.From(ctx).Store().Deletions.Page(ctx, list, page)
		},
		count: exact(func(ctx context.Context) (int, error) {
			return loaders.From(ctx).Store().Deletions.Count(ctx, list)
		}),
		position: func(d *model.Deletion) mongo.Position {
			return mongo.Position{Value: d.At, ID: d.Token}
		},
	})
}

// changedSince reports whether a record changed at or after a time; nil accepts any.
func changedSince(updated time.Time, since *time.Time) bool {
	return since == nil || !updated.Before(*since)
}
