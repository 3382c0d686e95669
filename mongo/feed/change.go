package feed

import (
	"strings"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"

	"gamedata/mongo"
)

// changes are those of one collection by key, in the order in which records first changed. The first call of at for a
// record gives the filter that selects it.
type changes struct {
	order []string
	of    map[string]*change
	skip  map[string]bool
}

// added marks a record as new. Its changes are not written: the record that is inserted has them.
func (c *changes) added(key string) { c.dropped(key) }

// dropped makes the changes of a record not be written: it is deleted.
func (c *changes) dropped(key string) {
	if c.skip == nil {
		c.skip = map[string]bool{}
	}
	c.skip[key] = true
}

func (c *changes) at(key string, filter bson.D) *change {
	if known := c.of[key]; known != nil {
		return known
	}
	if c.of == nil {
		c.of = map[string]*change{}
	}
	created := &change{filter: filter}
	c.order, c.of[key] = append(c.order, key), created
	return created
}

// bulks returns bulks to be sent one after another, each with at most one update of a record.
// There is nearly always one.
func (c *changes) bulks() [][]driver.WriteModel {
	var out [][]driver.WriteModel
	for _, key := range c.order {
		if c.skip[key] {
			continue
		}
		for n, u := range c.of[key].updates {
			if n == len(out) {
				out = append(out, nil)
			}
			out[n] = append(out[n], driver.NewUpdateOneModel().SetFilter(c.of[key].filter).
				SetUpdate(u.document(c.of[key].shared)))
		}
	}
	return out
}

// change is the consecutive updates of one record. There is one, unless a field is incremented after it
// or a field that contains it was set.
type change struct {
	filter  bson.D
	updates []update
	// shared says that everyone may see all of the record, so that each change counts as one: see mongo.UpdatedField.
	shared bool
}

// update is the actions of one update document.
type update []action

type action struct {
	operator, field string
	value           any
}

func (c *change) set(field string, value any) { c.add(action{"$set", field, value}) }
func (c *change) unset(field string)          { c.add(action{"$unset", field, ""}) }

func (c *change) inc(field string, n int64) {
	if n != 0 {
		c.add(action{"$inc", field, n})
	}
}

// include adds values to a list without duplicates.
func (c *change) include(field string, values ...string) {
	if len(values) > 0 {
		c.add(action{"$addToSet", field, values})
	}
}

// exclude removes a value from a list.
func (c *change) exclude(field, value string) { c.add(action{"$pull", field, value}) }

func (c *change) add(a action) {
	if n := len(c.updates); n > 0 {
		if joined, ok := c.updates[n-1].join(a); ok {
			c.updates[n-1] = joined
			return
		}
	}
	c.updates = append(c.updates, update{a})
}

// join adds an action. It returns false when one document cannot have both: a server rejects two actions
// on one path, or on a path and one that contains it.
func (u update) join(a action) (update, bool) {
	joined := u[:0:0]
	for _, old := range u {
		switch {
		case old.field == a.field && old.operator == "$inc" && a.operator == "$inc":
			a.value = old.value.(int64) + a.value.(int64)
		case old.field == a.field && old.operator == "$addToSet" && a.operator == "$addToSet":
			a.value = append(old.value.([]string), a.value.([]string)...)
		case within(old.field, a.field) && (a.operator == "$set" || a.operator == "$unset"):
			// The new value overwrites what the old action did.
		case within(old.field, a.field), within(a.field, old.field):
			return nil, false
		default:
			joined = append(joined, old)
		}
	}
	return append(joined, a), true
}

// within reports whether a path is parent or below it.
func within(path, parent string) bool {
	rest, ok := strings.CutPrefix(path, parent)
	return ok && (rest == "" || rest[0] == '.')
}

// document returns the update. One of a shared record has a time of change: the store sets it if the change counts.
func (u update) document(shared bool) bson.D {
	if shared {
		u = append(u[:len(u):len(u)], action{"$set", mongo.UpdatedField, time.Time{}})
	}
	var out bson.D
	for _, operator := range []string{"$set", "$unset", "$inc", "$addToSet", "$pull"} {
		var fields bson.D
		for _, a := range u {
			if a.operator != operator {
				continue
			}
			if operator == "$addToSet" {
				a.value = bson.D{{Key: "$each", Value: a.value}}
			}
			fields = append(fields, bson.E{Key: a.field, Value: a.value})
		}
		if fields != nil {
			out = append(out, bson.E{Key: operator, Value: fields})
		}
	}
	return out
}

// tally adds n to a counter of a record. A counter that is null is set to n.
func (c *change) tally(field string, counter **int64, n int64) {
	switch {
	case n == 0:
	case *counter == nil:
		*counter = &n
		c.set(field, n)
	default:
		*counter = new(**counter + n)
		c.inc(field, n)
	}
}
