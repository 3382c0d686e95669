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

// maxTags is the maximum number of tags of one kind on a response. A response from more records gets the tag for all
// records of the kind.
const maxTags = 200

// ReadStats describes the reads of an operation.
type ReadStats struct {
	// Oldest is when the oldest cached record in use was fetched, and Source the API for which it was fetched. Both are
	// zero if everything came from the store. Resources of territories do not count: they may be a minute old in every
	// response.
	Oldest time.Time
	Source string
	// Missing is the earliest time at which one of the records not found was known to be missing.
	Missing time.Time
	// Tags names the records read: player:<uuid>, guild:<uuid>, content:<family>, and the names used to look up players
	// and guilds. The name * means all. Tags are sorted by kind and name.
	Tags []string
	// Store is the total duration of the store's commands.
	Store time.Duration
}

// readLog collects the ReadStats of one operation.
type readLog struct {
	mu      sync.Mutex
	oldest  time.Time
	missing time.Time
	source  string
	tags    map[string]map[string]struct{} // kind → names
	store   atomic.Int64                   // nanoseconds
}

// Read returns what the operation of a context has read so far.
func Read(ctx context.Context) ReadStats {
	set := From(ctx)
	if set == nil {
		return ReadStats{}
	}
	return set.log.stats()
}

// AddStoreTime adds the duration of a command to the context's operation, if any.
func AddStoreTime(ctx context.Context, d time.Duration) {
	if set := From(ctx); set != nil {
		set.log.store.Add(int64(d))
	}
}

func (l *readLog) stats() ReadStats {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := ReadStats{Oldest: l.oldest, Missing: l.missing, Source: l.source, Store: time.Duration(l.store.Load())}
	for _, kind := range slices.Sorted(maps.Keys(l.tags)) {
		names := l.tags[kind]
		if _, all := names[cache.Everything]; all || len(names) > maxTags {
			out.Tags = append(out.Tags, kind+":"+cache.Everything)
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(names)) {
			out.Tags = append(out.Tags, kind+":"+name)
		}
	}
	return out
}

// addTag logs a read.
func (l *readLog) addTag(kind, name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	names := l.tags[kind]
	if names == nil {
		if l.tags == nil {
			l.tags = map[string]map[string]struct{}{}
		}
		names = map[string]struct{}{}
		l.tags[kind] = names
	}
	if len(names) <= maxTags {
		names[name] = struct{}{}
	}
}

// noteAge logs when a cached value was fetched, and for which API.
func (l *readLog) noteAge(at time.Time, source string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.oldest.IsZero() || at.Before(l.oldest) {
		l.oldest, l.source = at, source
	}
}

// noteMissing logs when a record was first known to be missing.
func (l *readLog) noteMissing(since time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.missing.IsZero() || since.Before(l.missing) {
		l.missing = since
	}
}
