package mongo

import (
	"context"
	"slices"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
)

// Every write of players passes collection, which keeps their lookups in step:
//
//  1. It reads the values that the write replaces.
//  2. It adds the lookups of the new values, or confirms them: their time becomes now. It does so whether they exist or
//     not, and whether the value changes or not.
//  3. It writes the players.
//  4. It removes the lookups of the replaced values that were not confirmed since lookupGrace before step 1.
//
// After a crash between two steps there are lookups too many, which the sweep removes. None can be missing: another
// writer that gives a player the old value again has confirmed its lookup first, so step 4 leaves it alone. A writer
// that was delayed by more than half of the grace between steps 2 and 3 confirms once more.

// lookupGrace is how long a lookup is left alone after a writer confirmed it. No command takes half as long.
const lookupGrace = 4 * longTimeout

// confirmedField is the time at which a writer last said that a player has, or is about to have, the value.
const confirmedField = "at"

// withLookups makes writes of players with their lookups. Writes of other collections are just made.
func withLookups[T any](ctx context.Context, c *collection, writes []driver.WriteModel, write func() (T, error)) (
	out T, err error,
) {
	if c.name != Players {
		return write()
	}
	begun := time.Now()
	added, stale, err := c.changedLookups(ctx, writes)
	if err != nil {
		return out, err
	}
	to := &collection{db: c.db, name: PlayerLookups, guard: c.guard}
	if err := to.confirmLookups(ctx, added); err != nil {
		return out, err
	}
	if out, err = write(); err != nil {
		return out, err
	}
	if time.Since(begun) > lookupGrace/2 {
		if err := to.confirmLookups(ctx, added); err != nil {
			return out, err
		}
	}
	// The players are written: what this leaves behind when it fails is harmless, and the sweep removes it.
	_, _ = to.removeLookups(ctx, stale, begun)
	return out, nil
}

// insertModels returns the writes that insert records of players; nil for other collections.
func (c *collection) insertModels(records any) []driver.WriteModel {
	if c.name != Players {
		return nil
	}
	switch list := records.(type) {
	case []any:
		return each(list, insertModel)
	case []bson.Raw:
		return each(list, insertModel)
	case []bson.D:
		return each(list, insertModel)
	}
	return []driver.WriteModel{insertModel(records)} // rejected: not a record
}

func insertModel[T any](record T) driver.WriteModel {
	return driver.NewInsertOneModel().SetDocument(record)
}

// confirmLookups adds lookups, or says that they are needed.
func (c *collection) confirmLookups(ctx context.Context, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	// A player must not outlive its lookups in an election, so they are written at least as safely.
	ctx = WithMajority(ctx)
	now := bson.D{{Key: "$max", Value: bson.D{{Key: confirmedField, Value: updateTime()}}}}
	writes := each(ids, func(id string) driver.WriteModel {
		return driver.NewUpdateOneModel().SetFilter(bson.D{{Key: "_id", Value: id}}).SetUpdate(now).SetUpsert(true)
	})
	return retryUpsert(func() error {
		_, err := c.BulkWrite(ctx, writes)
		return err
	})
}

// removeLookups removes lookups unless they were confirmed less than lookupGrace before a time, and returns how many.
func (c *collection) removeLookups(ctx context.Context, ids []string, begun time.Time) (int, error) {
	if len(ids) == 0 {
		return 0, nil
	}
	r, err := c.DeleteMany(ctx, bson.D{{Key: "_id", Value: in(ids)}, notConfirmedSince(begun.Add(-lookupGrace))})
	if err != nil {
		return 0, translateError(err)
	}
	return int(r.DeletedCount), nil
}

func notConfirmedSince(at time.Time) bson.E {
	return bson.E{Key: confirmedField, Value: bson.D{{Key: "$not", Value: bson.D{{Key: "$gte", Value: at}}}}}
}

// changedLookups returns the ids of the lookups that writes need, and of those that they leave without a use.
func (c *collection) changedLookups(ctx context.Context, writes []driver.WriteModel) (
	added, stale []string, err error,
) {
	var changes []*playerChange
	for _, w := range writes {
		change, err := changeOf(w)
		if err != nil {
			return nil, nil, err
		}
		if change != nil {
			changes = append(changes, change)
		}
	}
	if err := c.readBefore(ctx, changes); err != nil {
		return nil, nil, err
	}
	needed := map[string]bool{}
	for _, change := range changes {
		for uuid, before := range change.before {
			old, now := before.ids(uuid), change.apply(before).ids(uuid)
			for kind, id := range now {
				if id != "" && change.touched[kind] && !needed[id] {
					needed[id], added = true, append(added, id)
				}
				if old[kind] != "" && old[kind] != id {
					stale = append(stale, old[kind])
				}
			}
		}
	}
	return added, slices.DeleteFunc(stale, func(id string) bool { return needed[id] }), nil
}
