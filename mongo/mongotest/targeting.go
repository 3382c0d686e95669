package mongotest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/event"

	"gamedata/mongo"
)

// Broadcast is a query that a sharded cluster sends to every shard, because what it searches by is not the shard key.
type Broadcast struct {
	// Query says what is searched, for the documentation.
	Query string
	// Fields are the fields that are searched or ordered by, of each collection.
	Fields map[string][]string
	// Reason says why that is accepted.
	Reason string
}

// Broadcasts are the accepted ones. A test with a store fails for any other.
var Broadcasts = []Broadcast{
	{
		Query: "players online", Fields: map[string][]string{mongo.Players: {"online"}},
		Reason: "All of them are wanted, and every shard has some. An index of each shard has them.",
	},
	{
		Query:  "what the next refresh looks at",
		Fields: map[string][]string{mongo.Players: {"flagged"}, mongo.PlayerStandings: {"pending"}},
		Reason: "All of them are wanted, by one job. A small partial index of each shard has them.",
	},
	{
		Query:  "sorted lists of players",
		Fields: map[string][]string{mongo.Players: {"nameFold", "lastJoin", "globalData.totalLevel", "updatedAt"}},
		Reason: "A page is merged from an index of each shard, which reads no more than the page. Responses are cached.",
	},
	{
		Query:  "characters by uuid alone",
		Fields: map[string][]string{mongo.Characters: {"_id"}},
		Reason: "`Query.character` and events of the feed name no player: one lookup in the index of each shard for a " +
			"whole batch. An export reads in the order of the uuids, so that it includes malformed records.",
	},
	{
		Query: "pages of earlier refreshes", Fields: map[string][]string{mongo.BoardPages: {"_id"}},
		Reason: "Ranges of hashed ids: the daily removal of pages that no directory names.",
	},
	{
		Query: "members of guilds", Fields: map[string][]string{mongo.Players: {"guild.uuid", "party", "address"}},
		Reason: "Counts of members, which an index of each shard covers, and the changes of a guild that is renamed or " +
			"disbanded. Members are read through `playerLookups`, as are parties and addresses; of a store of an earlier " +
			"version, when its lookups are complete.",
	},
}

// broadcast returns the accepted broadcast of a query that searches or orders by a field; nil if there is none.
func broadcast(collection string, fields []string) *Broadcast {
	for i, b := range Broadcasts {
		if slices.ContainsFunc(b.Fields[collection], func(f string) bool { return slices.Contains(fields, f) }) {
			return &Broadcasts[i]
		}
	}
	return nil
}

// Targeting is what the commands of a store would do on a sharded cluster.
type Targeting struct {
	// Problems are the queries that no shard key targets and that are not accepted, and the writes that a cluster rejects.
	Problems []string
	// Broadcasts are the accepted ones that were sent.
	Broadcasts []*Broadcast
}

// Check adds what a command does.
func (t *Targeting) Check(e *event.CommandStartedEvent) {
	name, _ := e.Command.Lookup(e.CommandName).StringValueOK()
	at := slices.IndexFunc(mongo.Collections, func(c mongo.Collection) bool { return c.Name == name })
	if at < 0 || mongo.Collections[at].ShardKey.Fields == nil {
		return
	}
	c := checkedCommand{t, name, mongo.Collections[at].ShardKey, e.CommandName}
	switch e.CommandName {
	case "find":
		c.query(document(e.Command, "filter"), document(e.Command, "sort"))
	case "count", "distinct":
		if filter := document(e.Command, "query"); filter != nil { // else it counts by the metadata
			c.query(filter, nil)
		}
	case "aggregate":
		stages := documents(e.Command, "pipeline")
		if len(stages) > 0 {
			c.query(document(stages[0], "$match"), nil)
		}
	case "findAndModify":
		c.write(document(e.Command, "query"))
	case "update":
		for _, u := range documents(e.Command, "updates") {
			if many, _ := u.Lookup("multi").BooleanOK(); many {
				c.query(document(u, "q"), nil)
			} else {
				c.write(document(u, "q"))
			}
		}
	case "delete":
		for _, d := range documents(e.Command, "deletes") {
			if limit, _ := d.Lookup("limit").AsInt64OK(); limit == 0 {
				c.query(document(d, "q"), nil)
			} else {
				c.write(document(d, "q"))
			}
		}
	case "insert":
		for _, d := range documents(e.Command, "documents") {
			for _, field := range c.key.Fields {
				if d.Lookup(strings.Split(field, ".")...).IsZero() {
					c.problem("the new record %v lacks %s of the shard key", d.Lookup("_id"), field)
				}
			}
		}
	}
}

