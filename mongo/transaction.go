package mongo

import (
	"context"

	"gamedata/mongo/conn"
)

// Transactional reports whether the store has transactions. Without them Transact and Apply write one record after
// another, and a crash or another writer can come in between.
func (s *Store) Transactional() bool { return s.db.Transactional() }

// NoTransactions tells operators what a store without transactions means.
const NoTransactions = "MongoDB is a standalone server without transactions: a crash or another writer can come " +
	"between the writes of one change, and POST /feed is refused; run it as a replica set, of one member at least"

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
	ctx = conn.WithMajority(ctx)
	t := &transaction{}
	run := func(ctx context.Context) error {
		t.tags = nil
		return work(context.WithValue(ctx, transactionKey{}, t))
	}
	var err error
	if s.db.Transactional() {
		err = s.db.Transact(ctx, run)
	} else {
		err = run(ctx)
	}
	if err == nil {
		s.purgeHere(t.tags)
	}
	return err
}
