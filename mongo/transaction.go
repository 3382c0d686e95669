package mongo

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"

	"gamedata/mongo/conn"
)

// Transactional reports whether the store has transactions. Without them Transact and Apply write one record after
// another, and a crash or another writer can intervene.
func (s *Store) Transactional() bool { return s.db.Transactional() }

// NoTransactions warns operators about a store without transactions.
const NoTransactions = "MongoDB is a standalone server without transactions: a crash or another writer can come " +
	"between the writes of one change, and POST /feed is refused; run it as a replica set, of one member at least"

// transaction is the state of a running transaction.
type transaction struct {
	tags    []string    // to purge from the caches of this process on commit; of earlier runs too
	runs    int         // begun, one after another
	written []operation // of the last run
}

type transactionKey struct{}

func transactionOf(ctx context.Context) *transaction {
	t, _ := ctx.Value(transactionKey{}).(*transaction)
	return t
}

// Transact runs work in a transaction: through its context work reads one snapshot of the store, and its writes are
// committed together or not at all. When another transaction changes one of the same records, work runs again, so each
// run must start afresh. Inside a transaction, work joins it.
//
// After two conflicts the first command of a run writes the records that the last run wrote: on MongoDB the first
// writer of a record wins, so slow transactions get their turn.
//
// If the reply to the commit is lost, the error is ErrUnavailable, although the commit may have succeeded.
func (s *Store) Transact(ctx context.Context, work func(context.Context) error) error {
	if transactionOf(ctx) != nil {
		return work(ctx)
	}
	ctx = conn.WithMajority(ctx)
	t := &transaction{}
	run := func(ctx context.Context) error {
		t.runs++
		if t.runs > maxOptimistic {
			if err := s.write(ctx, touches(t.written)); err != nil {
				return err
			}
		}
		t.written = nil
		return work(context.WithValue(ctx, transactionKey{}, t))
	}
	var err error
	if s.db.Transactional() {
		err = s.db.Transact(ctx, run)
	} else {
		err = run(ctx)
	}
	s.purgeHere(t.tags, err)
	if s.options.OnTransaction != nil {
		s.options.OnTransaction(t.runs-1, err)
	}
	return err
}

// maxOptimistic is the number of runs of a transaction that lock no records first.
const maxOptimistic = 2

// touches returns writes that lock the records of other writes in a transaction without changing them.
func touches(operations []operation) (out []operation) {
	for _, o := range operations {
		var filter any
		switch m := o.model.(type) {
		case *driver.UpdateOneModel:
			filter = m.Filter
		case *driver.ReplaceOneModel:
			filter = m.Filter
		case *driver.DeleteOneModel:
			filter = m.Filter
		default:
			continue
		}
		for _, operator := range []string{"$set", "$unset"} {
			update := bson.D{{Key: operator, Value: bson.D{{Key: "touched", Value: true}}}}
			out = append(out, operation{o.collection, driver.NewUpdateOneModel().SetFilter(filter).SetUpdate(update)})
		}
	}
	return out
}
