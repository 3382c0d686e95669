package loaders

import (
	"context"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"gamedata/internal/cache"
)

// maxTags is how many things of a kind an answer is tagged with one by one; what is made of
// more is tagged with all of them.
const maxTags = 200

// Allowance is what an operation may take of what is kept.
type Allowance struct {
	// MaxAge is how old it may be; 0 has everything read anew.
	MaxAge time.Duration
	// Own are the uuids of players that are read anew all the same: who changes something sees
	// it at once.
	Own []string
	// Source names the door that the operation came through.
	Source string
}

// Allow tells what the operation may take of what is kept; nothing until then.
func (set *Set) Allow(a Allowance) { set.allowed = a }

// Reading is what an operation read.
type Reading struct {
	// Oldest is when the oldest record was fetched that was kept from before, and Source the
	// door it was fetched for; the zero time when all came from the store. The resources of
	// territories do not count: they may be a minute old in whatever shows them (SPEC §4).
	Oldest time.Time
	Source string
	// Tags name what was read: player:<uuid>, guild:<uuid>, content:<family>, each sorted; * is
	// the name of many.
	Tags []string
	// Store is how long the commands to the store took, added up.
	Store time.Duration
}

// trail is a Reading as it comes to be.
type trail struct {
	mu     sync.Mutex
	oldest time.Time
	source string
	tags   map[string]map[string]struct{} // kind → names
	store  atomic.Int64                   // nanoseconds
}

// Read tells what the operation of a context read so far.
func Read(ctx context.Context) Reading {
	set := From(ctx)
	if set == nil {
		return Reading{}
	}
	r := &set.read
	r.mu.Lock()
	defer r.mu.Unlock()
	out := Reading{Oldest: r.oldest, Source: r.source, Store: time.Duration(r.store.Load())}
	for _, kind := range slices.Sorted(maps.Keys(r.tags)) {
		names := r.tags[kind]
		if _, many := names[cache.Everything]; many || len(names) > maxTags {
			out.Tags = append(out.Tags, kind+":"+cache.Everything)
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(names)) {
			out.Tags = append(out.Tags, kind+":"+name)
		}
	}
	return out
}

// of tells that something was read.
func (r *trail) of(kind, name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	names := r.tags[kind]
	if names == nil {
		if r.tags == nil {
			r.tags = map[string]map[string]struct{}{}
		}
		names = map[string]struct{}{}
		r.tags[kind] = names
	}
	if len(names) <= maxTags {
		names[name] = struct{}{}
	}
}

// from tells when something was fetched that was kept, and for which door.
func (r *trail) from(at time.Time, source string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.oldest.IsZero() || at.Before(r.oldest) {
		r.oldest, r.source = at, source
	}
}

// find gives what is kept under a key, when the operation may take it. It does not count as
// read until from and of are told.
func (set *Set) find(key string) *cache.Entry[stored] {
	r := set.source.records
	if r == nil || set.allowed.MaxAge <= 0 {
		return nil
	}
	k := r.kept.Get(key)
	if k == nil || r.now().Sub(k.Made) >= set.allowed.MaxAge {
		return nil
	}
	return k
}
