package mongo

import (
	"context"
	"slices"
	"strings"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"

	"gamedata/graph/model"
)

// Mirrors follow the records of some collections by the time of their last change, updatedAt. Every write passes
// collection, which sets it by the clock of the process. Jobs and presence change records all the time without a
// change that a mirror wants, and a change that a player hides must not show in the time: which fields count is
// decided here.

// UpdatedField is the field with the time of the last change. Older records lack it until they change.
const UpdatedField = "updatedAt"

// deletionTTL is how long a deletion can be read. The description of the schema's deletions names it.
const deletionTTL = 90 * 24 * time.Hour

// followed is a collection whose records have the time of their last change.
type followed struct {
	kind string // in records of Deletions
	// uncounted are fields that do not change the time. Changes of hideable ones do so only if the writer knows that
	// the player shares them with everyone, and says so by setting UpdatedField in the same update.
	uncounted, hideable []string
}

var followedCollections = map[string]followed{
	Players: {
		kind: "PLAYER",
		uncounted: []string{
			"online", "server", "activeCharacter", "address", "party", "location", "lastJoin", "friends", "flagged", "banned",
			"ranking", "previousRanking", "previousRankingAt", "gambits",
		},
		hideable: []string{
			"globalData", "playtime", "firstJoin", "featuredStats", "guildHistory", "weekly", "membership",
		},
	},
	Guilds: {
		kind:      "GUILD",
		uncounted: []string{"flagged", "ranking", "previousRanking", "previousRankingAt", "raidTallies"},
	},
	Territories: {kind: "TERRITORY", uncounted: []string{"resources"}},
	Items.Name:  {kind: "ITEM"},
}

// changesRecord reports whether an update changes a record for mirrors.
func (f followed) changesRecord(update bson.D) bool {
	hideable, shared := false, false
	for _, operator := range update {
		fields, _ := operator.Value.(bson.D)
		for _, e := range fields {
			name, _, _ := strings.Cut(e.Key, ".")
			switch {
			case name == UpdatedField:
				shared = true
			case name == markField, slices.Contains(f.uncounted, name):
			case slices.Contains(f.hideable, name):
				hideable = true
			default:
				return true
			}
		}
	}
	return hideable && shared
}

// changedAt returns a new record, or a replacement, with the time. Callers may share the record, so it is copied.
func (c *collection) changedAt(record any, now time.Time) any {
	if _, ok := followedCollections[c.name]; !ok {
		return record
	}
	if r, ok := record.(model.Updatable); ok {
		return r.ChangedAt(now)
	}
	return record
}

// allChangedAt is changedAt for a list of new records.
func (c *collection) allChangedAt(records any, now time.Time) any {
	if _, ok := followedCollections[c.name]; !ok {
		return records
	}
	switch list := records.(type) {
	case []*model.Player:
		return eachChangedAt(c, list, now)
	case []*model.Guild:
		return eachChangedAt(c, list, now)
	case []any:
		return eachChangedAt(c, list, now)
	}
	return records
}

func eachChangedAt[T any](c *collection, records []T, now time.Time) []any {
	return each(records, func(r T) any { return c.changedAt(r, now) })
}

// insertedAt returns an encoded new record with the time.
func (c *collection) insertedAt(record bson.Raw, now time.Time) bson.Raw {
	var fields bson.D
	if _, ok := followedCollections[c.name]; !ok || bson.Unmarshal(record, &fields) != nil {
		return record
	}
	fields = slices.DeleteFunc(fields, func(e bson.E) bool { return e.Key == UpdatedField })
	encoded, err := bson.Marshal(append(fields, bson.E{Key: UpdatedField, Value: now}))
	if err != nil {
		return record
	}
	return encoded
}

// withUpdated returns an update that sets the time if it changes the record for mirrors.
func (c *collection) withUpdated(update any, now time.Time) any {
	f, ok := followedCollections[c.name]
	if !ok {
		return update
	}
	var document bson.D
	switch u := update.(type) {
	case bson.D:
		document = u
	case bson.Raw:
		if err := bson.Unmarshal(u, &document); err != nil {
			return update // the server rejects it
		}
	default:
		return update
	}
	changed := f.changesRecord(document)
	out := make(bson.D, 0, len(document)+1)
	var set bson.D
	for _, operator := range document {
		if operator.Key != "$set" {
			out = append(out, operator)
			continue
		}
		fields, _ := operator.Value.(bson.D)
		for _, e := range fields {
			if e.Key != UpdatedField {
				set = append(set, e)
			}
		}
	}
	if changed {
		set = append(set, bson.E{Key: UpdatedField, Value: now})
	}
	if len(set) > 0 {
		out = append(out, bson.E{Key: "$set", Value: set})
	}
	return out
}

