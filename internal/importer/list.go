package importer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"

	"gamedata/internal/feed"
	"gamedata/mongo"
)

const (
	// maxRecords limits the records of one body, and thereby the memory of a List.
	maxRecords = 1_000_000
	// A part is written at once: at most partRecords records, and about partBytes bytes of JSON.
	partRecords, partBytes = 1000, 1 << 20
)

// List imports a body that is a list, one record at a time, in two passes: check all records, then store all. In memory
// it holds a hash of each key and the records of one part.
type List interface {
	// Check parses one record, passed as a list of one.
	Check(record json.RawMessage) error
	// Store stores a checked record, together with later ones or in Close.
	Store(ctx context.Context, store *mongo.Store, record json.RawMessage) error
	// Close stores the rest.
	Close(ctx context.Context, store *mongo.Store) error
	// Records is the number of checked records.
	Records() int
}

// lists maps root fields to Lists: their responses are lists of content that needs no further check.
var lists = map[string]func() List{
	"items":          listOf(mongo.Items),
	"recipes":        listOf(mongo.Recipes),
	"itemSets":       listOf(mongo.ItemSets),
	"latestNews":     listOf(mongo.LatestNews),
	"mapMarkers":     listOf(mongo.MapMarkers),
	"gatheringNodes": listOf(mongo.GatheringNodes),
}

// NewList returns a List for responses of a root field; nil if Read reads them as a whole.
func NewList(rootField string) List {
	if list := lists[rootField]; list != nil {
		return list()
	}
	return nil
}

func listOf[T any](c mongo.Content[T]) func() List {
	return func() List { return &list[T]{content: c, seen: map[uint64]struct{}{}, seed: maphash.MakeSeed()} }
}

type list[T any] struct {
	content mongo.Content[T]
	records int
	seen    map[uint64]struct{} // hashes of keys
	seed    maphash.Seed

	writer *mongo.ContentWriter[T]
	part   []*T
	bytes  int // of the part
}

func (l *list[T]) Records() int { return l.records }

func (l *list[T]) Check(data json.RawMessage) error {
	record, err := l.parse(data)
	if err != nil {
		return err
	}
	l.records++
	if l.records > maxRecords {
		return fmt.Errorf("more than %d records", maxRecords)
	}
	if l.content.Key == nil {
		return nil
	}
	key := l.content.Key(record)
	hash := maphash.Comparable(l.seed, key)
	if _, known := l.seen[hash]; known {
		return fmt.Errorf("repeats the key %q", fmt.Sprint(key))
	}
	if key == "" {
		return errors.New("empty key")
	}
	l.seen[hash] = struct{}{}
	return nil
}

func (l *list[T]) parse(data json.RawMessage) (*T, error) {
	var records []*T
	if err := json.Unmarshal(data, &records); err != nil {
		return nil, err
	}
	if len(records) != 1 || records[0] == nil {
		return nil, errors.New("not a record")
	}
	return records[0], feed.CheckNumbers(records[0], true)
}

func (l *list[T]) Store(ctx context.Context, store *mongo.Store, data json.RawMessage) error {
	record, err := l.parse(data)
	if err != nil {
		return err
	}
	l.part, l.bytes = append(l.part, record), l.bytes+len(data)
	if len(l.part) < partRecords && l.bytes < partBytes {
		return nil
	}
	return l.write(ctx, store)
}

func (l *list[T]) write(ctx context.Context, store *mongo.Store) error {
	if l.writer == nil {
		l.writer = l.content.Writer(store)
	}
	err := l.writer.Write(ctx, l.part)
	l.part, l.bytes = nil, 0
	return err
}

func (l *list[T]) Close(ctx context.Context, store *mongo.Store) error {
	if err := l.write(ctx, store); err != nil {
		return err
	}
	return l.writer.Close(ctx)
}