func document(d bson.Raw, field string) bson.Raw {
	inner, _ := d.Lookup(field).DocumentOK()
	return inner
}

func documents(d bson.Raw, field string) (out []bson.Raw) {
	list, _ := d.Lookup(field).ArrayOK()
	values, _ := list.Values()
	for _, v := range values {
		if inner, ok := v.DocumentOK(); ok {
			out = append(out, inner)
		}
	}
	return out
}

// checkedCommand is a command to a sharded collection.
type checkedCommand struct {
	t          *Targeting
	collection string
	key        mongo.ShardKey
	name       string
}

func (c checkedCommand) problem(format string, args ...any) {
	c.t.Problems = append(c.t.Problems, fmt.Sprintf("%s %s: ", c.name, c.collection)+fmt.Sprintf(format, args...))
}

// write checks the filter of a write of one record: it has a value of each field of the shard key.
func (c checkedCommand) write(filter bson.Raw) {
	for _, field := range c.key.Fields {
		if conditionOn(filter, field) != equal {
			c.problem("a write of one record must name %s of the shard key: %s", field, filter)
		}
	}
}

// query checks a filter and an order. Those of nothing but the shard key want the whole collection, part by part.
func (c checkedCommand) query(filter, order bson.Raw) {
	fields := slices.Concat(fieldsOf(filter), fieldsOf(order))
	switch first := c.key.Fields[0]; {
	case conditionOn(filter, first) == equal, conditionOn(filter, first) == oneOf:
		return
	case conditionOn(filter, first) == between && !c.key.Hashed:
		return
	case c.eachTargeted(documents(filter, "$or")):
		return
	case !slices.ContainsFunc(fields, func(f string) bool { return f != first }) && (len(fields) == 0 || !c.key.Hashed):
		return
	}
	if b := broadcast(c.collection, fields); b != nil {
		c.t.Broadcasts = append(c.t.Broadcasts, b)
		return
	}
	c.problem("neither targeted by the shard key %s nor accepted in mongotest.Broadcasts: %s %s", c.key, filter, order)
}

// eachTargeted reports whether the shard key targets each of some alternatives; there must be one.
func (c checkedCommand) eachTargeted(alternatives []bson.Raw) bool {
	return len(alternatives) > 0 && !slices.ContainsFunc(alternatives, func(filter bson.Raw) bool {
		condition := conditionOn(filter, c.key.Fields[0])
		return condition == other || condition == between && c.key.Hashed
	})
}

func fieldsOf(d bson.Raw) (fields []string) {
	elements, _ := d.Elements()
	for _, e := range elements {
		fields = append(fields, e.Key())
	}
	return fields
}

// condition is what a filter says of a field.
type condition int

const (
	other   condition = iota // or nothing
	equal                    // one value
	oneOf                    // some values
	between                  // a range with both ends
)

func conditionOn(filter bson.Raw, field string) condition {
	value, err := filter.LookupErr(field)
	if err != nil {
		return other
	}
	operators, isDocument := value.DocumentOK()
	if !isDocument {
		return equal
	}
	has := func(names ...string) bool {
		return slices.ContainsFunc(fieldsOf(operators), func(name string) bool { return slices.Contains(names, name) })
	}
	switch {
	case has("$eq"):
		return equal
	case has("$in"):
		return oneOf
	case has("$gt", "$gte") && has("$lt", "$lte"):
		return between
	}
	return other
}

// checkTargeting fails a test whose store sends a command that a sharded cluster would reject, or send to all shards
// although that is not accepted.
func checkTargeting(t testing.TB, next *event.CommandMonitor) *event.CommandMonitor {
	if next == nil {
		next = &event.CommandMonitor{}
	}
	monitor := *next
	monitor.Started = func(ctx context.Context, e *event.CommandStartedEvent) {
		var found Targeting
		found.Check(e)
		for _, problem := range found.Problems {
			t.Error(problem)
		}
		if next.Started != nil {
			next.Started(ctx, e)
		}
	}
	return &monitor
}
