package loaders

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"gamedata/mongo"
)

// Keys that come soon after the first of a batch join it, as long as there is space.
func TestBatches(t *testing.T) {
	for name, c := range map[string]struct {
		keys  int
		pause time.Duration
		want  []int // keys of each read
	}{
		"at once":       {50, 0, []int{50}},
		"short pauses":  {10, batchWait / 20, []int{10}},
		"long pauses":   {3, 2 * batchWait, []int{1, 1, 1}},
		"more than fit": {maxBatch + 5, 0, []int{maxBatch, 5}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l, reads := countingLoader(name)
				for key := range c.keys {
					l.Load(t.Context(), key)
					time.Sleep(c.pause)
				}
				if v, err := l.Load(t.Context(), 0)(); v != 0 || err != nil { // known by now
					t.Errorf("got %d, %v", v, err)
				}
				time.Sleep(time.Second)
				synctest.Wait()
				if got := reads(); !slices.Equal(got, c.want) {
					t.Errorf("read %v keys, want %v", got, c.want)
				}
			})
		})
	}
}

// A key that no others can join is read without waiting.
func TestReadsLoneKeysAtOnce(t *testing.T) {
	alone := graphql.WithFieldContext(graphql.WithOperationContext(t.Context(), &graphql.OperationContext{
		Operation: &ast.OperationDefinition{SelectionSet: ast.SelectionSet{&ast.Field{}}},
	}), &graphql.FieldContext{})
	synctest.Test(t, func(t *testing.T) {
		l, reads := countingLoader("alone")
		begun := time.Now()
		l.Prime(3, 30)
		values, errs := []int{}, []error{}
		for _, ctx := range []context.Context{alone, t.Context()} { // the second finds the values of the first
			for key := range 4 {
				value, err := l.Load(ctx, key)()
				values, errs = append(values, value), append(errs, err)
			}
		}
		if err := errors.Join(errs...); err != nil || !slices.Equal(values, []int{0, 1, 2, 30, 0, 1, 2, 30}) {
			t.Errorf("got %v, %v", values, err)
		}
		if got := reads(); !slices.Equal(got, []int{1, 1, 1}) || time.Since(begun) > 0 {
			t.Errorf("read %v keys in %s, want three at once", got, time.Since(begun))
		}
	})
}

// countingLoader returns a loader of keys as their own values, and the number of keys of each read.
func countingLoader(name string) (Loader[int, int], func() []int) {
	var mu sync.Mutex
	var reads []int
	l := newLoader(testSource(), name, func(_ context.Context, keys []int) ([]int, error) {
		mu.Lock()
		defer mu.Unlock()
		reads = append(reads, len(keys))
		return keys, nil
	})
	return l, func() []int {
		mu.Lock()
		defer mu.Unlock()
		return reads
	}
}

// All keys of a failed read fail, with a panic as the error; a malformed record fails alone.
func TestFailedBatches(t *testing.T) {
	for name, c := range map[string]struct {
		fetch func(keys []int) ([]int, error)
		want  []string // errors; empty for none
	}{
		"failed": {func([]int) ([]int, error) { return nil, errors.New("gone") }, []string{"gone", "gone"}},
		"panic":  {func([]int) ([]int, error) { panic("oops") }, []string{"oops", "oops"}},
		"malformed": {
			func(keys []int) ([]int, error) { return keys, malformedAt(slices.Index(keys, 1)) }, []string{"", "bad"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newLoader(testSource(), name, func(_ context.Context, keys []int) ([]int, error) { return c.fetch(keys) })
				_, errs := l.LoadMany(t.Context(), []int{0, 1})()
				for i, want := range c.want {
					if (want == "") != (errs[i] == nil) || want != "" && !strings.Contains(errs[i].Error(), want) {
						t.Errorf("key %d: got %v, want %q", i, errs[i], want)
					}
				}
			})
		})
	}
}

func testSource() *Source {
	return New(new(mongo.Store), Options{})
}

func malformedAt(i int) error {
	return &mongo.MalformedError{Failures: map[int]error{i: errors.New("bad")}}
}
