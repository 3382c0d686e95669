package loaders

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"gamedata/mongo"
)

// Keys that come one after the other join one batch, as long as the pauses are short and there is room.
func TestBatchesWaitForSlowKeys(t *testing.T) {
	for name, c := range map[string]struct {
		keys  int
		pause time.Duration
		want  []int // keys of each read
	}{
		"at once":        {50, 0, []int{50}},
		"short pauses":   {10, defaultWait / 3, []int{10}},
		"long pauses":    {3, 2 * defaultWait, []int{1, 1, 1}},
		"more than fit":  {maxBatch + 5, 0, []int{maxBatch, 5}},
		"without an end": {400, defaultWait * 3 / 10, []int{334, 66}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var mu sync.Mutex
				var reads []int
				l := newLoader(testSource(), name, func(_ context.Context, keys []int) ([]int, error) {
					mu.Lock()
					defer mu.Unlock()
					reads = append(reads, len(keys))
					return keys, nil
				})
				for key := range c.keys {
					l.Load(t.Context(), key)
					time.Sleep(c.pause)
				}
				if v, err := l.Load(t.Context(), 0)(); v != 0 || err != nil { // known by now
					t.Errorf("got %d, %v", v, err)
				}
				synctest.Wait()
				time.Sleep(time.Second)
				mu.Lock()
				defer mu.Unlock()
				if slices.Sort(reads); !slices.Equal(reads, slices.Sorted(slices.Values(c.want))) {
					t.Errorf("read %v keys, want %v", reads, c.want)
				}
			})
		})
	}
}

// The keys of a list are read at once, also when the machine is too busy to request them quickly.
func TestListIsOneBatchOnABusyMachine(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	for range 4 * runtime.GOMAXPROCS(0) {
		go func() {
			for ctx.Err() == nil {
			}
		}()
	}
	keys := make([]int, 300)
	for i := range keys {
		keys[i] = i
	}
	for range 20 {
		var reads atomic.Int64
		l := newLoader(testSource(), "busy", func(_ context.Context, keys []int) ([]int, error) {
			reads.Add(1)
			return keys, nil
		})
		if values, errs := l.LoadMany(ctx, keys)(); errs != nil || !slices.Equal(values, keys) || reads.Load() != 1 {
			t.Fatalf("got %d values in %d reads, %v", len(values), reads.Load(), errs)
		}
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
	return &Source{wait: defaultWait, batch: func(ctx context.Context, _ string, _ int) (context.Context, func(error)) {
		return ctx, func(error) {}
	}}
}

func malformedAt(i int) error {
	return &mongo.MalformedError{Failures: map[int]error{i: errors.New("bad")}}
}
