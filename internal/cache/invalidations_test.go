package cache

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"
)

// What one purge takes with it, and what it leaves.
func TestPurge(t *testing.T) {
	for name, c := range map[string]struct {
		tags  string // of the value, comma separated
		purge string
		gone  bool
	}{
		"its tag":              {"player:a,guild:m", "player:a", true},
		"one of several":       {"player:a,guild:m", "guild:x,guild:m", true},
		"another tag":          {"player:a,guild:m", "player:b", false},
		"a name of another":    {"player:a", "guild:a", false},
		"the whole kind":       {"player:a", "player:*", true},
		"another kind":         {"player:a", "guild:*", false},
		"everything":           {"player:a", "*", true},
		"everything, no tags":  {"", "*", true},
		"no tags":              {"", "player:a", false},
		"of many":              {"player:*", "player:a", true},
		"of many of a kind":    {"guild:*", "player:a", false},
		"of many, whole kind":  {"player:*", "player:*", true},
		"nothing":              {"player:a", "", false},
		"part of its name":     {"player:ab", "player:a", false},
		"a kind without names": {"player:a", "player", false},
	} {
		t.Run(name, func(t *testing.T) {
			kept, at := open(t, Options{})
			tags := strings.FieldsFunc(c.tags, func(r rune) bool { return r == ',' })
			made := always(Entry[string]{Value: "one", Made: at.Now(), MaxAge: time.Minute, Stale: time.Hour, Tags: tags})
			value(t, kept, "key", made)
			kept.o.Invalidations.Purge(strings.FieldsFunc(c.purge, func(r rune) bool { return r == ',' })...)
			if got := kept.Get("key") == nil; got != c.gone {
				t.Errorf("it is gone: %v", got)
			}
			if kept.stale("key") == nil != c.gone {
				t.Error("a store that fails makes another of it")
			}
			value(t, kept, "key", made)
			if kept.Get("key") == nil {
				t.Error("what is made after the purge is not kept")
			}
		})
	}
}

// What was begun before a purge is given to those who asked before it, and not kept; who asks
// after it gets what is made after it.
func TestPurgeDuringFlight(t *testing.T) {
	c, at := open(t, Options{})
	started, release := make(chan struct{}), make(chan struct{})
	kept := Entry[string]{Value: "new", Made: at.Now(), MaxAge: time.Minute, Tags: []string{"player:a"}}
	before := c.asking(context.Background(), func(context.Context) Entry[string] {
		close(started)
		<-release
		return kept
	})
	<-started
	c.o.Invalidations.Purge("player:a")
	if got := value(t, c, "key", always(kept)); got != "new" {
		t.Error(got)
	}
	c.entries.Clear()
	close(release)
	if err := <-before; err != nil {
		t.Error(err)
	}
	if c.Get("key") != nil {
		t.Error("what was begun before the purge is kept")
	}
}

// However many tags are purged, the ledger is bounded, and what it forgets is purged.
func TestLedgerIsBounded(t *testing.T) {
	l := new(Invalidations)
	l.Purge("guild:seen")
	since := l.Generation()
	for i := range 3 * maxTags {
		l.Purge(fmt.Sprint("player:", i))
	}
	if n := len(l.tags) + len(l.kinds); n > maxTags {
		t.Errorf("%d tags are remembered", n)
	}
	if !l.InvalidatedSince([]string{"player:0"}, since) {
		t.Error("a purge is forgotten")
	}
	if l.InvalidatedSince([]string{"player:0"}, l.Generation()) {
		t.Error("what is made after all purges is gone")
	}
}
