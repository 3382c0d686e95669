package cache

import (
	"strings"
	"sync"
	"sync/atomic"
)

// Everything is the tag of all values.
const Everything = "*"

// maxTags limits the remembered tags; beyond it everything is purged.
const maxTags = 20_000

// Invalidations remember purges: no cache serves a value after a purge if it was loaded before, however late it was
// stored. A tag is kind:name, such as player:6e1f…; kind:* means all names of a kind: purging it purges every name, and
// purging any name purges values tagged kind:*.
//
// The zero value is ready to use. It is safe for concurrent use.
type Invalidations struct {
	generation atomic.Uint64 // counts purges

	mu    sync.RWMutex
	all   uint64            // generation of the last purge of everything
	tags  map[string]uint64 // of the last purge of a tag
	kinds map[string]uint64 // of the last purge of any tag of a kind
}

// Generation counts the purges so far. Read it before loading the records of a value.
func (i *Invalidations) Generation() uint64 { return i.generation.Load() }

// Purge invalidates every value with one of the tags.
func (i *Invalidations) Purge(tags ...string) {
	if len(tags) == 0 {
		return
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	now := i.generation.Add(1)
	if i.tags == nil {
		i.tags, i.kinds = map[string]uint64{}, map[string]uint64{}
	}
	for _, tag := range tags {
		if tag == Everything {
			i.all = now
			continue
		}
		kind, _, _ := strings.Cut(tag, ":")
		i.tags[tag], i.kinds[kind] = now, now
	}
	if i.all == now || len(i.tags)+len(i.kinds) > maxTags {
		i.all = now
		clear(i.tags)
		clear(i.kinds)
	}
}

// InvalidatedSince reports whether one of the tags was purged after a generation.
func (i *Invalidations) InvalidatedSince(tags []string, generation uint64) bool {
	if i.generation.Load() == generation {
		return false
	}
	i.mu.RLock()
	defer i.mu.RUnlock()
	if i.all > generation {
		return true
	}
	for _, tag := range tags {
		kind, name, _ := strings.Cut(tag, ":")
		if i.tags[tag] > generation || name == Everything && i.kinds[kind] > generation {
			return true
		}
		if i.kinds[kind] > generation && i.tags[kind+":"+Everything] > generation {
			return true
		}
	}
	return false
}

// PurgedSince returns the names of a kind that were purged after a generation. all reports whether the whole kind was
// purged.
func (i *Invalidations) PurgedSince(kind string, generation uint64) (names []string, all bool) {
	i.mu.RLock()
	defer i.mu.RUnlock()
	if i.all > generation || i.tags[kind+":"+Everything] > generation {
		return nil, true
	}
	if i.kinds[kind] <= generation {
		return nil, false
	}
	for tag, at := range i.tags {
		if of, name, _ := strings.Cut(tag, ":"); of == kind && at > generation {
			names = append(names, name)
		}
	}
	return names, false
}
