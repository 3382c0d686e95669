package mongo

import (
	"context"

	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

// database and collection are the driver's, with every call made through the guard.
type database struct {
	*driver.Database
	guard *guard
}

func (d database) Collection(name string) *collection {
	return &collection{db: d.Database, name: name, guard: d.guard}
}

type collection struct {
	db    *driver.Database
	name  string
	level consistency // the least one of its calls
	guard *guard
}

// with returns the collection as a call with a context uses it.
func (c *collection) with(ctx context.Context) *driver.Collection {
	return c.db.Collection(c.name, consistencyOptions[c.readLevel(ctx)])
}

// readLevel returns the consistency of a read with a context.
func (c *collection) readLevel(ctx context.Context) consistency {
	return max(c.level, consistencyOf(ctx))
}

// read runs a query and consumes its cursor. It is one call for the guard, however many replies there
// are.
func read[T any](ctx context.Context, c *collection,
	query func(context.Context, *driver.Collection) (*driver.Cursor, error),
	consume func(context.Context, *driver.Cursor) (T, error),
) (T, error) {
	level := c.readLevel(ctx)
	out, err := withBreaker(ctx, c.guard, level, retried(c.guard, level, func(ctx context.Context) (T, error) {
		cursor, err := query(ctx, c.with(ctx))
		if err != nil {
			var zero T
			return zero, err
		}
		defer func() { _ = cursor.Close(context.WithoutCancel(ctx)) }()
		return consume(ctx, cursor)
	}))
	return out, translateError(err)
}

// all decodes every record of a cursor.
func all[T any](ctx context.Context, cursor *driver.Cursor) (out []T, err error) {
	err = cursor.All(ctx, &out)
	return out, err
}

// single makes a call whose result is one record.
func (c *collection) single(ctx context.Context, level consistency,
	call func(context.Context) (*driver.SingleResult, error),
) *driver.SingleResult {
	r, err := withBreaker(ctx, c.guard, level, call)
	if err != nil {
		return driver.NewSingleResultFromDocument(struct{}{}, err, nil)
	}
	return r
}

func (c *collection) FindOne(ctx context.Context, filter any) *driver.SingleResult {
	level := c.readLevel(ctx)
	find := func(ctx context.Context) (*driver.SingleResult, error) {
		r := c.with(ctx).FindOne(ctx, filter)
		return r, r.Err()
	}
	return c.single(ctx, level, retried(c.guard, level, find))
}

func (c *collection) FindOneAndUpdate(ctx context.Context, filter, update any,
	opts ...options.Lister[options.FindOneAndUpdateOptions],
) *driver.SingleResult {
	return c.single(ctx, primary, func(ctx context.Context) (*driver.SingleResult, error) {
		r := c.with(ctx).FindOneAndUpdate(ctx, filter, update, opts...)
		return r, r.Err()
	})
}

func (c *collection) FindOneAndDelete(ctx context.Context, filter any) *driver.SingleResult {
	return c.single(ctx, primary, func(ctx context.Context) (*driver.SingleResult, error) {
		r := c.with(ctx).FindOneAndDelete(ctx, filter)
		return r, r.Err()
	})
}

func (c *collection) CountDocuments(ctx context.Context, filter any, opts ...options.Lister[options.CountOptions]) (
	int64, error,
) {
	level := c.readLevel(ctx)
	return withBreaker(ctx, c.guard, level, retried(c.guard, level, func(ctx context.Context) (int64, error) {
		return c.with(ctx).CountDocuments(ctx, filter, opts...)
	}))
}

func (c *collection) EstimatedDocumentCount(ctx context.Context) (int64, error) {
	level := c.readLevel(ctx)
	return withBreaker(ctx, c.guard, level, retried(c.guard, level, func(ctx context.Context) (int64, error) {
		return c.with(ctx).EstimatedDocumentCount(ctx)
	}))
}

func (c *collection) InsertOne(ctx context.Context, record any) (*driver.InsertOneResult, error) {
	return withBreaker(ctx, c.guard, primary, func(ctx context.Context) (*driver.InsertOneResult, error) {
		return c.with(ctx).InsertOne(ctx, record)
	})
}

// InsertMany inserts records, unordered.
func (c *collection) InsertMany(ctx context.Context, records any) (*driver.InsertManyResult, error) {
	return withBreaker(ctx, c.guard, primary, func(ctx context.Context) (*driver.InsertManyResult, error) {
		return c.with(ctx).InsertMany(ctx, records, options.InsertMany().SetOrdered(false))
	})
}

// BulkWrite writes, unordered.
func (c *collection) BulkWrite(ctx context.Context, writes []driver.WriteModel) (*driver.BulkWriteResult, error) {
	return c.bulkWrite(ctx, writes, false)
}

func (c *collection) bulkWrite(ctx context.Context, writes []driver.WriteModel, ordered bool) (
	*driver.BulkWriteResult, error,
) {
	return withBreaker(ctx, c.guard, primary, func(ctx context.Context) (*driver.BulkWriteResult, error) {
		return c.with(ctx).BulkWrite(ctx, writes, options.BulkWrite().SetOrdered(ordered))
	})
}

func (c *collection) UpdateOne(ctx context.Context, filter, update any,
	opts ...options.Lister[options.UpdateOneOptions],
) (*driver.UpdateResult, error) {
	return withBreaker(ctx, c.guard, primary, func(ctx context.Context) (*driver.UpdateResult, error) {
		return c.with(ctx).UpdateOne(ctx, filter, update, opts...)
	})
}

func (c *collection) UpdateMany(ctx context.Context, filter, update any) (*driver.UpdateResult, error) {
	return withBreaker(ctx, c.guard, primary, func(ctx context.Context) (*driver.UpdateResult, error) {
		return c.with(ctx).UpdateMany(ctx, filter, update)
	})
}

func (c *collection) DeleteOne(ctx context.Context, filter any) (*driver.DeleteResult, error) {
	return withBreaker(ctx, c.guard, primary, func(ctx context.Context) (*driver.DeleteResult, error) {
		return c.with(ctx).DeleteOne(ctx, filter)
	})
}

func (c *collection) DeleteMany(ctx context.Context, filter any) (*driver.DeleteResult, error) {
	return withBreaker(ctx, c.guard, primary, func(ctx context.Context) (*driver.DeleteResult, error) {
		return c.with(ctx).DeleteMany(ctx, filter)
	})
}
