package loaders

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"gamedata/mongo"
)

// Loader loads the values of keys for one operation, each key once. The keys of a list are one batch: it is read when no
// further key came for a moment. A key that no other can join is read immediately.
type Loader[K comparable, V any] struct {
	source *Source
	name   string
	fetch  func(context.Context, []K) ([]V, error)

	mu      sync.Mutex
	results map[K]*result[V]
	open    *batch[K, V] // that keys join; nil if there is none
}

// result is the value of a key when done is closed.
type result[V any] struct {
	done  chan struct{}
	value V
	err   error
}

func (r *result[V]) wait() (V, error) {
	<-r.done
	return r.value, r.err
}

// batch has the keys of one read.
type batch[K comparable, V any] struct {
	keys    []K
	results []*result[V]
	full    chan struct{} // closed when no key can join
}

const (
	// maxBatch is the number of keys of one command.
	maxBatch = 1000
	// maxLooks is how often it is looked whether further keys came: as long as a machine is busy they come slowly.
	maxLooks = 20
)

// newLoader returns a loader that fetches with a plural read, which returns values in key order.
func newLoader[K comparable, V any](s *Source, name string, fetch func(context.Context, []K) ([]V, error),
) *Loader[K, V] {
	return &Loader[K, V]{source: s, name: name, fetch: fetch}
}

// Load starts loading the value of a key; the function that it returns waits for it.
func (l *Loader[K, V]) Load(ctx context.Context, key K) func() (V, error) {
	if !resolvesAlone(ctx) {
		return l.join(ctx, []K{key})[0].wait
	}
	l.mu.Lock()
	r, known := l.results[key]
	if !known {
		r = l.add(key)
	}
	l.mu.Unlock()
	if !known {
		go l.read(ctx, &batch[K, V]{keys: []K{key}, results: []*result[V]{r}})
	}
	return r.wait
}

// LoadMany starts loading the values of keys; the function that it returns waits for them. Its second result has an
// error for each key, or is nil.
func (l *Loader[K, V]) LoadMany(ctx context.Context, keys []K) func() ([]V, []error) {
	results := l.join(ctx, keys)
	return func() (values []V, errs []error) {
		values = make([]V, len(results))
		for i, r := range results {
			var err error
			if values[i], err = r.wait(); err != nil {
				if errs == nil {
					errs = make([]error, len(results))
				}
				errs[i] = err
			}
		}
		return values, errs
	}
}

// add adds the result of a key that has none. The caller holds the lock.
func (l *Loader[K, V]) add(key K) *result[V] {
	if l.results == nil {
		l.results = map[K]*result[V]{}
	}
	r := &result[V]{done: make(chan struct{})}
	l.results[key] = r
	return r
}

// join adds keys to the open batch and returns their results.
func (l *Loader[K, V]) join(ctx context.Context, keys []K) []*result[V] {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := make([]*result[V], len(keys))
	for i, key := range keys {
		r, known := l.results[key]
		if out[i] = r; known {
			continue
		}
		out[i] = l.add(key)
		b := l.open
		if b == nil {
			b = &batch[K, V]{full: make(chan struct{})}
			l.open = b
			go l.gather(ctx, b)
		}
		b.keys, b.results = append(b.keys, key), append(b.results, out[i])
		if len(b.keys) == maxBatch {
			close(b.full)
			l.open = nil
		}
	}
	return out
}

// gather reads a batch when no further key came for half of the time that a batch waits, or it is full.
func (l *Loader[K, V]) gather(ctx context.Context, b *batch[K, V]) {
	before := 0
	for range maxLooks {
		select {
		case <-b.full:
			l.read(ctx, b)
			return
		case <-time.After(l.source.wait / 2):
		}
		l.mu.Lock()
		n := len(b.keys)
		l.mu.Unlock()
		if n == before {
			break
		}
		before = n
	}
	l.mu.Lock()
	if l.open == b {
		l.open = nil
	}
	l.mu.Unlock()
	l.read(ctx, b)
}

// Prime sets the value of a key that has not been loaded.
func (l *Loader[K, V]) Prime(key K, value V) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.results[key] == nil {
		r := l.add(key)
		r.value = value
		close(r.done)
	}
}

// Clear forgets the value of a key.
func (l *Loader[K, V]) Clear(key K) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.results, key)
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

// read reads a batch: all keys of a failed read share one error, but a malformed record fails alone.
func (l *Loader[K, V]) read(ctx context.Context, b *batch[K, V]) {
	values, err := l.values(ctx, b.keys)
	var malformed *mongo.MalformedError
	if errors.As(err, &malformed) {
		err = nil
	}
	if err != nil {
		err = fmt.Errorf("loading %d records: %w", len(b.keys), err)
	}
	for i, r := range b.results {
		switch {
		case err != nil:
			r.err = err
		case malformed != nil && malformed.Failures[i] != nil:
			r.err = &mongo.MalformedError{Failures: map[int]error{0: malformed.Failures[i]}}
		default:
			r.value = values[i]
		}
		close(r.done)
	}
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
