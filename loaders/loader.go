package loaders

import (
	"context"
	"fmt"

	"github.com/99designs/gqlgen/graphql"
	"github.com/graph-gophers/dataloader/v7"
	"github.com/vektah/gqlparser/v2/ast"
)

// Loader loads the values of keys for one operation, nothing twice. Keys of one list are asked
// for together, so each waits a moment for the others; one that no other can come beside is
// asked for at once.
type Loader[K comparable, V any] struct {
	*dataloader.Loader[K, V]
	atOnce *dataloader.Loader[K, V]
	read   dataloader.BatchFunc[K, V]
}

func batched[K comparable, V any](s *Source, name string, fetch func(context.Context, []K) ([]V, error)) *Loader[K, V] {
	read, known := batchFunction(s.told(name), fetch), dataloader.NewCache[K, V]()
	return &Loader[K, V]{
		dataloader.NewBatchedLoader(read, dataloader.WithCache[K, V](known), dataloader.WithWait[K, V](s.wait),
			dataloader.WithBatchCapacity[K, V](capacity)),
		dataloader.NewBatchedLoader(read, dataloader.WithCache[K, V](known), dataloader.WithBatchCapacity[K, V](1)),
		read,
	}
}

// Load begins to load the value of a key; the function it returns waits for it.
func (l *Loader[K, V]) Load(ctx context.Context, key K) dataloader.Thunk[V] {
	if alone(ctx) {
		return l.atOnce.Load(ctx, key)
	}
	return l.Loader.Load(ctx, key)
}

// Ahead loads keys that are going to be asked for one by one, with one command. What cannot be
// loaded is tried again when it is asked for.
func (l *Loader[K, V]) Ahead(ctx context.Context, keys []K) {
	if len(keys) == 0 {
		return
	}
	for i, r := range l.read(ctx, keys) {
		if r.Error == nil {
			l.Prime(ctx, keys[i], r.Data)
		}
	}
}

// alone reports whether the field being resolved is the only one of its kind in the answer: it
// stands in no list, and below the only root field.
func alone(ctx context.Context) bool {
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

// batchFunction turns a plural read, which answers in key order, into a batch function.
// A failure is told once with the number of keys, then shared by all of them.
func batchFunction[K comparable, V any](begin func(context.Context, int) (context.Context, func(error)),
	fetch func(context.Context, []K) ([]V, error),
) dataloader.BatchFunc[K, V] {
	return func(ctx context.Context, keys []K) []*dataloader.Result[V] {
		end := func(error) {}
		if begin != nil {
			ctx, end = begin(ctx, len(keys))
		}
		values, err := fetch(ctx, keys)
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
		}
		return results
	}
}

// Many loads a value for every key, in key order. The first failure fails all.
func Many[K comparable, V any](ctx context.Context, l *Loader[K, V], keys []K) ([]V, error) {
	values, errs := l.LoadMany(ctx, keys)()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return values, nil
}
