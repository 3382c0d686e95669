package ratelimit_test

import (
	"fmt"
	"testing"
	"time"

	"gamedata/internal/ratelimit"
)

func TestFullCountersAreDropped(t *testing.T) {
	c := newClock()
	l := ratelimit.New(ratelimit.Options{Now: c.Now})
	for i := range 5000 {
		l.Take("ITEMS", fmt.Sprint(i), 1, perMinute(50))
	}
	if l.Keys() != 5000 {
		t.Fatalf("%d counters, want 5000", l.Keys())
	}
	peek(l, "peeked", perMinute(50))
	if l.Keys() != 5000 {
		t.Error("a peek made a counter")
	}
	l.Take("ITEMS", "spent", 50, perMinute(50))
	c.Add(11 * time.Second)
	for i := range 1000 { // every shard gets a request
		l.Take("ITEMS", fmt.Sprint("late", i), 1, perMinute(50))
	}
	if l.Keys() != 1001 {
		t.Errorf("%d counters, want the 1000 new and the spent one", l.Keys())
	}
	if d := peek(l, "spent", perMinute(50)); d.Remaining != 9 {
		t.Errorf("spent counter has %d left after 11 s, want 9", d.Remaining)
	}
}

// A flood of other keys neither grows the limiter nor resets a spent key, and the keys beyond the
// bound share one counter.
func TestFloodResetsNoKey(t *testing.T) {
	c := newClock()
	const bound = 500 // one shard
	l := ratelimit.New(ratelimit.Options{Now: c.Now, MaxKeys: bound})
	l.Take("ITEMS", "spent", 50, perMinute(50))
	passed := 0
	for i := range 20_000 {
		if l.Take("ITEMS", fmt.Sprint(i), 50, perMinute(50)).Allowed {
			passed++
		}
		if l.Keys() > bound {
			t.Fatalf("%d counters after %d keys, bound %d", l.Keys(), i, bound)
		}
	}
	if want := bound - 1 + 1; passed != want { // own counters, and one overflow counter
		t.Errorf("%d of the flood passed, want %d", passed, want)
	}
	if d := l.Take("ITEMS", "spent", 1, perMinute(50)); d.Allowed {
		t.Error("the spent key was reset")
	}
	if d := peek(l, "new", perMinute(50)); d.Allowed {
		t.Error("a new key peeks another counter than it would be charged on")
	}
	if d := l.Take("MAP", "new", 1, perMinute(50)); !d.Allowed {
		t.Error("the overflow of one bucket rejected another bucket")
	}
	if d := l.Take("ITEMS", "member", 1, perMinute(120)); !d.Allowed {
		t.Error("the overflow of guests rejected a caller of another rate")
	}
	c.Add(time.Minute)
	if d := l.Take("ITEMS", "new", 50, perMinute(50)); !d.Allowed || l.Keys() != 1 {
		t.Errorf("after the flood: %+v, %d counters", d, l.Keys())
	}
}