// withUpdatedModels is withUpdated for the writes of a bulk. The models are copied.
func (c *collection) withUpdatedModels(writes []driver.WriteModel, now time.Time) []driver.WriteModel {
	if _, ok := followedCollections[c.name]; !ok {
		return writes
	}
	return each(writes, func(w driver.WriteModel) driver.WriteModel {
		switch w := w.(type) {
		case *driver.UpdateOneModel:
			changed := *w
			changed.Update = c.withUpdated(w.Update, now)
			return &changed
		case *driver.UpdateManyModel:
			changed := *w
			changed.Update = c.withUpdated(w.Update, now)
			return &changed
		case *driver.ReplaceOneModel:
			changed := *w
			changed.Replacement = c.changedAt(w.Replacement, now)
			return &changed
		}
		return w
	})
}

// updateTime is the time of a change, as precise as a stored one.
func updateTime() time.Time { return time.Now().UTC().Truncate(time.Millisecond) }

// recordDeletions remembers the records that a bulk deletes by key. It is called before they are deleted: a deletion
// that fails is repeated, one that was not remembered is not.
func (c *collection) recordDeletions(ctx context.Context, writes []driver.WriteModel, now time.Time) error {
	f, ok := followedCollections[c.name]
	if !ok {
		return nil
	}
	var keys []string
	for _, w := range writes {
		if d, ok := w.(*driver.DeleteOneModel); ok {
			if key := deletedKey(d.Filter); key != "" {
				keys = append(keys, key)
			}
		}
	}
	return c.putDeletions(ctx, f.kind, keys, now)
}

// deletedKey returns the id that a filter selects.
func deletedKey(filter any) string {
	if raw, ok := filter.(bson.Raw); ok {
		id, _ := raw.Lookup("_id").StringValueOK()
		return id
	}
	if d, ok := filter.(bson.D); ok && len(d) == 1 && d[0].Key == "_id" {
		id, _ := d[0].Value.(string)
		return id
	}
	return ""
}

func (c *collection) putDeletions(ctx context.Context, kind string, keys []string, now time.Time) error {
	if len(keys) == 0 {
		return nil
	}
	to := &collection{db: c.db, name: Deletions, guard: c.guard}
	_, err := to.BulkWrite(ctx, each(keys, func(key string) driver.WriteModel {
		d := model.Deletion{Token: kind + ":" + key, Type: kind, Key: key, At: now, Expires: now.Add(deletionTTL)}
		return driver.NewReplaceOneModel().SetFilter(bson.D{{Key: "_id", Value: d.Token}}).SetReplacement(d).SetUpsert(true)
	}))
	return err
}

// DeletionList is the deletions since a time, of some types or of all.
type DeletionList struct {
	Since time.Time
	Types []string
}

// DeletionOrder is the order of deletions.
var DeletionOrder = Order{Field: "at"}

func (l DeletionList) filter() bson.D {
	out := bson.D{{Key: "at", Value: bson.D{{Key: "$gte", Value: l.Since}}}}
	if l.Types != nil {
		out = append(out, bson.E{Key: "type", Value: in(l.Types)})
	}
	return out
}

// DeletionPage reads a page of deletions.
func (s *Store) DeletionPage(ctx context.Context, l DeletionList, q PageQuery) ([]*model.Deletion, bool, error) {
	q.Filter, q.Order = l.filter(), DeletionOrder
	return findPageOf[model.Deletion](ctx, s.db.Collection(Deletions), q)
}

// CountDeletions counts deletions.
func (s *Store) CountDeletions(ctx context.Context, l DeletionList) (int, error) {
	n, err := s.db.Collection(Deletions).CountDocuments(withLongTimeout(ctx), l.filter())
	return int(n), translateError(err)
}
