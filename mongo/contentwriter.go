package mongo

import (
	"context"
	"errors"

	"gamedata/mongo/conn"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// ContentWriter writes the records of one kind of content in parts. Processes that cache the content reload it after
// Close.
type ContentWriter[T any] struct {
	content Content[T]
	writer  contentWriter
}

// Writer returns a writer to a store.
func (c Content[T]) Writer(s *Store) *ContentWriter[T] {
	return &ContentWriter[T]{c, contentWriter{store: s, name: c.Name}}
}

// Write replaces records by key, or adds them. In a list they replace the records at the same positions.
func (w *ContentWriter[T]) Write(ctx context.Context, part []*T) error {
	records := make([]keyed, len(part))
	for i, r := range part {
		if w.content.Key != nil {
			records[i] = keyed{w.content.Key(r), r}
		} else {
			at := w.writer.written + i
			records[i] = keyed{at, &listEntry[T]{at, r}}
		}
	}
	var lookupKeys []string
	if w.content.lookupKeys != nil {
		lookupKeys = w.content.lookupKeys(part)
	}
	return w.writer.write(ctx, records, lookupKeys)
}

// Close deletes the entries of a list after the last one written, and purges the tag of the content.
func (w *ContentWriter[T]) Close(ctx context.Context) error {
	return w.writer.close(ctx, w.content.Key == nil)
}

// contentWriter is a ContentWriter for records of any type.
type contentWriter struct {
	store   *Store
	name    string // of the collection
	written int
}

// write replaces records. The old entries of a list stay until new ones replace them, so that no reader finds an empty
// list.
func (w *contentWriter) write(ctx context.Context, records []keyed, lookupKeys []string) error {
	var err error
	if items := &w.store.Items.any; w.name == Items.Name { // mirrors follow the records
		err = items.replace(ctx, each(records, func(r keyed) any { return r.record }), items.of.addition)
	} else {
		err = replaceEach(ctx, w.store.db, w.name, records)
	}
	w.written += len(records)
	if errors.Is(err, ErrUnavailable) { // the store may have written the part all the same
		_ = w.store.Purge(ctx, contentTag(w.name))
	}
	if err != nil || lookupKeys == nil {
		return err
	}
	return w.store.Content.AssignLookupNumbers(ctx, lookupKeys)
}

func (w *contentWriter) close(ctx context.Context, list bool) error {
	switch {
	case list:
		rest := bson.D{{Key: "_id", Value: bson.D{{Key: "$gte", Value: w.written}}}}
		if err := w.store.db.Collection(w.name).DeleteMany(conn.WithLongTimeout(ctx), rest); err != nil {
			return err
		}
	case w.written == 0:
		return nil
	}
	return w.store.Purge(ctx, contentTag(w.name))
}
