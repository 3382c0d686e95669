package app

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"gamedata/internal/cache"
	"gamedata/internal/httpapi"
	"gamedata/loaders"
	"gamedata/mongo"
)

// recordShare is the divisor of --cache-size that gives the size of the record cache; responses get the rest.
const recordShare = 4

// caches are the response and the record cache, and the invalidations they share.
type caches struct {
	responses *cache.Cache[httpapi.Response] // nil when caching is disabled
	records   *loaders.Records               // nil when caching is disabled
	purges    *cache.Invalidations
}

// newCaches divides size bytes between the caches; 0 disables caching.
func newCaches(size int64, timeout time.Duration, now func() time.Time) (*caches, error) {
	c := &caches{purges: new(cache.Invalidations)}
	if size == 0 {
		return c, nil
	}
	var err error
	if c.records, err = loaders.NewRecords(size/recordShare, now, c.purges); err != nil {
		return nil, err
	}
	c.responses, err = cache.New[httpapi.Response](cache.Options{
		MaxBytes: size - size/recordShare, Timeout: timeout, Now: now, Invalidations: c.purges,
	})
	return c, err
}

// hasResponses reports whether a response could be served without the store. Expired responses count too: the cache
// removes them once they must not be served.
func (c *caches) hasResponses() bool { return c.responses != nil && c.responses.Stats().Bytes > 0 }

func (c *caches) close() {
	if c.responses != nil {
		c.responses.Close()
		c.records.Close()
	}
}

// purgePollInterval is the time between two polls for purges of other processes.
const purgePollInterval = 2 * time.Second

// followPurges applies the purges of other processes until ctx ends.
func (c *caches) followPurges(ctx context.Context, store *mongo.Store, log *slog.Logger) (run func(), err error) {
	purges, err := store.FollowPurges(ctx, store.Now())
	if err != nil {
		return nil, err
	}
	return func() {
		everyInterval(ctx, purgePollInterval, func() {
			var tags []string
			_, err := store.Clock(ctx)
			if !errors.Is(err, mongo.ErrUnavailable) {
				tags, err = purges.Next(ctx, store.Now())
			}
			if err != nil && !errors.Is(err, mongo.ErrUnavailable) && ctx.Err() == nil {
				log.Error("polling purges failed", "error", err)
			}
			c.purges.Purge(tags...)
		})
	}, nil
}
