package cache

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"
)

// A purge invalidates the values with its tags and no others.
func TestPurge(t *testing.T) {
	for name, c := range map[string]struct {
		tags  string // of the value, comma separated
		purge string
		want  bool // the value is invalid
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
			cached, at := open(t, Options{})
			tags := strings.FieldsFunc(c.tags, func(r rune) bool { return r == ',' })
			made := always(Entry[string]{Value: "one", Made: at.Now(), MaxAge: time.Minute, Stale: time.Hour, Tags: tags})
			value(t, cached, "key", made)
			cached.o.Invalidations.Purge(strings.FieldsFunc(c.purge, func(r rune) bool { return r == ',' })...)
			if got := cached.Get("key") == nil; got != c.want {
				t.Errorf("invalid: %v", got)
			}
			if cached.stale("key") == nil != c.want {
				t.Error("whether it is served stale differs")
			}
			value(t, cached, "key", made)
			if cached.Get("key") == nil {
				t.Error("a value loaded after the purge is not cached")
			}
		})
	}
}

// A value whose load began before a purge is returned to earlier callers and not cached; later callers
// get a new one.
func TestPurgeDuringLoad(t *testing.T) {
	c, at := open(t, Options{})
	started, release := make(chan struct{}), make(chan struct{})
	entry := Entry[string]{Value: "new", Made: at.Now(), MaxAge: time.Minute, Tags: []string{"player:a"}}
	before := c.loadAsync(context.Background(), func(context.Context) Entry[string] {
		close(started)
		<-release
		return entry
	})
	<-started
	c.o.Invalidations.Purge("player:a")
	if got := value(t, c, "key", always(entry)); got != "new" {
		t.Error(got)
	}
	c.entries.Clear()
	close(release)
	if err := <-before; err != nil {
		t.Error(err)
	}
	if c.Get("key") != nil {
		t.Error("a value whose load began before the purge is cached")
	}
}

// However many tags are purged, few are remembered, and those forgotten are purged.
func TestInvalidationsAreBounded(t *testing.T) {
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
		t.Error("a value loaded after all purges is invalid")
	}
}
