package loaders

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"gamedata/mongo"
)

const (
	// onlineRefresh is the age from which the online list is read again in the background, onlineAge the age below
	// which it is used meanwhile: the max age of a response that contains it.
	onlineRefresh = 10 * time.Second
	onlineAge     = 30 * time.Second
	// onlineStale is the age up to which the list is used while it cannot be read.
	onlineStale = 10 * time.Minute
	// onlineTimeout bounds one read of the list. Callers do not wait that long: the read goes on without them.
	onlineTimeout = 2 * time.Minute
	// maxPatch is the number of purged players up to which only they are read again.
	maxPatch = 1000
)

// onlineList is the online list as stored.
type onlineList struct {
	players    []mongo.OnlineEntry // sorted by uuid
	at         time.Time           // when the read began
	generation uint64              // of the invalidations that the list reflects
}

// onlineCache caches the online list for all operations of the process: with many players online it takes long to read.
// All callers share one read.
type onlineCache struct {
	store   *mongo.Store
	records *Records // nil when nothing is cached
	now     func() time.Time
	log     *slog.Logger
	reload  singleflight.Group // reads all players
	patch   singleflight.Group // reads purged players again

	mu     sync.Mutex
	list   *onlineList
	failed time.Time // when the last read failed; zero if it did not
}

func newOnlineCache(store *mongo.Store, o Options) *onlineCache {
	return &onlineCache{store: store, records: o.Records, now: o.Now, log: o.Log}
}

func (c *onlineCache) generation() uint64 {
	if c.records == nil {
		return 0
	}
	return c.records.invalidations.Generation()
}

// current returns a list that is younger than maxAge unless the store fails, and not older than a purge before the
// call.
func (c *onlineCache) current(ctx context.Context, maxAge time.Duration) (*onlineList, error) {
	generation := c.generation()
	list, fresh := c.usable(maxAge)
	switch {
	case list != nil && fresh:
		if c.now().Sub(list.at) > onlineRefresh {
			c.reload.DoChan("", func() (any, error) { return c.readAll(ctx) })
		}
	default:
		read, err := c.wait(ctx, &c.reload, c.readAll)
		switch {
		case err == nil:
			list = read
		case list == nil:
			return nil, err
		}
	}
	for list.generation < generation {
		var err error
		if list, err = c.wait(ctx, &c.patch, c.readPurged); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// usable returns the last list unless it is too old to be served while the store fails, and whether it can be served
// without waiting.
func (c *onlineCache) usable(maxAge time.Duration) (list *onlineList, fresh bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now()
	if c.records == nil || c.list == nil || now.Sub(c.list.at) > onlineStale {
		return nil, false
	}
	paused := !c.failed.IsZero() && now.Sub(c.failed) < retryAfter
	return c.list, paused || now.Sub(c.list.at) < maxAge
}

// wait waits for the read that is running, or for a new one.
func (c *onlineCache) wait(ctx context.Context, flight *singleflight.Group,
	read func(context.Context) (*onlineList, error),
) (*onlineList, error) {
	done := flight.DoChan("", func() (any, error) { return read(ctx) })
	select {
	case r := <-done:
		list, _ := r.Val.(*onlineList)
		return list, r.Err
	case <-ctx.Done():
		return nil, fmt.Errorf("%w: reading the online list: %w", mongo.ErrUnavailable, ctx.Err())
	}
}

// readAll reads the list.
func (c *onlineCache) readAll(ctx context.Context) (*onlineList, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), onlineTimeout)
	defer cancel()
	list := &onlineList{at: c.now(), generation: c.generation()}
	var err error
	list.players, err = c.store.OnlinePlayers(ctx)
	c.mu.Lock()
	defer c.mu.Unlock()
	if err != nil {
		if c.list != nil && c.failed.IsZero() {
			c.log.Warn("refreshing failed, serving stale value", "value", "online list", "read", c.list.at, "error", err)
		}
		c.failed = c.now()
		return nil, err
	}
	c.list, c.failed = list, time.Time{}
	return list, nil
}

// readPurged reads the players again that were purged since the list was read, or everybody if there are many.
func (c *onlineCache) readPurged(ctx context.Context) (*onlineList, error) {
	c.mu.Lock()
	old := c.list
	c.mu.Unlock()
	list := &onlineList{at: old.at, generation: c.generation()}
	purged, all := c.records.invalidations.PurgedSince(playerTag, old.generation)
	if all || len(purged) > maxPatch {
		return c.readAll(ctx)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), onlineTimeout)
	defer cancel()
	var err error
	if list.players, err = c.patched(ctx, old.players, purged); err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.list == old {
		c.list = list
	}
	return c.list, nil
}

// patched returns a list with some players read again.
func (c *onlineCache) patched(ctx context.Context, list []mongo.OnlineEntry, uuids []string) ([]mongo.OnlineEntry,
	error,
) {
	if len(uuids) == 0 {
		return list, nil
	}
	found, err := c.store.OnlinePlayersOf(ctx, uuids)
	if err != nil {
		return nil, err
	}
	slices.Sort(uuids)
	out := make([]mongo.OnlineEntry, 0, len(list)+len(found))
	for _, p := range list {
		if _, purged := slices.BinarySearch(uuids, p.UUID); !purged {
			out = append(out, p)
		}
	}
	out = append(out, found...)
	slices.SortFunc(out, func(a, b mongo.OnlineEntry) int { return strings.Compare(a.UUID, b.UUID) })
	return out, nil
}
