package mongo

import (
	"fmt"
	"reflect"
	"slices"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"

	"gamedata/graph/model"
)

// A Change is one write. Build it with Save, Replace, Purge, Record or Serialise; Store.Apply executes it.
type Change interface {
	add(*writes) error
}

type changeFunc func(*writes) error

func (f changeFunc) add(w *writes) error { return f(w) }

// Save inserts, deletes or updates a record: insert if before is nil, delete if after is nil, otherwise update the
// fields that differ. before is the record that the same transaction read. A deletion needs the key only.
func Save[T Stored](before, after *T) Change {
	switch r := recordTypeOf[T](); {
	case after == nil:
		return r.deletion(before)
	case before == nil:
		return r.addition(after)
	default:
		return r.edit(before, after)
	}
}

// Replace stores a record in place of any record with its key. Players, guilds, territories and items need Save.
func Replace[T Stored](record *T) Change { return recordTypeOf[T]().replacement(record) }

func (r *recordType) deletion(record any) Change {
	return changeFunc(func(w *writes) error { r.delete(w, record); return nil })
}

func (r *recordType) addition(record any) Change {
	return changeFunc(func(w *writes) error {
		var at time.Time
		if r.added != nil {
			at = w.added()
		}
		r.insert(w, record, at)
		return nil
	})
}

// oldAddition adds a record as if it had always existed.
func (r *recordType) oldAddition(record any) Change {
	return changeFunc(func(w *writes) error { r.insert(w, record, time.Time{}); return nil })
}

func (r *recordType) edit(before, after any) Change {
	return changeFunc(func(w *writes) error { r.save(w, before, after); return nil })
}

func (r *recordType) replacement(record any) Change {
	return changeFunc(func(w *writes) error {
		if r.updated != nil {
			return fmt.Errorf("a record of %s is replaced without what was stored", r.collection)
		}
		w.additions = append(w.additions, operation{
			r.collection, driver.NewReplaceOneModel().SetFilter(r.filter(record)).SetReplacement(record).SetUpsert(true),
		})
		return nil
	})
}

// Purge purges tags from caches.
func Purge(tags ...string) Change {
	return changeFunc(func(w *writes) error {
		w.tags = append(w.tags, tags...)
		return nil
	})
}

// Record adds events to the event log.
func Record(events ...NewEvent) Change {
	return changeFunc(func(w *writes) error {
		w.events = append(w.events, events...)
		return nil
	})
}

// Serialise makes overlapping transactions with the same key conflict. Use it when a change depends on records that the
// transaction only reads.
func Serialise(key string) Change {
	return changeFunc(func(w *writes) error {
		w.locks = append(w.locks, key)
		return nil
	})
}

type writes struct {
	now time.Time
	// added returns the time of addition of new records, zero if they always existed; gone holds the ids of deleted
	// records.
	added func() time.Time
	gone  map[string]bool

	references                  []operation
	deletes, updates, additions []operation
	deletions                   []model.Deletion
	events                      []NewEvent
	tags, locks                 []string

	operations []operation // all of them, in their order
}

// collect returns the operations that make changes. An added record gets the events of the same changes, but no earlier
// ones.
func (s *Store) collect(changes []Change, added func() time.Time) (*writes, error) {
	w := &writes{now: s.Now().Truncate(time.Millisecond), added: added, gone: map[string]bool{}}
	for _, c := range changes {
		if err := c.add(w); err != nil {
			return nil, err
		}
	}
	return w, w.order(s)
}

func (r *recordType) insert(w *writes, record any, addedAt time.Time) {
	if r.fold != nil {
		r.fold(record)
	}
	copied := reflect.New(r.goType) // the caller may share the record
	copied.Elem().Set(reflect.ValueOf(record).Elem())
	added := copied.Interface()
	if r.updated != nil {
		*r.updated(added) = w.now
	}
	if r.added != nil {
		*r.added(added) = addedAt
	}
	w.additions = append(w.additions, operation{r.collection, driver.NewInsertOneModel().SetDocument(added)})
}

func (r *recordType) delete(w *writes, record any) {
	if r.references != nil {
		w.references = append(w.references, r.references(record)...)
	}
	if r.deleted != "" {
		key := r.id(record)
		w.deletions = append(w.deletions, model.Deletion{
			Token: r.deleted + ":" + key, Type: r.deleted, Key: key, At: w.now, Expires: w.now.Add(deletionTTL),
		})
	}
	if r.tags != nil {
		w.tags = append(w.tags, r.tags(record)...)
	}
	w.gone[r.id(record)] = true
	w.deletes = append(w.deletes, operation{r.collection, driver.NewDeleteOneModel().SetFilter(r.filter(record))})
}

func (r *recordType) save(w *writes, before, after any) {
	if r.fold != nil {
		r.fold(after)
	}
	changed := r.changed(before, after)
	counted := r.updated != nil && slices.ContainsFunc(changed, func(f storedField) bool { return r.counts(f, after) })
	update := r.update(changed, before, after, counted, w.now)
	if update == nil {
		return
	}
	if r.tags != nil && slices.ContainsFunc(changed, func(f storedField) bool { return f.purge }) {
		w.tags = append(w.tags, r.tags(after)...)
	}
	if slices.ContainsFunc(changed, func(f storedField) bool { return f.lookup }) {
		w.tags = slices.Concat(w.tags, r.tags(after), r.names(before), r.names(after))
	}
	w.updates = append(w.updates, operation{
		r.collection, driver.NewUpdateOneModel().SetFilter(r.filter(before)).SetUpdate(update),
	})
}

// order sorts the operations so that an interrupted write without transactions does the least harm: references are
// removed before their record, and names are freed before they are reused.
func (w *writes) order(s *Store) error {
	events, err := s.Events.operations(w.events, w.gone)
	w.operations = slices.Concat(
		w.references, w.deletes, w.updates, w.additions, each(w.deletions, addDeletion), each(w.locks, w.lock),
		events, s.announce(w.tags),
	)
	return err
}

func addDeletion(d model.Deletion) operation {
	return operation{Deletions, driver.NewReplaceOneModel().SetFilter(withID(d.Token)).SetReplacement(d).SetUpsert(true)}
}

// lockTTL is how long a lock is stored. It need only outlive overlapping transactions.
const lockTTL = time.Hour

func (w *writes) lock(key string) operation {
	update := bson.D{
		{Key: "$inc", Value: bson.D{{Key: "n", Value: int64(1)}}},
		{Key: "$set", Value: bson.D{{Key: "expires", Value: w.now.Add(lockTTL)}}},
	}
	return operation{Locks, driver.NewUpdateOneModel().SetFilter(withID(key)).SetUpdate(update).SetUpsert(true)}
}
