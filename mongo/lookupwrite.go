package mongo

import (
	"context"
	"fmt"
	"slices"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"gamedata/graph/model"
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
	_, err := c.BulkWrite(ctx, each(ids, func(id string) driver.WriteModel {
		return driver.NewUpdateOneModel().SetFilter(bson.D{{Key: "_id", Value: id}}).SetUpdate(now).SetUpsert(true)
	}))
	if isDuplicateKey(err) { // another writer added one of them at the same moment; the others are written
		return nil
	}
	return err
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

// playerChange is a write of players that can change their lookups.
type playerChange struct {
	filter bson.D // nil for a new player
	uuid   string // of the player that the filter names; "" when it names none
	// whole says that the write replaces all values, or deletes the player; otherwise it sets some.
	whole  bool
	values lookupValues
	set    func(*lookupValues)
	// touched are the kinds of values that the write sets, whether they change or not.
	touched [len(lookupIDs{})]bool
	// before has the values that the write replaces, by uuid.
	before map[string]lookupValues
}

// apply returns the values of a player after the change.
func (p *playerChange) apply(before lookupValues) lookupValues {
	if p.whole {
		return p.values
	}
	p.set(&before)
	return before
}

// changeOf returns what a write changes; nil when it changes no lookups.
func changeOf(w driver.WriteModel) (*playerChange, error) {
	switch w := w.(type) {
	case *driver.InsertOneModel:
		return changeTo(nil, w.Document)
	case *driver.ReplaceOneModel:
		return changeTo(w.Filter, w.Replacement)
	case *driver.UpdateOneModel:
		return changeBy(w.Filter, w.Update)
	case *driver.UpdateManyModel:
		return changeBy(w.Filter, w.Update)
	case *driver.DeleteOneModel:
		return changeOfMatching(w.Filter, playerChange{whole: true})
	case *driver.DeleteManyModel:
		return changeOfMatching(w.Filter, playerChange{whole: true})
	}
	return nil, fmt.Errorf("a %T of players", w)
}

// changeTo is the change of a write of a whole player.
func changeTo(filter, player any) (*playerChange, error) {
	change := playerChange{whole: true, touched: [...]bool{true, true, true, true}}
	if p, ok := player.(*model.Player); ok {
		change.uuid = p.UUID
		change.values = lookupValues{fold: p.NameFold, username: p.Username, party: p.Party, address: p.Address}
		if p.Guild != nil {
			change.values.guild = p.Guild.UUID
		}
	} else {
		raw, err := encode(player)
		if err != nil {
			return nil, err
		}
		change.uuid, _ = raw.Lookup("_id").StringValueOK()
		change.values = lookupValuesOf(raw)
	}
	if filter != nil {
		return changeOfMatching(filter, change)
	}
	change.before = map[string]lookupValues{change.uuid: {}}
	return &change, nil
}

// changeBy is the change of an update; nil when it sets no value that players are looked up by.
func changeBy(filter, update any) (*playerChange, error) {
	operators, err := document(update)
	if err != nil {
		return nil, err
	}
	var set bson.D
	for _, operator := range operators {
		fields, _ := operator.Value.(bson.D)
		for _, field := range fields {
			if operator.Key == "$unset" {
				field.Value = nil
			}
			switch field.Key {
			case "username", "nameFold", "guild", "guild.uuid", "party", "address":
				set = append(set, field)
			}
		}
	}
	if set == nil {
		return nil, nil
	}
	raw, err := encode(set)
	if err != nil {
		return nil, err
	}
	change := playerChange{}
	var setters []func(*lookupValues)
	for _, field := range set {
		value := raw.Lookup(field.Key)
		text, _ := value.StringValueOK()
		kind, setter := 0, func(v *lookupValues) { v.username = text }
		switch field.Key {
		case "nameFold":
			setter = func(v *lookupValues) { v.fold = text }
		case "guild", "guild.uuid":
			if guild, ok := value.DocumentOK(); ok {
				text, _ = guild.Lookup("uuid").StringValueOK()
			}
			kind, setter = 1, func(v *lookupValues) { v.guild = text }
		case "party":
			kind, setter = 2, func(v *lookupValues) { v.party = text }
		case "address":
			kind, setter = 3, func(v *lookupValues) { v.address = text }
		}
		change.touched[kind], setters = true, append(setters, setter)
	}
	change.set = func(v *lookupValues) {
		for _, set := range setters {
			set(v)
		}
	}
	return changeOfMatching(filter, change)
}

// changeOfMatching completes the change of a write with a filter. Deleting everything is no change here: see clear.
func changeOfMatching(filter any, change playerChange) (*playerChange, error) {
	conditions, err := document(filter)
	if err != nil || len(conditions) == 0 {
		return nil, err
	}
	change.filter, change.uuid = conditions, ""
	for _, condition := range conditions {
		if uuid, ok := condition.Value.(string); ok && condition.Key == "_id" {
			change.uuid = uuid
		}
	}
	return &change, nil
}

// document returns a filter or an update as bson.D.
func document(d any) (out bson.D, err error) {
	if d, ok := d.(bson.D); ok {
		return d, nil
	}
	raw, err := encode(d)
	if err != nil {
		return nil, err
	}
	return out, bson.Unmarshal(raw, &out)
}

// readBefore reads the values that changes replace. The filter of a change may exclude a player that it names, such as
// one that a step of the journal has changed before: its values stay as they are.
func (c *collection) readBefore(ctx context.Context, changes []*playerChange) error {
	ctx = FromPrimary(ctx)
	// The changes whose filters say the same besides the uuid are read with one command.
	alike := map[string][]*playerChange{}
	for _, change := range changes {
		switch {
		case change.filter == nil:
			continue
		case change.uuid == "":
			before, err := c.readValues(ctx, change.filter)
			if err != nil {
				return err
			}
			change.before = before
			continue
		}
		raw, err := encode(change.conditions())
		if err != nil {
			return err
		}
		alike[string(raw)] = append(alike[string(raw)], change)
	}
	for _, changes := range alike {
		uuids := each(changes, func(p *playerChange) string { return p.uuid })
		filter := append(bson.D{{Key: "_id", Value: in(uuids)}}, changes[0].conditions()...)
		before, err := c.readValues(ctx, filter)
		if err != nil {
			return err
		}
		for _, change := range changes {
			// A missing player may be added at this moment: its lookups are added too.
			change.before = map[string]lookupValues{change.uuid: before[change.uuid]}
		}
	}
	return nil
}

// conditions are those of the filter besides the uuid.
func (p *playerChange) conditions() bson.D {
	return slices.DeleteFunc(slices.Clone(p.filter), func(e bson.E) bool { return e.Key == "_id" })
}

// readValues reads the values of the players that a filter matches, by uuid.
func (c *collection) readValues(ctx context.Context, filter bson.D, o ...findOptions) (map[string]lookupValues, error) {
	o = append(o, options.Find().SetProjection(projection(lookupFields...)).SetBatchSize(100_000))
	return read(ctx, c, func(ctx context.Context, c *driver.Collection) (*driver.Cursor, error) {
		return c.Find(ctx, filter, o...)
	}, func(ctx context.Context, cursor *driver.Cursor) (map[string]lookupValues, error) {
		out := map[string]lookupValues{}
		for cursor.Next(ctx) {
			uuid, _ := cursor.Current.Lookup("_id").StringValueOK()
			out[uuid] = lookupValuesOf(cursor.Current)
		}
		return out, cursor.Err()
	})
}
