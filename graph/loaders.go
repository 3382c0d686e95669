package graph

import (
	"context"
	"time"
)

// Loaders load the records of operations.
type Loaders interface {
	// Attach returns the context of one operation, with new loaders. The policy of the operation limits what they may
	// read from caches.
	Attach(ctx context.Context, op *Operation) context.Context
	// Stats describes what the operation of such a context has read so far.
	Stats(ctx context.Context) ReadStats
}

// ReadStats describes the reads of an operation.
type ReadStats struct {
	// Made is when the oldest cached record in use was fetched, and Source the API for which it was fetched. Both are
	// zero if everything came from the store. Resources of territories do not count: they may be a minute old in every
	// response.
	Made   time.Time
	Source string
	// Missing is the earliest time at which one of the records not found was known to be missing; zero if unknown.
	Missing time.Time
	// Tags names the records read: player:<uuid>, guild:<uuid>, content:<family>, and the names used to look up players
	// and guilds. The name * means all. Tags are sorted by kind and name. A Response adds field:<name> for each root
	// field.
	Tags []string
	// Store is the total duration of the store's commands.
	Store time.Duration
}

type noLoaders struct{}

func (noLoaders) Attach(ctx context.Context, _ *Operation) context.Context { return ctx }

func (noLoaders) Stats(context.Context) ReadStats { return ReadStats{} }
