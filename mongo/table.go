package mongo

import (
	"context"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/mongo/conn"
)

// table reads and writes records of one type by their ids: the values of the collection's key field.
type table[T Stored] struct{ family }

func (t *table[T]) records() *conn.Collection { return t.db.Collection(recordTypeOf[T]().collection) }

// ByID reads records in the order of their ids; nil for an unknown id.
func (t *table[T]) ByID(ctx context.Context, ids []string) ([]*T, error) {
	return readByID[T](ctx, t.store, ids)
}

// by reads records in the order of the values of a unique field; nil for an unknown value.
func (t *table[T]) by(ctx context.Context, field string, values []string, value func(*T) string) ([]*T, error) {
	return findInOrder(ctx, t.records(), field, values, value)
}

// Edit changes a record in a transaction: it reads the record, calls change with a copy, and saves the differences.
// change may run several times. ErrNotFound when there is no such record, ErrTaken when another record has one of its
// unique values.
func (t *table[T]) Edit(ctx context.Context, id string, change func(*T) error, more ...Change) error {
	return t.store.Transact(conn.FromPrimary(ctx), func(ctx context.Context) error {
		found, err := t.ByID(ctx, []string{id})
		switch {
		case err != nil:
			return err
		case found[0] == nil:
			return ErrNotFound
		}
		after := Clone(found[0])
		if err := change(after); err != nil {
			return err
		}
		return t.store.Apply(ctx, append(more, Save(found[0], after))...)
	})
}

// gameTable is a table of game data, which is written in bulk.
type gameTable[T Stored] struct{ table[T] }

// Insert adds new records to a store that no one uses yet.
func (t *gameTable[T]) Insert(ctx context.Context, records []*T) error {
	return t.store.Seed(ctx, each(records, func(r *T) Change { return Save(nil, r) })...)
}

// Import replaces records by id, or adds them, and purges both versions from caches.
func (t *gameTable[T]) Import(ctx context.Context, records []*T) error {
	return replace(ctx, t.store, records, Save[T])
}

// Put is Import, but treats missing records as if they had always existed.
func (t *gameTable[T]) Put(ctx context.Context, records []*T) error {
	return replace(ctx, t.store, records, saveOld)
}

// saveOld is Save, but without a time of addition.
func saveOld[T Stored](before, after *T) Change {
	if before != nil {
		return Save(before, after)
	}
	return changeFunc(func(w *writes) error {
		recordTypeOf[T]().insert(w, after, time.Time{})
		return nil
	})
}

// replace saves each record over the stored version with its id, and purges both versions.
func replace[T Stored](ctx context.Context, s *Store, records []*T, save func(before, after *T) Change) error {
	if len(records) == 0 {
		return nil
	}
	r := recordTypeOf[T]()
	return s.Transact(conn.FromPrimary(conn.WithLongTimeout(ctx)), func(ctx context.Context) error {
		stored, err := readByID[T](ctx, s, each(records, r.id))
		if err != nil {
			return err
		}
		var changes []Change
		for i, record := range records {
			if stored[i] != nil {
				if err := r.adopt(stored[i], record); err != nil {
					return err
				}
			}
			changes = append(changes, save(stored[i], record))
			for _, version := range []*T{stored[i], record} {
				if version != nil && r.tags != nil {
					changes = append(changes, Purge(r.tags(version)...))
				}
			}
		}
		return s.Apply(ctx, changes...)
	})
}

// readByID reads records in the order of their ids; nil for an unknown id.
func readByID[T Stored](ctx context.Context, s *Store, ids []string) ([]*T, error) {
	r := recordTypeOf[T]()
	return findInOrder(ctx, s.db.Collection(r.collection), r.idField(), ids, r.id)
}

// plainTable is a table of records that nothing else refers to.
type plainTable[T Stored] struct{ table[T] }

// Insert adds a record. ErrTaken when another record has its id or another of its unique values.
func (t *plainTable[T]) Insert(ctx context.Context, record *T) error {
	return t.store.Apply(ctx, Save(nil, record))
}

// Delete deletes a record; ErrNotFound when there is none.
func (t *plainTable[T]) Delete(ctx context.Context, id string) error {
	return t.deleteOne(ctx, withID(id))
}

func (t *plainTable[T]) deleteOne(ctx context.Context, filter bson.D) error {
	existed, err := t.records().DeleteOne(ctx, filter)
	if err == nil && !existed {
		err = ErrNotFound
	}
	return err
}

// accountTable is a table of records that belong to accounts.
type accountTable[T Stored] struct{ plainTable[T] }

// Of reads the records of an account.
func (t *accountTable[T]) Of(ctx context.Context, account string) ([]*T, error) {
	return find[T](ctx, t.records(), ofAccount(account))
}

// DeleteOwn deletes a record of an account; ErrNotFound when the account does not have it.
func (t *accountTable[T]) DeleteOwn(ctx context.Context, account, id string) error {
	return t.deleteOne(ctx, append(withID(id), ofAccount(account)...))
}

// DeleteOf deletes all records of an account.
func (t *accountTable[T]) DeleteOf(ctx context.Context, account string) error {
	return t.records().DeleteMany(ctx, ofAccount(account))
}

func ofAccount(account string) bson.D { return bson.D{{Key: "account", Value: account}} }
