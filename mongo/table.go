package mongo

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/mongo/conn"
)

// table reads and writes records of one type by their ids: the values of the collection's key field. Its methods only
// convert records: every package that imports this one compiles them again for each type. anyTable does the work.
type table[T Stored] struct {
	family
	any anyTable
}

func (t *table[T]) join(s *Store) {
	t.family.join(s)
	t.any = anyTable{t.family, recordTypeOf[T]()}
}

// ByID reads records in the order of their ids; nil for an unknown id.
func (t *table[T]) ByID(ctx context.Context, ids []string) ([]*T, error) {
	found, err := t.any.byID(ctx, ids)
	return typed[T](found), err
}

// Edit changes a record in a transaction: it reads the record, calls change with a copy, and saves the differences.
// change may run several times. ErrNotFound when there is no such record, ErrTaken when another record has one of its
// unique values.
func (t *table[T]) Edit(ctx context.Context, id string, change func(*T) error, more ...Change) error {
	return t.any.edit(ctx, id, func(record any) error { return change(record.(*T)) }, more)
}

// gameTable is a table of game data, which is written in bulk.
type gameTable[T Stored] struct{ table[T] }

// Insert adds new records to a store that no one uses yet.
func (t *gameTable[T]) Insert(ctx context.Context, records []*T) error {
	return t.store.Seed(ctx, each(anyOf(records), t.any.of.addition)...)
}

// Import replaces records by id, or adds them, and purges both versions from caches.
func (t *gameTable[T]) Import(ctx context.Context, records []*T) error {
	return t.any.replace(ctx, anyOf(records), t.any.of.addition)
}

// Put is Import, but treats missing records as if they had always existed.
func (t *gameTable[T]) Put(ctx context.Context, records []*T) error {
	return t.any.replace(ctx, anyOf(records), t.any.of.oldAddition)
}

// plainTable is a table of records that nothing else refers to.
type plainTable[T Stored] struct{ table[T] }

// Insert adds a record. ErrTaken when another record has its id or another of its unique values.
func (t *plainTable[T]) Insert(ctx context.Context, record *T) error {
	return t.store.Apply(ctx, t.any.of.addition(record))
}

// Delete deletes a record; ErrNotFound when there is none.
func (t *plainTable[T]) Delete(ctx context.Context, id string) error {
	return t.any.deleteOne(ctx, withID(id))
}

// accountTable is a table of records that belong to accounts.
type accountTable[T Stored] struct{ plainTable[T] }

// Of reads the records of an account.
func (t *accountTable[T]) Of(ctx context.Context, account string) ([]*T, error) {
	found, err := t.any.find(ctx, ofAccount(account))
	return typed[T](found), err
}

// DeleteOwn deletes a record of an account; ErrNotFound when the account does not have it.
func (t *accountTable[T]) DeleteOwn(ctx context.Context, account, id string) error {
	return t.any.deleteOne(ctx, append(withID(id), ofAccount(account)...))
}

// DeleteOf deletes all records of an account.
func (t *accountTable[T]) DeleteOf(ctx context.Context, account string) error {
	return t.any.records().DeleteMany(ctx, ofAccount(account))
}

func ofAccount(account string) bson.D { return bson.D{{Key: "account", Value: account}} }

// anyTable is a table of records of the type of.
type anyTable struct {
	family
	of *recordType
}

func (t *anyTable) records() *conn.Collection { return t.db.Collection(t.of.collection) }

func (t *anyTable) find(ctx context.Context, filter bson.D) ([]any, error) {
	found, _, err := findRecords(ctx, t.records(), t.of.goType, filter)
	return found, err
}

// byID reads records in the order of their ids; nil for an unknown id.
func (t *anyTable) byID(ctx context.Context, ids []string) ([]any, error) {
	field := t.of.idField()
	found, bad, err := findRecords(ctx, t.records(), t.of.goType, bson.D{{Key: field, Value: in(ids)}})
	if err != nil {
		return nil, err
	}
	byID := make(map[string]any, len(found))
	for _, r := range found {
		byID[t.of.id(r)] = r
	}
	return each(ids, func(id string) any { return byID[id] }), failures(ids, field, bad)
}

func (t *anyTable) edit(ctx context.Context, id string, change func(record any) error, more []Change) error {
	return t.store.Transact(conn.FromPrimary(ctx), func(ctx context.Context) error {
		found, err := t.byID(ctx, []string{id})
		switch {
		case err != nil:
			return err
		case found[0] == nil:
			return ErrNotFound
		}
		after := cloned(found[0])
		if err := change(after); err != nil {
			return err
		}
		return t.store.Apply(ctx, append(more, t.of.edit(found[0], after))...)
	})
}

// replace saves each record over the stored version with its id, or adds it, and purges both versions.
func (t *anyTable) replace(ctx context.Context, records []any, add func(record any) Change) error {
	if len(records) == 0 {
		return nil
	}
	return t.store.Transact(conn.FromPrimary(conn.WithLongTimeout(ctx)), func(ctx context.Context) error {
		stored, err := t.byID(ctx, each(records, t.of.id))
		if err != nil {
			return err
		}
		var changes []Change
		for i, record := range records {
			change := add(record)
			if stored[i] != nil {
				if err := t.of.adopt(stored[i], record); err != nil {
					return err
				}
				change = t.of.edit(stored[i], record)
			}
			changes = append(changes, change)
			for _, version := range []any{stored[i], record} {
				if version != nil && t.of.tags != nil {
					changes = append(changes, Purge(t.of.tags(version)...))
				}
			}
		}
		return t.store.Apply(ctx, changes...)
	})
}

func (t *anyTable) deleteOne(ctx context.Context, filter bson.D) error {
	existed, err := t.records().DeleteOne(ctx, filter)
	if err == nil && !existed {
		err = ErrNotFound
	}
	return err
}

func anyOf[T any](records []*T) []any {
	out := make([]any, len(records))
	for i, r := range records {
		out[i] = r
	}
	return out
}
