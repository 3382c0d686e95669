package loaders

import (
	"context"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"gamedata/graph"
	"gamedata/internal/cache"
)

// maxTags is the maximum number of tags of one kind on a response. A response from more records gets the tag for all
// records of the kind.
const maxTags = 200

// readLog collects the statistics of one operation.
type readLog struct {
	mu      sync.Mutex
	oldest  time.Time
	missing time.Time
	source  string
	tags    map[string]map[string]struct{} // kind → names
	store   atomic.Int64                   // nanoseconds
}

// AddStoreTime adds the duration of a command to the context's operation, if any.
func AddStoreTime(ctx context.Context, d time.Duration) {
	if set := From(ctx); set != nil {
		set.log.store.Add(int64(d))
	}
}

func (l *readLog) stats() graph.ReadStats {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := graph.ReadStats{Made: l.oldest, Missing: l.missing, Source: l.source, Store: time.Duration(l.store.Load())}
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
