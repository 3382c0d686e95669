package main

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"gamedata/graph"
	"gamedata/graph/viewer"
	"gamedata/internal/cache"
	"gamedata/internal/httpapi"
	"gamedata/loaders"
	"gamedata/mongo"
)

// recordShare is the part of --cache-size that records get; answers get the rest.
const recordShare = 4

// caches are what the service keeps of the store, and one ledger for both of what was purged.
type caches struct {
	answers *cache.Cache[httpapi.Answer] // nil when none are kept
	records *loaders.Records             // nil when none are kept
	purges  *cache.Ledger
}

// newCaches shares size bytes; 0 keeps nothing.
func newCaches(size int64, timeout time.Duration, now func() time.Time) (*caches, error) {
	c := &caches{purges: new(cache.Ledger)}
	if size == 0 {
		return c, nil
	}
	var err error
	if c.records, err = loaders.NewRecords(size/recordShare, now, c.purges); err != nil {
		return nil, err
	}
	c.answers, err = cache.New[httpapi.Answer](cache.Options{
		Bytes: size - size/recordShare, Timeout: timeout, Now: now,
		Ledger: c.purges,
	})
	return c, err
}

func (c *caches) close() {
	if c.answers != nil {
		c.answers.Close()
		c.records.Close()
	}
}

// allow tells an operation's loaders what they may take of the records that are kept: nothing
// older than the answer may be, and of the viewer's own players nothing at all.
func allow(ctx context.Context, op *graph.Operation) {
	source := httpapi.SourceGraphQL
	if op.Hash == "" {
		source = httpapi.SourceREST
	}
	loaders.From(ctx).Allow(loaders.Allowance{MaxAge: op.Policy.MaxAge, Own: viewer.From(ctx).Own(), Source: source})
}

// read tells what the operation of a context read.
func read(ctx context.Context) graph.Reading {
	r := loaders.Read(ctx)
	return graph.Reading{Made: r.Oldest, Source: r.Source, Tags: r.Tags, Store: r.Store}
}

// followEvery is how often other processes' purges are looked for.
const followEvery = 2 * time.Second

// follow purges what other processes on the store purge, until it is told to stop.
func (c *caches) follow(ctx context.Context, store *mongo.Store, log *slog.Logger) (stop func(), err error) {
	if c.answers == nil {
		return func() {}, nil
	}
	purges, err := store.FollowPurges(ctx, time.Now())
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(followEvery)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			tags, err := purges.Next(ctx, time.Now())
			if err != nil && !errors.Is(err, mongo.ErrUnavailable) && ctx.Err() == nil {
				log.Error("what other processes purge", "error", err)
			}
			c.purges.Purge(tags...)
		}
	}()
	return func() { cancel(); <-ended }, nil
}
