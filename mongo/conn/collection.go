package conn

import (
	"context"
	"errors"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

// Collection is a collection of a database.
type Collection struct {
	conn  *Conn
	name  string
	level consistency // the minimum for its calls
	quiet bool
}

// Collection returns a collection by its name.
func (c *Conn) Collection(name string) *Collection { return &Collection{conn: c, name: name} }

// Majority returns a collection that makes every call as with WithMajority.
func (c *Conn) Majority(name string) *Collection {
	return &Collection{conn: c, name: name, level: majority}
}

// Name returns the name of the collection.
func (c *Collection) Name() string { return c.name }

// with returns the driver's collection with the consistency of a context.
func (c *Collection) with(ctx context.Context) *driver.Collection {
	return c.conn.db.Collection(c.name, consistencyOptions[c.readLevel(ctx)])
}

func (c *Collection) readLevel(ctx context.Context) consistency {
	return max(c.level, consistencyOf(ctx))
}

// read makes a call that reads.
func read[T any](ctx context.Context, c *Collection,
	query func(context.Context, *driver.Collection) (T, error),
) (T, error) {
	level := c.readLevel(ctx)
	once := func(ctx context.Context) (T, error) { return query(ctx, c.with(ctx)) }
	return call(ctx, c.conn, retried(c.conn, level, once))
}

func write[T any](ctx context.Context, c *Collection,
	change func(context.Context, *driver.Collection) (T, error),
) (T, error) {
	return call(ctx, c.conn, func(ctx context.Context) (T, error) {
		return change(ctx, c.with(ctx))
	})
}

// batchSize lets replies grow to their maximum, 16 MB, so that a batch of keys is one command.
const batchSize = 100_000

// Find reads the records that a filter matches and consumes the cursor. It counts as one call, however many replies it
// takes.
func Find[T any](ctx context.Context, c *Collection, filter bson.D,
	consume func(context.Context, *driver.Cursor) (T, error), opts ...options.Lister[options.FindOptions],
) (T, error) {
	opts = slices.Concat([]options.Lister[options.FindOptions]{options.Find().SetBatchSize(batchSize)}, opts)
	return read(ctx, c, func(ctx context.Context, in *driver.Collection) (out T, err error) {
		cursor, err := in.Find(ctx, filter, opts...)
		if err != nil {
			return out, err
		}
		defer func() { _ = cursor.Close(context.WithoutCancel(ctx)) }()
		return consume(ctx, cursor)
	})
}

// Aggregate reads the results of a pipeline.
func Aggregate[T any](ctx context.Context, c *Collection, pipeline bson.A) ([]T, error) {
	return read(ctx, c, func(ctx context.Context, in *driver.Collection) ([]T, error) {
		cursor, err := in.Aggregate(ctx, pipeline, options.Aggregate().SetBatchSize(batchSize))
		if err != nil {
			return nil, err
		}
		defer func() { _ = cursor.Close(context.WithoutCancel(ctx)) }()
		return All[T](ctx, cursor)
	})
}

// All decodes every record of a cursor.
func All[T any](ctx context.Context, cursor *driver.Cursor) (out []T, err error) {
	err = cursor.All(ctx, &out)
	return out, err
}

// decoded decodes the only record of a result, and reports whether there is one.
func decoded(result *driver.SingleResult, into any) (bool, error) {
	err := result.Decode(into)
	if errors.Is(err, driver.ErrNoDocuments) {
		return false, nil
	}
	return err == nil, err
}

// FindOne reads a record, and reports whether there is one.
func (c *Collection) FindOne(ctx context.Context, filter bson.D, into any) (bool, error) {
	return read(ctx, c, func(ctx context.Context, in *driver.Collection) (bool, error) {
		return decoded(in.FindOne(ctx, filter), into)
	})
}

// FindOneAndUpdate changes a record and reads it, and reports whether there is one.
func (c *Collection) FindOneAndUpdate(ctx context.Context, filter, update bson.D, into any,
	o *options.FindOneAndUpdateOptionsBuilder,
) (bool, error) {
	return write(ctx, c, func(ctx context.Context, in *driver.Collection) (bool, error) {
		return decoded(in.FindOneAndUpdate(ctx, filter, update, o), into)
	})
}

// FindOneAndDelete deletes a record and reads it, and reports whether there was one.
func (c *Collection) FindOneAndDelete(ctx context.Context, filter bson.D, into any) (bool, error) {
	return write(ctx, c, func(ctx context.Context, in *driver.Collection) (bool, error) {
		return decoded(in.FindOneAndDelete(ctx, filter), into)
	})
}

// Count counts the records that a filter matches.
func (c *Collection) Count(ctx context.Context, filter bson.D, opts ...options.Lister[options.CountOptions]) (
	int, error,
) {
	return read(ctx, c, func(ctx context.Context, in *driver.Collection) (int, error) {
		n, err := in.CountDocuments(ctx, filter, opts...)
		return int(n), err
	})
}

// EstimatedCount returns the approximate number of records.
func (c *Collection) EstimatedCount(ctx context.Context) (int64, error) {
	return read(ctx, c, func(ctx context.Context, in *driver.Collection) (int64, error) {
		return in.EstimatedDocumentCount(ctx)
	})
}

// Indexes reads the server's descriptions of the indexes of the collection.
func (c *Collection) Indexes(ctx context.Context, into any) error {
	ctx, cancel := c.conn.limited(ctx)
	defer cancel()
	cursor, err := c.conn.db.Collection(c.name).Indexes().List(ctx)
	if err != nil {
		return Translate(err)
	}
	return Translate(cursor.All(ctx, into))
}

// InsertOne adds a record.
func (c *Collection) InsertOne(ctx context.Context, record any) error {
	_, err := write(ctx, c, func(ctx context.Context, in *driver.Collection) (any, error) {
		return in.InsertOne(ctx, record)
	})
	return err
}

// InsertMany adds records, unordered.
func (c *Collection) InsertMany(ctx context.Context, records any) error {
	_, err := write(ctx, c, func(ctx context.Context, in *driver.Collection) (any, error) {
		return in.InsertMany(ctx, records, options.InsertMany().SetOrdered(false))
	})
	return err
}

// BulkWrite writes; the first error ends ordered writes.
func (c *Collection) BulkWrite(ctx context.Context, writes []driver.WriteModel, ordered bool) (
	*driver.BulkWriteResult, error,
) {
	return write(ctx, c, func(ctx context.Context, in *driver.Collection) (*driver.BulkWriteResult, error) {
		return in.BulkWrite(ctx, writes, options.BulkWrite().SetOrdered(ordered))
	})
}

// UpdateOne changes a record.
func (c *Collection) UpdateOne(ctx context.Context, filter, update bson.D,
	opts ...options.Lister[options.UpdateOneOptions],
) (*driver.UpdateResult, error) {
	return write(ctx, c, func(ctx context.Context, in *driver.Collection) (*driver.UpdateResult, error) {
		return in.UpdateOne(ctx, filter, update, opts...)
	})
}

// UpdateMany changes the records that a filter matches.
func (c *Collection) UpdateMany(ctx context.Context, filter, update bson.D) (*driver.UpdateResult, error) {
	return write(ctx, c, func(ctx context.Context, in *driver.Collection) (*driver.UpdateResult, error) {
		return in.UpdateMany(ctx, filter, update)
	})
}

// DeleteOne deletes a record, and reports whether there was one.
func (c *Collection) DeleteOne(ctx context.Context, filter bson.D) (bool, error) {
	return write(ctx, c, func(ctx context.Context, in *driver.Collection) (bool, error) {
		r, err := in.DeleteOne(ctx, filter)
		return err == nil && r.DeletedCount > 0, err
	})
}

// DeleteMany deletes the records that a filter matches.
func (c *Collection) DeleteMany(ctx context.Context, filter bson.D) error {
	_, err := write(ctx, c, func(ctx context.Context, in *driver.Collection) (any, error) {
		return in.DeleteMany(ctx, filter)
	})
	return err
}
