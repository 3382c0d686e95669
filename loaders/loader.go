package loaders

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/graph-gophers/dataloader/v7"
	"github.com/vektah/gqlparser/v2/ast"

	"gamedata/mongo"
)

// Loader loads the values of keys for one operation, each key once. The keys of a list are one
// batch, so each waits a moment for the others; a key that no other can join is loaded immediately.
// Most operations use few of their loaders: the dataloaders are created on first use.
type Loader[K comparable, V any] struct {
	source *Source
	name   string
	fetch  func(context.Context, []K) ([]V, error)

	once      sync.Once
	batched   *dataloader.Loader[K, V]
	immediate *dataloader.Loader[K, V]
}

// newLoader returns a loader that fetches with a plural read, which returns values in key order.
func newLoader[K comparable, V any](s *Source, name string, fetch func(context.Context, []K) ([]V, error),
) *Loader[K, V] {
	return &Loader[K, V]{source: s, name: name, fetch: fetch}
}

func (l *Loader[K, V]) create() {
	l.once.Do(func() {
		results := dataloader.NewCache[K, V]()
		l.batched = dataloader.NewBatchedLoader(l.read, dataloader.WithCache[K, V](results),
			dataloader.WithWait[K, V](l.source.wait), dataloader.WithBatchCapacity[K, V](maxBatch))
		l.immediate = dataloader.NewBatchedLoader(l.read, dataloader.WithCache[K, V](results),
			dataloader.WithBatchCapacity[K, V](1))
	})
}

// Load starts loading the value of a key; the function that it returns waits for it.
func (l *Loader[K, V]) Load(ctx context.Context, key K) dataloader.Thunk[V] {
	l.create()
	if resolvesAlone(ctx) {
		return l.immediate.Load(ctx, key)
	}
	return l.batched.Load(ctx, key)
}

// LoadMany starts loading the values of keys; the function that it returns waits for them.
func (l *Loader[K, V]) LoadMany(ctx context.Context, keys []K) dataloader.ThunkMany[V] {
	l.create()
	return l.batched.LoadMany(ctx, keys)
}

// Prime sets the value of a key that has not been loaded.
func (l *Loader[K, V]) Prime(ctx context.Context, key K, value V) {
	l.create()
	l.batched.Prime(ctx, key, value)
}

// Clear forgets the value of a key.
func (l *Loader[K, V]) Clear(ctx context.Context, key K) {
	l.create()
	l.batched.Clear(ctx, key)
}

// Prefetch loads keys that are going to be loaded one by one with one command. Keys that fail are loaded again by Load.
func (l *Loader[K, V]) Prefetch(ctx context.Context, keys []K) {
	if len(keys) == 0 {
		return
	}
	for i, r := range l.read(ctx, keys) {
		if r.Error == nil {
			l.Prime(ctx, keys[i], r.Data)
		}
	}
}

// resolvesAlone reports whether the field being resolved is the only one of its kind in the response:
// it is in no list, and below the only root field.
func resolvesAlone(ctx context.Context) bool {
	fc := graphql.GetFieldContext(ctx)
	if fc == nil || !graphql.HasOperationContext(ctx) {
		return false
	}
	for ; fc != nil; fc = fc.Parent {
		if fc.Index != nil {
			return false
		}
	}
	roots := graphql.GetOperationContext(ctx).Operation.SelectionSet
	if len(roots) != 1 {
		return false
	}
	_, field := roots[0].(*ast.Field)
	return field
}

// read is the batch function: all keys of a failed read share one error, but a malformed record fails alone.
func (l *Loader[K, V]) read(ctx context.Context, keys []K) []*dataloader.Result[V] {
	ctx, end := l.source.batch(ctx, l.name, len(keys))
	values, err := l.fetch(ctx, keys)
	var malformed *mongo.MalformedError
	if errors.As(err, &malformed) {
		err = nil
	}
	end(err)
	if err != nil {
		err = fmt.Errorf("loading %d records: %w", len(keys), err)
	}
	results := make([]*dataloader.Result[V], len(keys))
	for i := range keys {
		results[i] = &dataloader.Result[V]{Error: err}
		if err == nil {
			results[i].Data = values[i]
		}
		if malformed != nil && malformed.Failures[i] != nil {
			results[i].Error = &mongo.MalformedError{Failures: map[int]error{0: malformed.Failures[i]}}
		}
	}
	return results
}

// Many loads a value for every key, in key order. A malformed record counts as missing, any other error fails all.
func Many[K comparable, V any](ctx context.Context, l *Loader[K, V], keys []K) ([]V, error) {
	values, errs := l.LoadMany(ctx, keys)()
	for _, err := range errs {
		if err != nil && !errors.As(err, new(*mongo.MalformedError)) {
			return nil, err
		}
	}
	return values, nil
}
