package mongo

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"gamedata/mongo/conn"

	driver "go.mongodb.org/mongo-driver/v2/mongo"
)

// Apply makes changes, all of them or none, in the transaction of ctx or in a new one. It writes players, characters,
// guilds, territories and items, with their times of change, deletions and purges of caches. Only previousRanking and
// flagged are written elsewhere, by jobs. It returns ErrTaken when another record has the value of a unique field.
func (s *Store) Apply(ctx context.Context, changes ...Change) error {
	if transactionOf(ctx) != nil {
		return s.applyIn(ctx, changes)
	}
	w, err := s.collect(changes, sync.OnceValue(s.eventClock.begin))
	if err != nil {
		return err
	}
	if len(w.operations) > 1 {
		return s.Transact(ctx, func(ctx context.Context) error { return s.applyIn(ctx, changes) })
	}
	err = s.writeRuns(conn.WithMajority(ctx), w.operations) // one write needs no transaction
	s.purgeHere(w.tags, err)
	return err
}

// applyIn makes changes in the transaction of ctx. Each run of a transaction collects them again: a change that becomes
// visible late must not have an old time.
func (s *Store) applyIn(ctx context.Context, changes []Change) error {
	w, err := s.collect(changes, sync.OnceValue(s.eventClock.begin))
	if err != nil {
		return err
	}
	t := transactionOf(ctx)
	t.tags, t.written = append(t.tags, w.tags...), append(t.written, w.operations...)
	return s.write(ctx, w.operations)
}

// Seed makes changes without a transaction, whose size and time are limited. No one else may use the store yet.
func (s *Store) Seed(ctx context.Context, changes ...Change) error {
	w, err := s.collect(changes, func() time.Time { return time.Time{} })
	if err != nil {
		return err
	}
	return s.writeRuns(ctx, w.operations)
}

// write sends operations in order: in one command if the server has bulkWrite, else one command for each run of
// operations on the same collection.
func (s *Store) write(ctx context.Context, operations []operation) error {
	if s.db.HasBulkWrite() && len(operations) > 0 {
		return writeError(s.bulkWrite(ctx, operations))
	}
	return s.writeRuns(ctx, operations)
}

func (s *Store) writeRuns(ctx context.Context, operations []operation) error {
	for len(operations) > 0 {
		name := operations[0].collection
		n := slices.IndexFunc(operations, func(o operation) bool { return o.collection != name })
		if n < 0 {
			n = len(operations)
		}
		models := each(operations[:n], func(o operation) driver.WriteModel { return o.model })
		if _, err := s.db.Collection(name).BulkWrite(conn.WithLongTimeout(ctx), models, true); err != nil {
			return writeError(err)
		}
		operations = operations[n:]
	}
	return nil
}

func (s *Store) bulkWrite(ctx context.Context, operations []operation) error {
	return s.db.BulkWrite(conn.WithLongTimeout(ctx), each(operations, func(o operation) driver.ClientBulkWrite {
		return driver.ClientBulkWrite{Collection: o.collection, Model: clientModel(o.model)}
	}))
}

// clientModel returns a write for the command bulkWrite.
func clientModel(m driver.WriteModel) driver.ClientWriteModel {
	switch m := m.(type) {
	case *driver.InsertOneModel:
		return &driver.ClientInsertOneModel{Document: m.Document}
	case *driver.UpdateOneModel:
		return &driver.ClientUpdateOneModel{Filter: m.Filter, Update: m.Update, Upsert: m.Upsert}
	case *driver.UpdateManyModel:
		return &driver.ClientUpdateManyModel{Filter: m.Filter, Update: m.Update, Upsert: m.Upsert}
	case *driver.ReplaceOneModel:
		return &driver.ClientReplaceOneModel{Filter: m.Filter, Replacement: m.Replacement, Upsert: m.Upsert}
	case *driver.DeleteOneModel:
		return &driver.ClientDeleteOneModel{Filter: m.Filter}
	case *driver.DeleteManyModel:
		return &driver.ClientDeleteManyModel{Filter: m.Filter}
	}
	return nil
}

// tooLargeCodes are the codes TransactionTooLargeForCache, BSONObjectTooLarge and TransactionTooLarge.
var tooLargeCodes = []int{359, 10334, 257}

func writeError(err error) error {
	switch {
	case conn.IsDuplicateKey(err):
		return fmt.Errorf("%w: %w", ErrTaken, err)
	case conn.HasCode(err, tooLargeCodes...):
		return ErrTooLarge
	}
	return err
}
