// Package loaders batches reads of the store. Each operation gets its own Set: the keys that its resolvers load on one
// level become one command, and no key is loaded twice. Behind the sets, caches of the process serve all operations.
// Records are cached for a short time; content is small, so it is read as a whole and reread after a write purges it.
// Loaders return records as stored; resolvers apply the access rules.
package loaders

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"gamedata/graph"
	"gamedata/internal/cache"
	"gamedata/mongo"
	"gamedata/mongo/conn"
)

// cachedPages is the maximum number of leaderboard pages in memory, about 10 kB each.
const cachedPages = 400

// Source holds what all sets of a process share: the store and the caches.
type Source struct {
	o           Options
	store       *mongo.Store
	content     *contents
	boards      *Shared[boardIndexes]
	pages       *lru.Cache[int64, cachedPage]
	territories *territoryCache
	online      *onlineCache
	members     *Shared[map[string]int] // of guilds, by uuid
}

// Options configure a Source.
type Options struct {
	// Now is the clock that decides whether a cached value has expired; time.Now when nil.
	Now func() time.Time
	// Log receives a warning when a stale value is served; slog.Default() when nil.
	Log *slog.Logger
	// Wait is how long a batch waits for more keys of its level; two milliseconds when 0. Tests that
	// count commands wait longer, so that no key misses its batch.
	Wait time.Duration
	// Records caches records across operations; nil caches none.
	Records *Records
	// Purges invalidates cached values; Records has its own. If nil, nothing is purged.
	Purges *cache.Invalidations
	// Batch is called when a batch begins, with the name of its loader. It returns the context of
	// the batch and a function to call at its end. May be nil.
	Batch func(ctx context.Context, loader string, keys int) (context.Context, func(error))
}

// New returns a source of loader sets for a store.
func New(store *mongo.Store, o Options) *Source {
	if o.Now == nil {
		o.Now = time.Now
	}
	o.Log = cmp.Or(o.Log, slog.Default())
	o.Wait = cmp.Or(o.Wait, batchWait)
	if o.Batch == nil {
		o.Batch = func(ctx context.Context, _ string, _ int) (context.Context, func(error)) { return ctx, func(error) {} }
	}
	if o.Records != nil {
		o.Purges = o.Records.invalidations
	}
	o.Purges = cmp.Or(o.Purges, new(cache.Invalidations))
	pages, _ := lru.New[int64, cachedPage](cachedPages) // fails only for a size below 1
	s := &Source{o: o, store: store, pages: pages}
	s.content, s.boards = newContents(s), cacheOf(s, s.readBoardIndexes, mongo.Boards)
	s.territories, s.online = newTerritoryCache(s), newOnlineCache(s)
	s.members = &Shared[map[string]int]{
		Name: "member counts", MaxAge: memberCountAge, MaxStale: memberCountStale, Read: store.Guilds.MemberCounts,
		source: s,
	}
	return s
}

type contextKey struct{}

// MaxCalls is the maximum number of store calls per operation. Reads shared by all operations do not count.
const MaxCalls = 60

var _ graph.Loaders = (*Source)(nil)

// Attach implements graph.Loaders. Without an operation, the set uses no cached records.
func (s *Source) Attach(ctx context.Context, op *graph.Operation) context.Context {
	ctx = conn.WithCallLimit(ctx, MaxCalls)
	return context.WithValue(ctx, contextKey{}, newSet(ctx, s, op))
}

// Stats implements graph.Loaders.
func (s *Source) Stats(ctx context.Context) graph.ReadStats { return From(ctx).log.stats() }

// From returns the set of an operation's context.
func From(ctx context.Context) *Set {
	set, _ := ctx.Value(contextKey{}).(*Set)
	return set
}
