package mongo

import (
	"context"
	"fmt"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
	"go.mongodb.org/mongo-driver/v2/mongo/readconcern"
	"go.mongodb.org/mongo-driver/v2/mongo/readpref"
	"go.mongodb.org/mongo-driver/v2/mongo/writeconcern"
)

// engine is what the store's server can do.
type engine struct {
	// transactions: it is a member of a replica set, or a router of a cluster.
	transactions bool
	// bulkWrite: it has the command for writes of several collections, as MongoDB 8.0.
	bulkWrite bool
	// sharded: it is a router of a cluster.
	sharded bool
}

// bulkWriteVersion is the first wire version with the command bulkWrite.
const bulkWriteVersion = 25

func (s *Store) readEngine(ctx context.Context) (engine, error) {
	var hello struct {
		SetName        string `bson:"setName"`
		Message        string `bson:"msg"`
		MaxWireVersion int    `bson:"maxWireVersion"`
		SessionMinutes *int   `bson:"logicalSessionTimeoutMinutes"`
	}
	err := s.db.Database.RunCommand(ctx, bson.D{{Key: "hello", Value: 1}}).Decode(&hello)
	sharded := hello.Message == "isdbgrid"
	return engine{
		transactions: hello.SessionMinutes != nil && (hello.SetName != "" || sharded),
		bulkWrite:    hello.MaxWireVersion >= bulkWriteVersion,
		sharded:      sharded,
	}, translateError(err)
}

// Transactional reports whether the store has transactions. Without them Transact and Apply write one record after
// another, and a crash or another writer can come in between.
func (s *Store) Transactional() bool { return s.engine.transactions }

var transactionOptions = options.Transaction().SetReadConcern(readconcern.Snapshot()).
	SetReadPreference(readpref.Primary()).SetWriteConcern(writeconcern.Majority())

// transaction is the state of one that runs.
type transaction struct {
	tags []string // to purge from the caches of this process when it is committed
}

type transactionKey struct{}

func transactionOf(ctx context.Context) *transaction {
	t, _ := ctx.Value(transactionKey{}).(*transaction)
	return t
}

// Transact runs work in a transaction: all that work reads through its context is one state of the store, and what it
// writes is committed together or not at all. When another transaction changes one of the same records, work runs
// again, so each run must begin anew. In a transaction already, work is part of it.
//
// A commit whose reply is lost is ErrUnavailable although it may have been made.
func (s *Store) Transact(ctx context.Context, work func(context.Context) error) error {
	if transactionOf(ctx) != nil {
		return work(ctx)
	}
	ctx = WithMajority(ctx)
	t := &transaction{}
	run := func(ctx context.Context) error {
		t.tags = nil
		return work(context.WithValue(ctx, transactionKey{}, t))
	}
	var err error
	if s.engine.transactions {
		err = s.inSession(ctx, run)
	} else {
		err = run(ctx)
	}
	if err == nil {
		s.purgeHere(t.tags)
	}
	return err
}

func (s *Store) inSession(ctx context.Context, run func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, longTimeout)
	defer cancel()
	session, err := s.client.StartSession()
	if err != nil {
		return translateError(err)
	}
	defer session.EndSession(context.WithoutCancel(ctx))
	for {
		_, err = session.WithTransaction(ctx, func(ctx context.Context) (any, error) {
			return nil, run(ctx)
		}, transactionOptions)
		switch { // the driver gives up after transactionTimeout
		case !isConflict(err):
			return translateError(err)
		case ctx.Err() != nil:
			return fmt.Errorf("%w: %w", ErrUnavailable, err)
		}
	}
}

// Codes of errors that end a transaction, which then runs again: another one changed the same record, or the server
// gave it up.
const (
	writeConflict     = 112
	noSuchTransaction = 251
)

// isConflict reports whether a transaction ended because of another one. That says nothing about the store's state.
func isConflict(err error) bool { return hasCode(err, writeConflict, noSuchTransaction) }
