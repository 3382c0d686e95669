package cache

import (
	"strings"
	"sync"
	"sync/atomic"
)

// Everything is the tag of all values.
const Everything = "*"

// ledgerRoom bounds the tags that a ledger remembers; beyond it everything is purged.
const ledgerRoom = 20_000

// Ledger remembers what was purged, so that nothing made before is served after, whichever
// cache keeps it and however it came to be kept late. A tag is kind:name, such as
// player:6e1f…; kind:* stands for all names of a kind: purging it purges each of them, and a
// value that is tagged with it goes with any of them.
//
// The zero Ledger is ready. It is safe for concurrent use.
type Ledger struct {
	count atomic.Uint64 // of purges; a value that begins now outlives all of them

	mu    sync.RWMutex
	floor uint64            // the last purge of everything
	tags  map[string]uint64 // the last purge of a tag
	kinds map[string]uint64 // the last purge of any tag of a kind
}

// Count is the number of purges so far. Who makes a value asks before he reads what it is
// made of.
func (l *Ledger) Count() uint64 { return l.count.Load() }

// Purge makes an end of all values that have one of the tags.
func (l *Ledger) Purge(tags ...string) {
	if len(tags) == 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.count.Add(1)
	if l.tags == nil {
		l.tags, l.kinds = map[string]uint64{}, map[string]uint64{}
	}
	for _, tag := range tags {
		if tag == Everything {
			l.floor = now
			continue
		}
		kind, _, _ := strings.Cut(tag, ":")
		l.tags[tag], l.kinds[kind] = now, now
	}
	if l.floor == now || len(l.tags)+len(l.kinds) > ledgerRoom {
		l.floor = now
		clear(l.tags)
		clear(l.kinds)
	}
}

// Gone reports whether one of the tags was purged later than when count purges had been made.
func (l *Ledger) Gone(tags []string, count uint64) bool {
	if l.count.Load() == count {
		return false
	}
	l.mu.RLock()
	defer l.mu.RUnlock()
	if l.floor > count {
		return true
	}
	for _, tag := range tags {
		kind, name, _ := strings.Cut(tag, ":")
		if l.tags[tag] > count || name == Everything && l.kinds[kind] > count {
			return true
		}
		if l.kinds[kind] > count && l.tags[kind+":"+Everything] > count {
			return true
		}
	}
	return false
}
