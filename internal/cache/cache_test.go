package cache

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"
)

// clock is a time that tests move.
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
	o.Now = at.Now
	if o.MaxBytes == 0 {
		o.MaxBytes = 1 << 20
	}
	c, err := New[string](o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c, at
}

// always returns a load function that returns the entry.
func always(e Entry[string]) func(context.Context) Entry[string] {
	return func(context.Context) Entry[string] { return e }
}

// value returns the value of a key, with a star when it was cached.
func value(t *testing.T, c *Cache[string], key string, load func(context.Context) Entry[string]) string {
	t.Helper()
	if e := c.Get(key); e != nil {
		return e.Value + "*"
	}
	e, hit, err := c.GetOrLoad(t.Context(), key, load)
	if err != nil {
		t.Fatal(err)
	}
	if hit {
		return e.Value + "*"
	}
	return e.Value
}

// A value is served while it is fresh and, if loading a newer one fails, until its stale window ends.
func TestFreshness(t *testing.T) {
	c, at := open(t, Options{})
	made := func(v string) func(context.Context) Entry[string] {
		return always(Entry[string]{Value: v, Made: at.Now(), MaxAge: time.Minute, Stale: time.Hour, Size: 1})
	}
	failing := always(Entry[string]{Value: "failed", Made: at.Now(), MaxAge: time.Minute, Stale: time.Hour, Failing: true})
	for i, step := range []struct {
		wait time.Duration
		load func(context.Context) Entry[string]
		want string
	}{
		{0, failing, "failed"},
		{0, made("one"), "one"}, // a failure is not cached
		{59 * time.Second, made("x"), "one*"},
		{time.Second, nil, "two"},
		{time.Minute, failing, "two*"},
		{999 * time.Millisecond, made("x"), "two*"}, // not retried so soon
		{time.Millisecond, nil, "two"},
		{time.Hour + 59*time.Second, failing, "two*"},
		{time.Second, failing, "failed"},
	} {
		at.wait(step.wait)
		if step.load == nil {
			step.load = made("two")
		}
		if got := value(t, c, "key", step.load); got != step.want {
			t.Errorf("step %d: %s, want %s", i, got, step.want)
		}
	}
}

// A value made of older records is fresh for a shorter time, or not cached at all.
func TestOlderRecords(t *testing.T) {
	for name, c := range map[string]struct {
		entry     Entry[string]
		age, left time.Duration
	}{
		"new":     {Entry[string]{MaxAge: time.Minute}, 0, time.Minute},
		"older":   {Entry[string]{MaxAge: time.Minute}, 50 * time.Second, 10 * time.Second},
		"old":     {Entry[string]{MaxAge: time.Minute, Stale: time.Hour}, time.Minute, 0},
		"no age":  {Entry[string]{Stale: time.Hour}, 0, 0},
		"failing": {Entry[string]{MaxAge: time.Minute, Failing: true}, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			cached, at := open(t, Options{})
			c.entry.Made = at.Now().Add(-c.age)
			if _, _, err := cached.GetOrLoad(t.Context(), "key", always(c.entry)); err != nil {
				t.Fatal(err)
			}
			if c.left > 0 {
				at.wait(c.left - 1)
				if cached.Get("key") == nil {
					t.Error("it expired too early")
				}
				at.wait(1)
			}
			if cached.Get("key") != nil {
				t.Error("it is served after it expired")
			}
		})
	}
}

// However many keys there are, the cache stays within MaxBytes.
func TestMaxBytes(t *testing.T) {
	const maxBytes = 1 << 20
	c, at := open(t, Options{MaxBytes: maxBytes})
	for i := range 5000 {
		body := fmt.Sprintf("%01000d", i)
		value(t, c, fmt.Sprint("key ", i), always(Entry[string]{
			Value: body, Made: at.Now(), MaxAge: time.Hour, Size: len(body),
		}))
	}
	entries, size := 0, 0
	c.entries.IterValues(func(e *stored[string]) bool {
		entries++
		size += len(e.key) + len(e.entry.Value)
		return false
	})
	if size > maxBytes || entries < 300 {
		t.Errorf("%d entries of %d bytes in %d", entries, size, maxBytes)
	}
	if s := c.Stats(); s.Bytes < int64(size) || s.Bytes > maxBytes || s.Evicted == 0 || s.Evicted > uint64(5000-entries) {
		t.Errorf("%+v, with %d entries of %d bytes", s, entries, size)
	}
	// A value larger than MaxBytes is returned and not cached.
	if got := value(t, c, "large", always(Entry[string]{
		Value: "large", Made: at.Now(), MaxAge: time.Hour, Size: 2 * maxBytes,
	})); got != "large" || c.Get("large") != nil {
		t.Error("it is cached, or was not returned:", got)
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
		t.Error("a key finds the value of another")
	}
}

func TestAppendString(t *testing.T) {
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

// A purged value frees its bytes and does not count as evicted.
func TestStats(t *testing.T) {
	c, at := open(t, Options{})
	value(t, c, "key", always(Entry[string]{Value: "one", Made: at.Now(), MaxAge: time.Hour, Size: 1000}))
	if s := c.Stats(); s.Bytes < 1000 || s.Bytes > 2000 || s.Evicted != 0 {
		t.Errorf("%+v", s)
	}
	c.o.Invalidations.Purge(Everything)
	if c.Get("key") != nil {
		t.Error("it is still cached")
	}
	c.Wait()
	if s := c.Stats(); s != (Stats{}) {
		t.Errorf("%+v", s)
	}
}
