package loaders

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/graph-gophers/dataloader/v7"
	"github.com/vektah/gqlparser/v2/ast"

	"gamedata/mongo"
)

// Loader loads the values of keys for one operation, each key once. The keys of a list are one batch: it is read when
// no further key came for a moment. A key that no other can join is read immediately. Most operations use few of their
// loaders: the dataloaders are created on first use.
type Loader[K comparable, V any] struct {
	source *Source
	name   string
	fetch  func(context.Context, []K) ([]V, error)

	once      sync.Once
	batched   *dataloader.Loader[K, V]
	immediate *dataloader.Loader[K, V]

	mu      sync.Mutex
	loads   int // how often keys were requested
	coming  int // lists being requested, and keys in batches of the dataloader
	joining *batch[K, V]
}

// results are the results of a loader. They count the keys that the dataloader puts into its batches.
type results[K comparable, V any] struct {
	dataloader.Cache[K, V]
	loader *Loader[K, V]
}

func (r results[K, V]) Set(ctx context.Context, key K, value dataloader.Thunk[V]) {
	r.loader.count(0, 1)
	r.Cache.Set(ctx, key, value)
}

// batch is one read of the keys of batches of the dataloader: that closes a batch some time after its first key, but on
// a busy machine the keys of a list come slowly, and would become dozens of reads.
type batch[K comparable, V any] struct {
	keys    []K
	results []*dataloader.Result[V]
	done    chan struct{} // closed when the results are set
}

const (
	// maxBatch is the number of keys of one command.
	maxBatch = 1000
	// maxLooks is how often it is looked whether further keys came.
	maxLooks = 200
)

// newLoader returns a loader that fetches with a plural read, which returns values in key order.
func newLoader[K comparable, V any](s *Source, name string, fetch func(context.Context, []K) ([]V, error),
) *Loader[K, V] {
	return &Loader[K, V]{source: s, name: name, fetch: fetch}
}

func (l *Loader[K, V]) create() {
	l.once.Do(func() {
		all := dataloader.NewCache[K, V]()
		l.batched = dataloader.NewBatchedLoader(l.join, dataloader.WithCache[K, V](results[K, V]{all, l}),
			dataloader.WithWait[K, V](l.source.wait/2), dataloader.WithBatchCapacity[K, V](maxBatch))
		l.immediate = dataloader.NewBatchedLoader(l.read, dataloader.WithCache[K, V](all),
			dataloader.WithBatchCapacity[K, V](1))
	})
}

// Load starts loading the value of a key; the function that it returns waits for it.
func (l *Loader[K, V]) Load(ctx context.Context, key K) dataloader.Thunk[V] {
	l.create()
	if resolvesAlone(ctx) {
		return l.immediate.Load(ctx, key)
	}
	l.count(1, 0)
	return l.batched.Load(ctx, key)
}

// LoadMany starts loading the values of keys; the function that it returns waits for them. Its second result has an
// error for each key, or is nil.
func (l *Loader[K, V]) LoadMany(ctx context.Context, keys []K) dataloader.ThunkMany[V] {
	l.create()
	l.count(1, 1)
	defer l.count(0, -1)
	thunks := make([]dataloader.Thunk[V], len(keys))
	for i, key := range keys {
		thunks[i] = l.batched.Load(ctx, key)
	}
	return func() ([]V, []error) {
		values, errs := make([]V, len(keys)), make([]error, len(keys))
		failed := false
		for i, thunk := range thunks {
			values[i], errs[i] = thunk()
			failed = failed || errs[i] != nil
		}
		if !failed {
			errs = nil
		}
		return values, errs
	}
}

// Prime sets the value of a key that has not been loaded.
func (l *Loader[K, V]) Prime(key K, value V) {
	l.create()
	l.immediate.Prime(context.Background(), key, value)
}

// Clear forgets the value of a key.
func (l *Loader[K, V]) Clear(key K) {
	l.create()
	l.immediate.Clear(context.Background(), key)
}

func (l *Loader[K, V]) count(loads, coming int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.loads += loads
	l.coming += coming
}

// join is the batch function of the dataloader: the first batch is read when all keys of the dataloader have joined it
// and no further key was requested for half of the time that a batch waits.
func (l *Loader[K, V]) join(ctx context.Context, keys []K) []*dataloader.Result[V] {
	l.mu.Lock()
	b := l.joining
	first := b == nil || len(b.keys)+len(keys) > maxBatch
	if first {
		b = &batch[K, V]{done: make(chan struct{})}
		l.joining = b
	}
	l.coming -= len(keys)
	from := len(b.keys)
	b.keys = append(b.keys, keys...)
	l.mu.Unlock()
	if first {
		l.gather(b)
		b.results = l.read(ctx, b.keys)
		close(b.done)
	}
	<-b.done
	return b.results[from : from+len(keys)]
}

// gather waits for further keys of a batch, and closes it.
func (l *Loader[K, V]) gather(b *batch[K, V]) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for range maxLooks {
		before := l.loads
		l.mu.Unlock()
		time.Sleep(l.source.wait / 2)
		l.mu.Lock()
		if l.coming == 0 && l.loads == before || l.joining != b || len(b.keys) == maxBatch {
			break
		}
	}
	if l.joining == b {
		l.joining = nil
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

// read reads keys: all of a failed read share one error, but a malformed record fails alone.
func (l *Loader[K, V]) read(ctx context.Context, keys []K) []*dataloader.Result[V] {
	values, err := l.values(ctx, keys)
	var malformed *mongo.MalformedError
	if errors.As(err, &malformed) {
		err = nil
	}
	if err != nil {
		err = fmt.Errorf("loading %d records: %w", len(keys), err)
	}
	results := make([]*dataloader.Result[V], len(keys))
	for i := range keys {
		results[i] = &dataloader.Result[V]{Error: err}
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

// values fetches the values of keys. A panic is an error: nothing above recovers it.
func (l *Loader[K, V]) values(ctx context.Context, keys []K) (values []V, err error) {
	ctx, end := l.source.batch(ctx, l.name, len(keys))
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
		if errors.As(err, new(*mongo.MalformedError)) {
			end(nil)
		} else {
			end(err)
		}
	}()
	return l.fetch(ctx, keys)
}

// Many loads a value for each key, in key order. A malformed record counts as missing, any other error fails all.
func Many[K comparable, V any](ctx context.Context, l *Loader[K, V], keys []K) ([]V, error) {
	values, errs := l.LoadMany(ctx, keys)()
	for _, err := range errs {
		if err != nil && !errors.As(err, new(*mongo.MalformedError)) {
			return nil, err
		}
	}
	return values, nil
}
