package mongo

import (
	"context"

	"gamedata/mongo/conn"
)

// replace stores each record under its id and purges it. Unlike the caller of Save it does not know the stored version.
// add adds missing records.
func replace[T Stored](ctx context.Context, s *Store, records []*T, add func(*T) Change) error {
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
			change := add(record)
			if stored[i] != nil {
				if err := r.adopt(stored[i], record); err != nil {
					return err
				}
				change = Save(stored[i], record)
			}
			changes = append(changes, change)
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
