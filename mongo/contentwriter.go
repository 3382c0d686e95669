package mongo

import (
	"context"
	"errors"

	"gamedata/graph/model"
	"gamedata/mongo/conn"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// ContentWriter writes the records of one kind of content in parts. Processes that cache the content reload it after
// Close.
type ContentWriter[T any] struct {
	content Content[T]
	store   *Store
	written int
}

// Writer returns a writer to a store.
func (c Content[T]) Writer(s *Store) *ContentWriter[T] {
	return &ContentWriter[T]{content: c, store: s}
}

// Write replaces records by key, or adds them. In a list they replace the records at the same positions.
func (w *ContentWriter[T]) Write(ctx context.Context, part []*T) error {
	var err error
	items, isItems := any(part).([]*model.Item)
	switch {
	case isItems: // mirrors follow the records
		err = replace(ctx, w.store, items, Save[model.Item])
	case w.content.Key != nil:
		err = replaceEach(ctx, w.store.db, w.content.Name, part, w.content.Key)
	default:
		entries := make([]*listEntry[T], len(part))
		for i, e := range part {
			entries[i] = &listEntry[T]{w.written + i, e}
		}
		// The old entries stay until new ones replace them, so that no reader finds an empty list.
		err = replaceEach(ctx, w.store.db, w.content.Name, entries, func(e *listEntry[T]) int { return e.Position })
	}
	w.written += len(part)
	if errors.Is(err, ErrUnavailable) { // the store may have written the part all the same
		_ = w.store.Purge(ctx, contentTag(w.content.Name))
	}
	if err != nil || w.content.lookupKeys == nil {
		return err
	}
	return w.store.Content.AssignLookupNumbers(ctx, w.content.lookupKeys(part))
}

// Close deletes the entries of a list after the last one written, and purges the tag of the content.
func (w *ContentWriter[T]) Close(ctx context.Context) error {
	switch {
	case w.content.Key == nil:
		rest := bson.D{{Key: "_id", Value: bson.D{{Key: "$gte", Value: w.written}}}}
		if err := w.store.db.Collection(w.content.Name).DeleteMany(conn.WithLongTimeout(ctx), rest); err != nil {
			return err
		}
	case w.written == 0:
		return nil
	}
	return w.store.Purge(ctx, contentTag(w.content.Name))
}
