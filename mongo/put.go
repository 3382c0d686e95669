package mongo

import (
	"context"

	"gamedata/mongo/conn"
)

// load adds new records to a store that no one uses yet.
func load[T any](ctx context.Context, s *Store, records []*T) error {
	return s.Load(ctx, each(records, func(r *T) Change { return Save(nil, r) })...)
}

// replace makes each record what is stored under its key, and purges it. Unlike the caller of Save it does not know
// what is stored; read returns that, nil for a record that is new.
func replace[T any](ctx context.Context, s *Store, records []*T, read func(context.Context) ([]*T, error)) error {
	if len(records) == 0 {
		return nil
	}
	r := recordTypeOf[T]()
	return s.Transact(conn.FromPrimary(conn.WithLongTimeout(ctx)), func(ctx context.Context) error {
		stored, err := read(ctx)
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
			changes = append(changes, Save(stored[i], record))
			for _, version := range []*T{stored[i], record} {
				if version != nil && r.tags != nil {
					changes = append(changes, Purge(r.tags(version)...))
				}
			}
		}
		return s.Apply(ctx, changes...)
	})
}

// edit changes a record in a transaction: it reads the record, lets change work on a copy, and saves what differs.
// ErrNotFound when there is none.
func edit[T any](ctx context.Context, s *Store, read func(context.Context) (*T, error), change func(*T) error,
	more ...Change,
) error {
	return s.Transact(conn.FromPrimary(ctx), func(ctx context.Context) error {
		before, err := read(ctx)
		switch {
		case err != nil:
			return err
		case before == nil:
			return ErrNotFound
		}
		after := Clone(before)
		if err := change(after); err != nil {
			return err
		}
		return s.Apply(ctx, append(more, Save(before, after))...)
	})
}

// one returns a reader of one record by a reader of several.
func one[T, K any](key K, read func(context.Context, []K) ([]*T, error)) func(context.Context) (*T, error) {
	return func(ctx context.Context) (*T, error) {
		found, err := read(ctx, []K{key})
		if err != nil {
			return nil, err
		}
		return found[0], nil
	}
}

// several returns a reader of records by their keys.
func several[T, K any](records []*T, key func(*T) K, read func(context.Context, []K) ([]*T, error),
) func(context.Context) ([]*T, error) {
	return func(ctx context.Context) ([]*T, error) { return read(ctx, each(records, key)) }
}
