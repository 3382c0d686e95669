package conn

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/mongo/options"
	"go.mongodb.org/mongo-driver/v2/mongo/readconcern"
	"go.mongodb.org/mongo-driver/v2/mongo/readpref"
	"go.mongodb.org/mongo-driver/v2/mongo/writeconcern"
)

// consistency says how fresh the records are that a call reads, and how safe the records that it writes. A call has the
// higher consistency of its collection and its context.
type consistency int

const (
	// configured is what the URI says.
	configured consistency = iota
	// primary reads from the primary.
	primary
	// majority reads majority-committed data from the primary and writes to a majority: a result computed from such
	// reads and written this way survives an election.
	majority
)

var consistencyOptions = [...]*options.CollectionOptionsBuilder{
	configured: options.Collection(),
	primary:    options.Collection().SetReadPreference(readpref.Primary()),
	majority: options.Collection().SetReadPreference(readpref.Primary()).
		SetReadConcern(readconcern.Majority()).SetWriteConcern(writeconcern.Majority()),
}

type consistencyKey struct{}

func consistencyOf(ctx context.Context) consistency {
	level, _ := ctx.Value(consistencyKey{}).(consistency)
	return level
}

func withConsistency(ctx context.Context, level consistency) context.Context {
	return context.WithValue(ctx, consistencyKey{}, max(level, consistencyOf(ctx)))
}

// FromPrimary returns a context whose calls read from the primary, whatever the URI says. Use it when a write depends
// on what was read.
func FromPrimary(ctx context.Context) context.Context { return withConsistency(ctx, primary) }

// WithMajority returns a context whose calls read majority-committed data from the primary and write to a majority,
// whatever the URI says.
func WithMajority(ctx context.Context) context.Context { return withConsistency(ctx, majority) }
