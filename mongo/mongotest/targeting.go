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
		Query: "members of guilds", Fields: map[string][]string{mongo.Players: {"guild.uuid"}},
		Reason: "Counts of members, which an index of each shard covers, and the members of a guild that is renamed or " +
			"disbanded. Otherwise members are read through `playerLookups`.",
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
	if e.CommandName == "bulkWrite" {
		t.checkBulkWrite(e.Command)
		return
	}
	name, _ := e.Command.Lookup(e.CommandName).StringValueOK()
	c, ok := t.command(name, e.CommandName)
	if !ok {
		return
	}
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
		c.change(document(e.Command, "query"), false)
	case "update":
		for _, u := range documents(e.Command, "updates") {
			many, _ := u.Lookup("multi").BooleanOK()
			c.change(document(u, "q"), many)
		}
	case "delete":
		for _, d := range documents(e.Command, "deletes") {
			limit, _ := d.Lookup("limit").AsInt64OK()
			c.change(document(d, "q"), limit == 0)
		}
	case "insert":
		for _, d := range documents(e.Command, "documents") {
			c.insert(d)
		}
	}
}

// checkBulkWrite checks the operations of a bulkWrite, which name their collections by a number.
func (t *Targeting) checkBulkWrite(command bson.Raw) {
	namespaces := documents(command, "nsInfo")
	for _, op := range documents(command, "ops") {
		kind, _ := op.IndexErr(0)
		at, _ := kind.Value().AsInt64OK()
		namespace, _ := namespaces[at].Lookup("ns").StringValueOK()
		_, name, _ := strings.Cut(namespace, ".")
		c, ok := t.command(name, kind.Key())
		switch many, _ := op.Lookup("multi").BooleanOK(); {
		case !ok:
		case kind.Key() == "insert":
			c.insert(document(op, "document"))
		default:
			c.change(document(op, "filter"), many)
		}
	}
}

// command returns a command to a collection; false when that is not sharded.
func (t *Targeting) command(collection, name string) (checkedCommand, bool) {
	at := slices.IndexFunc(mongo.Collections, func(c mongo.Collection) bool { return c.Name == collection })
	if at < 0 || mongo.Collections[at].ShardKey.Fields == nil {
		return checkedCommand{}, false
	}
	return checkedCommand{t, collection, mongo.Collections[at].ShardKey, name}, true
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

// insert checks a new record: it has all fields of the shard key.
func (c checkedCommand) insert(record bson.Raw) {
	for _, field := range c.key.Fields {
		if record.Lookup(strings.Split(field, ".")...).IsZero() {
			c.problem("the new record %v lacks %s of the shard key", record.Lookup("_id"), field)
		}
	}
}

// change checks the filter of a write. That of one record has a value of each field of the shard key.
func (c checkedCommand) change(filter bson.Raw, many bool) {
	if many {
		c.query(filter, nil)
		return
	}
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
