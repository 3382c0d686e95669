package loaders

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/graph-gophers/dataloader/v7"
	"github.com/vektah/gqlparser/v2/ast"

	"gamedata/mongo"
)

const (
	// batchWait is how long a batch waits for more keys of its level.
	batchWait = 2 * time.Millisecond
	// maxBatch is the number of keys of one command.
	maxBatch = 1000
)

// Loader loads the values of keys for one operation, each key once. It is an interface because packages that use a
// Loader would compile the methods of every loader again.
type Loader[K comparable, V any] interface {
	// Load starts loading the value of a key; the returned function waits for it.
	Load(ctx context.Context, key K) dataloader.Thunk[V]
	// LoadMany starts loading the values of keys; the returned function waits for them. Its second result holds an
	// error for each key, or is nil.
	LoadMany(ctx context.Context, keys []K) dataloader.ThunkMany[V]
	// Prime sets the value of a key that has not been loaded.
	Prime(key K, value V)
	// Clear forgets the value of a key.
	Clear(key K)
}

// loader is a Loader. It only converts; what works on any is compiled once, for all loaders.
type loader[K comparable, V any] struct{ *batchLoader }

// newLoader returns a loader around a batch read, which returns values in key order.
func newLoader[K comparable, V any](s *Source, name string, fetch func(context.Context, []K) ([]V, error),
) Loader[K, V] {
	return loader[K, V]{&batchLoader{source: s, name: name, fetch: func(ctx context.Context, keys []any) ([]any, error) {
		typed := make([]K, len(keys))
		for i, key := range keys {
			typed[i] = key.(K)
		}
		values, err := fetch(ctx, typed)
		out := make([]any, len(values))
		for i, value := range values {
			out[i] = value
		}
		return out, err
	}}}
}

func (l loader[K, V]) Load(ctx context.Context, key K) dataloader.Thunk[V] {
	thunk := l.load(ctx, key)
	return func() (V, error) {
		loaded, err := thunk()
		value, _ := loaded.(V) // there is none beside an error
		return value, err
	}
}

// LoadMany does not use LoadMany of the dataloader, which starts a goroutine per key: on a busy machine some of them
// miss the batch.
func (l loader[K, V]) LoadMany(ctx context.Context, keys []K) dataloader.ThunkMany[V] {
	batches := l.start()
	thunks := make([]dataloader.Thunk[any], len(keys))
	for i, key := range keys {
		thunks[i] = batches.Load(ctx, key)
	}
	return func() ([]V, []error) {
		values, errs := make([]V, len(keys)), make([]error, len(keys))
		failed := false
		for i, thunk := range thunks {
			loaded, err := thunk()
			values[i], _ = loaded.(V)
			errs[i], failed = err, failed || err != nil
		}
		if !failed {
			errs = nil
		}
		return values, errs
	}
}

func (l loader[K, V]) Prime(key K, value V) {
	l.start().Prime(context.Background(), key, value)
}

func (l loader[K, V]) Clear(key K) {
	l.start().Clear(context.Background(), key)
}

// batchLoader loads values of keys of one type. The elements of a list request their keys separately, so a batch waits
// a moment for more keys. A key that no other key can join is read at once.
type batchLoader struct {
	source *Source
	name   string
	fetch  func(context.Context, []any) ([]any, error)

	// Created on first use, since most operations use few of their loaders.
	once    sync.Once
	results dataloader.Cache[any, any]
	batches *dataloader.Loader[any, any] // reads and fills results

	mu sync.Mutex // guards readNow: fields may request one key concurrently
}

func (l *batchLoader) start() *dataloader.Loader[any, any] {
	l.once.Do(func() {
		l.results = dataloader.NewCache[any, any]()
		l.batches = dataloader.NewBatchedLoader(l.read, dataloader.WithCache(l.results),
			dataloader.WithWait[any, any](l.source.o.Wait), dataloader.WithBatchCapacity[any, any](maxBatch))
	})
	return l.batches
}

func (l *batchLoader) load(ctx context.Context, key any) dataloader.Thunk[any] {
	batches := l.start()
	if resolvesAlone(ctx) {
		l.readNow(ctx, key)
	}
	return batches.Load(ctx, key)
}

// readNow starts reading a key that has no result yet.
func (l *batchLoader) readNow(ctx context.Context, key any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, known := l.results.Get(ctx, key); known {
		return
	}
	var r *dataloader.Result[any]
	done := make(chan struct{}) // no sync.Once: simulated time stops while a goroutine waits for a lock
	l.results.Set(ctx, key, func() (any, error) {
		<-done
		return r.Data, r.Error
	})
	go func() {
		defer close(done)
		r = l.read(ctx, []any{key})[0]
	}()
}

// resolvesAlone reports whether the response resolves the current field only once: no list contains it, and the
// operation has one root field.
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

// read reads keys. If the read fails, all keys share the error; a malformed record fails alone.
func (l *batchLoader) read(ctx context.Context, keys []any) []*dataloader.Result[any] {
	ctx, end := l.source.o.Batch(ctx, l.name, len(keys))
	values, err := recovering(func() ([]any, error) { return l.fetch(ctx, keys) })
	var malformed *mongo.MalformedError
	if errors.As(err, &malformed) {
		err = nil
	}
	end(err)
	if err != nil {
		err = fmt.Errorf("loading %d records: %w", len(keys), err)
	}
	results := make([]*dataloader.Result[any], len(keys))
	for i := range keys {
		results[i] = &dataloader.Result[any]{Error: err}
		switch {
		case err != nil:
		case malformed != nil && malformed.Failures[i] != nil:
			results[i].Error = &mongo.MalformedError{Failures: map[int]error{0: malformed.Failures[i]}}
		default:
			results[i].Data = values[i]
		}
	}
	return results
}

// Many loads a value for each key, in key order. A malformed record counts as missing; any other error fails the whole
// call.
func Many[K comparable, V any](ctx context.Context, l Loader[K, V], keys []K) ([]V, error) {
	values, errs := l.LoadMany(ctx, keys)()
	for _, err := range errs {
		if err != nil && !errors.As(err, new(*mongo.MalformedError)) {
			return nil, err
		}
	}
	return values, nil
}
