package mongo

import (
	"context"
	"fmt"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"gamedata/graph/model"
)

// playerChange is a write of players that can change their lookups.
type playerChange struct {
	filter bson.D // nil for a new player
	uuid   string // of the player that the filter names; "" when it names none
	// set are the values that an update sets, by field. A write without any replaces all values, or deletes the player.
	set    map[string]string
	values lookupValues
	// touched are the kinds of values that the write sets, whether they change or not.
	touched [len(lookupIDs{})]bool
	// before has the values that the write replaces, by uuid.
	before map[string]lookupValues
}

// apply returns the values of a player after the change.
func (p *playerChange) apply(before lookupValues) lookupValues {
	if p.set == nil {
		return p.values
	}
	for field, text := range p.set {
		value, _ := before.field(field)
		*value = text
	}
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
		return changeOfMatching(w.Filter, playerChange{})
	case *driver.DeleteManyModel:
		return changeOfMatching(w.Filter, playerChange{})
	}
	return nil, fmt.Errorf("a %T of players", w)
}

// changeTo is the change of a write of a whole player.
func changeTo(filter, player any) (*playerChange, error) {
	change := playerChange{touched: [...]bool{true, true, true, true}}
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
	change := playerChange{set: map[string]string{}}
	for _, operator := range operators {
		fields, err := document(operator.Value)
		if err != nil {
			return nil, err
		}
		for _, field := range fields {
			value, kind := new(lookupValues).field(field.Key)
			if value == nil {
				continue
			}
			text := ""
			if operator.Key != "$unset" {
				if text, err = lookupValue(field); err != nil {
					return nil, err
				}
			}
			change.set[field.Key], change.touched[kind] = text, true
		}
	}
	if len(change.set) == 0 {
		return nil, nil
	}
	return changeOfMatching(filter, change)
}

// lookupValue returns the value that players are looked up by of a field that is set: a text, or a guild with its uuid.
func lookupValue(field bson.E) (string, error) {
	raw, err := encode(bson.D{field})
	if err != nil {
		return "", err
	}
	value := raw.Lookup(field.Key)
	if guild, ok := value.DocumentOK(); ok {
		value = guild.Lookup("uuid")
	}
	text, _ := value.StringValueOK()
	return text, nil
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
