package cache

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"
)

// clock is a time that tests turn.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) wait(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

func open(t testing.TB, o Options) (*Cache[string], *clock) {
	t.Helper()
	at := &clock{now: time.Date(2026, 3, 19, 12, 0, 0, 0, time.UTC)}
	if o.Now = at.Now; o.MaxBytes == 0 {
		o.MaxBytes = 1 << 20
	}
	c, err := New[string](o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c, at
}

// always makes a value that is kept as k says, whatever happens.
func always(k Entry[string]) func(context.Context) Entry[string] {
	return func(context.Context) Entry[string] { return k }
}

// value is what a key has, with a star when it was there before.
func value(t *testing.T, c *Cache[string], key string, make func(context.Context) Entry[string]) string {
	t.Helper()
	if k := c.Get(key); k != nil {
		return k.Value + "*"
	}
	k, hit, err := c.GetOrLoad(t.Context(), key, make)
	if err != nil {
		t.Fatal(err)
	}
	if hit {
		return k.Value + "*"
	}
	return k.Value
}

// A value is served while it is fresh, and no longer unless making a newer one fails: then
// until its stale window ends.
func TestFreshness(t *testing.T) {
	c, at := open(t, Options{})
	made := func(v string) func(context.Context) Entry[string] {
		return always(Entry[string]{Value: v, Made: at.Now(), MaxAge: time.Minute, Stale: time.Hour, Size: 1})
	}
	failing := always(Entry[string]{Value: "failed", Made: at.Now(), MaxAge: time.Minute, Stale: time.Hour, Failing: true})
	for i, step := range []struct {
		wait time.Duration
		make func(context.Context) Entry[string]
		want string
	}{
		{0, failing, "failed"},
		{0, made("one"), "one"}, // a failure is not kept
		{59 * time.Second, made("x"), "one*"},
		{time.Second, nil, "two"},
		{time.Minute, failing, "two*"},
		{999 * time.Millisecond, made("x"), "two*"}, // not tried again so soon
		{time.Millisecond, nil, "two"},
		{time.Hour + 59*time.Second, failing, "two*"},
		{time.Second, failing, "failed"},
	} {
		at.wait(step.wait)
		if step.make == nil {
			step.make = made("two")
		}
		if got := value(t, c, "key", step.make); got != step.want {
			t.Errorf("step %d: %s, want %s", i, got, step.want)
		}
	}
}

// What is made of older things is fresh for less long, or not kept at all.
func TestMadeBefore(t *testing.T) {
	for name, c := range map[string]struct {
		kept      Entry[string]
		age, left time.Duration
	}{
		"new":     {Entry[string]{MaxAge: time.Minute}, 0, time.Minute},
		"older":   {Entry[string]{MaxAge: time.Minute}, 50 * time.Second, 10 * time.Second},
		"old":     {Entry[string]{MaxAge: time.Minute, Stale: time.Hour}, time.Minute, 0},
		"no age":  {Entry[string]{Stale: time.Hour}, 0, 0},
		"failing": {Entry[string]{MaxAge: time.Minute, Failing: true}, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			kept, at := open(t, Options{})
			c.kept.Made = at.Now().Add(-c.age)
			if _, _, err := kept.GetOrLoad(t.Context(), "key", always(c.kept)); err != nil {
				t.Fatal(err)
			}
			if c.left > 0 {
				at.wait(c.left - 1)
				if kept.Get("key") == nil {
					t.Error("it is gone before its time")
				}
				at.wait(1)
			}
			if kept.Get("key") != nil {
				t.Error("it is served after its time")
			}
		})
	}
}

// However many keys there are, the room is kept to.
func TestBounded(t *testing.T) {
	const room = 1 << 20
	c, at := open(t, Options{MaxBytes: room})
	for i := range 5000 {
		body := fmt.Sprintf("%01000d", i)
		value(t, c, fmt.Sprint("key ", i), always(Entry[string]{
			Value: body, Made: at.Now(), MaxAge: time.Hour,
			Size: len(body),
		}))
	}
	kept, size := 0, 0
	c.entries.IterValues(func(e *stored[string]) bool {
		kept++
		size += len(e.key) + len(e.entry.Value)
		return false
	})
	if size > room || kept < 300 {
		t.Errorf("%d entries of %d bytes in %d", kept, size, room)
	}
	if s := c.Stats(); s.Bytes < int64(size) || s.Bytes > room || s.Evicted == 0 || s.Evicted > uint64(5000-kept) {
		t.Errorf("%+v, with %d entries of %d bytes", s, kept, size)
	}
	// What is larger than the whole is made and not kept.
	if got := value(t, c, "large", always(Entry[string]{
		Value: "large", Made: at.Now(), MaxAge: time.Hour,
		Size: 2 * room,
	})); got != "large" || c.Get("large") != nil {
		t.Error("it is kept, or was not made", got)
	}
}

// An entry is found by its whole key, not by a hash of it.
func TestWholeKey(t *testing.T) {
	c, at := open(t, Options{})
	e := &stored[string]{key: "another", entry: Entry[string]{Made: at.Now(), MaxAge: time.Hour}}
	if !c.entries.Set("key", e, 1) {
		t.Fatal("not set")
	}
	c.entries.Wait()
	if c.Get("key") != nil || c.stale("key") != nil {
		t.Error("a key finds what another one keeps")
	}
}

func TestAppendText(t *testing.T) {
	join := func(texts ...string) string {
		var key []byte
		for _, s := range texts {
			key = AppendString(key, s)
		}
		return string(key)
	}
	seen := map[string]bool{}
	for _, list := range [][]string{{""}, {"", ""}, {"ab"}, {"a", "b"}, {"a", "", "b"}, {"1:a"}, {"a1:b"}, {"a", "1:b"}} {
		if key := join(list...); seen[key] {
			t.Errorf("%q has the key %q of another", list, key)
		} else {
			seen[key] = true
		}
	}
}

// What is purged leaves room, and gave way to nothing.
func TestState(t *testing.T) {
	c, at := open(t, Options{})
	value(t, c, "key", always(Entry[string]{Value: "one", Made: at.Now(), MaxAge: time.Hour, Size: 1000}))
	if s := c.Stats(); s.Bytes < 1000 || s.Bytes > 2000 || s.Evicted != 0 {
		t.Errorf("%+v", s)
	}
	c.o.Invalidations.Purge(Everything)
	if c.Get("key") != nil {
		t.Error("it is there still")
	}
	c.Wait()
	if s := c.Stats(); s != (Stats{}) {
		t.Errorf("%+v", s)
	}
}
