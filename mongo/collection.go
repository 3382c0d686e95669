package mongo

import (
	"context"

	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

// database and collection are the driver's, behind the gate of the store.
type database struct {
	*driver.Database
	guard *guard
}

func (d database) Collection(name string, opts ...options.Lister[options.CollectionOptions]) *collection {
	return &collection{d.Database.Collection(name, opts...), d.guard}
}

type collection struct {
	open  *driver.Collection
	guard *guard
}

// read runs a query and reads its records with each; one call for both, however many replies
// there are.
func read[T any](ctx context.Context, c *collection, query func(context.Context, *driver.Collection) (*driver.Cursor,
	error), each func(context.Context, *driver.Cursor) (T, error),
) (T, error) {
	out, err := withBreaker(ctx, c.guard, func(ctx context.Context) (T, error) {
		cursor, err := query(ctx, c.open)
		if err != nil {
			var none T
			return none, err
		}
		defer cursor.Close(context.WithoutCancel(ctx))
		return each(ctx, cursor)
	})
	return out, translateError(err)
}

// all reads every record of a cursor.
func all[T any](ctx context.Context, cursor *driver.Cursor) (out []T, err error) {
	err = cursor.All(ctx, &out)
	return out, err
}

// one is a call whose result is one record.
func (c *collection) one(ctx context.Context, call func(context.Context) *driver.SingleResult) *driver.SingleResult {
	r, err := withBreaker(ctx, c.guard, func(ctx context.Context) (*driver.SingleResult, error) {
		r := call(ctx)
		return r, r.Err()
	})
	if r == nil {
		return driver.NewSingleResultFromDocument(struct{}{}, err, nil)
	}
	return r
}

func (c *collection) FindOne(ctx context.Context, filter any,
	opts ...options.Lister[options.FindOneOptions],
) *driver.SingleResult {
	return c.one(ctx, func(ctx context.Context) *driver.SingleResult { return c.open.FindOne(ctx, filter, opts...) })
}

func (c *collection) FindOneAndUpdate(ctx context.Context, filter, update any,
	opts ...options.Lister[options.FindOneAndUpdateOptions],
) *driver.SingleResult {
	return c.one(ctx, func(ctx context.Context) *driver.SingleResult {
		return c.open.FindOneAndUpdate(ctx, filter, update, opts...)
	})
}

func (c *collection) FindOneAndDelete(ctx context.Context, filter any,
	opts ...options.Lister[options.FindOneAndDeleteOptions],
) *driver.SingleResult {
	return c.one(ctx, func(ctx context.Context) *driver.SingleResult {
		return c.open.FindOneAndDelete(ctx, filter,
			opts...)
	})
}

func (c *collection) CountDocuments(ctx context.Context, filter any) (int64, error) {
	return withBreaker(ctx, c.guard, func(ctx context.Context) (int64, error) { return c.open.CountDocuments(ctx, filter) })
}

func (c *collection) EstimatedDocumentCount(ctx context.Context) (int64, error) {
	return withBreaker(ctx, c.guard, func(ctx context.Context) (int64, error) { return c.open.EstimatedDocumentCount(ctx) })
}

func (c *collection) InsertOne(ctx context.Context, record any) (*driver.InsertOneResult, error) {
	return withBreaker(ctx, c.guard, func(ctx context.Context) (*driver.InsertOneResult, error) {
		return c.open.InsertOne(ctx,
			record)
	})
}

func (c *collection) InsertMany(ctx context.Context, records any,
	opts ...options.Lister[options.InsertManyOptions],
) (*driver.InsertManyResult, error) {
	return withBreaker(ctx, c.guard, func(ctx context.Context) (*driver.InsertManyResult, error) {
		return c.open.InsertMany(ctx, records, opts...)
	})
}

func (c *collection) BulkWrite(ctx context.Context, writes []driver.WriteModel,
	opts ...options.Lister[options.BulkWriteOptions],
) (*driver.BulkWriteResult, error) {
	return withBreaker(ctx, c.guard, func(ctx context.Context) (*driver.BulkWriteResult, error) {
		return c.open.BulkWrite(ctx, writes, opts...)
	})
}

func (c *collection) UpdateOne(ctx context.Context, filter, update any,
	opts ...options.Lister[options.UpdateOneOptions],
) (*driver.UpdateResult, error) {
	return withBreaker(ctx, c.guard, func(ctx context.Context) (*driver.UpdateResult, error) {
		return c.open.UpdateOne(ctx, filter, update, opts...)
	})
}

func (c *collection) UpdateMany(ctx context.Context, filter, update any) (*driver.UpdateResult, error) {
	return withBreaker(ctx, c.guard, func(ctx context.Context) (*driver.UpdateResult, error) {
		return c.open.UpdateMany(ctx,
			filter, update)
	})
}

func (c *collection) ReplaceOne(ctx context.Context, filter, record any,
	opts ...options.Lister[options.ReplaceOptions],
) (*driver.UpdateResult, error) {
	return withBreaker(ctx, c.guard, func(ctx context.Context) (*driver.UpdateResult, error) {
		return c.open.ReplaceOne(ctx, filter, record, opts...)
	})
}

func (c *collection) DeleteOne(ctx context.Context, filter any) (*driver.DeleteResult, error) {
	return withBreaker(ctx, c.guard, func(ctx context.Context) (*driver.DeleteResult, error) {
		return c.open.DeleteOne(ctx,
			filter)
	})
}

func (c *collection) DeleteMany(ctx context.Context, filter any) (*driver.DeleteResult, error) {
	return withBreaker(ctx, c.guard, func(ctx context.Context) (*driver.DeleteResult, error) {
		return c.open.DeleteMany(ctx,
			filter)
	})
}
