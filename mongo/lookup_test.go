package mongo_test

import (
	"strings"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/graph/model"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// found returns the names of the players that are found by name, guild, party, address and search.
func found(t *testing.T, store *mongo.Store, name, guild, party, address string) string {
	t.Helper()
	var out []string
	for _, find := range []func() ([][]*model.Player, error){
		func() ([][]*model.Player, error) { return store.Players.ByName(t.Context(), []string{name}) },
		func() ([][]*model.Player, error) { return store.Players.ByGuild(t.Context(), []string{guild}) },
		func() ([][]*model.Player, error) { return store.Players.ByParty(t.Context(), []string{party}) },
		func() ([][]*model.Player, error) {
			return store.Players.OnlineByAddress(t.Context(), []string{address})
		},
		func() ([][]*model.Player, error) {
			hits, err := store.Players.Search(t.Context(), mongo.Fold(name)[:2], 10, true)
			return [][]*model.Player{hits}, err
		},
	} {
		groups, err := find()
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range groups[0] {
			out = append(out, p.Username)
		}
	}
	return strings.Join(out, " ")
}

// A store that a version without lookups wrote gets them when it is opened; one that lost some is repaired.
func TestRepairLookups(t *testing.T) {
	_, server := mongotest.Open(t, readOnly)
	db := server.Database(t)
	if _, err := db.Collection(mongo.Players).InsertOne(t.Context(), bson.D{
		{Key: "_id", Value: "uuid of One"},
		{Key: "username", Value: "One"},
		{Key: "nameFold", Value: "one"},
		{Key: "guild", Value: bson.D{{Key: "uuid", Value: "g"}}},
		{Key: "party", Value: "p"},
		{Key: "address", Value: "a"},
		{Key: "online", Value: true},
	}); err != nil {
		t.Fatal(err)
	}
	store := mongotest.OpenOn(t, server, readOnly)
	if built, err := store.Lookups.Built(t.Context()); err != nil || built {
		t.Errorf("got %t, %v, want no lookups", built, err)
	}
	check := func(missing int, example string) {
		t.Helper()
		c, err := store.Lookups.Check(t.Context())
		if err != nil || c.Missing != missing || c.Example != example {
			t.Errorf("got %+v, %v, want %d missing, such as %q", c, err, missing, example)
		}
	}
	repair := func(added, removed int) {
		t.Helper()
		r, err := store.Lookups.Repair(t.Context(), func(int) {})
		if err != nil || r.Added != added || r.Removed != removed {
			t.Errorf("got %+v, %v, want %d added, %d removed", r, err, added, removed)
		}
		if missing, unused := mongotest.CompareLookups(t, server); len(missing)+len(unused) > 0 {
			t.Errorf("%q are missing, %q are left over", missing, unused)
		}
	}
	check(4, "uuid of One")
	store = mongotest.OpenOn(t, server)
	check(0, "")
	repair(0, 0)
	lookups := db.Collection(mongo.PlayerLookups)
	if _, err := lookups.DeleteOne(t.Context(), bson.D{{Key: "_id", Value: "party\tp\tuuid of One"}}); err != nil {
		t.Fatal(err)
	}
	if _, err := lookups.InsertOne(t.Context(), bson.D{{Key: "_id", Value: "address\tb\tuuid of One"}}); err != nil {
		t.Fatal(err)
	}
	check(1, "uuid of One")
	repair(1, 1)
	before := server.Stats().CollectionScans
	if got := found(t, store, "ONE", "g", "p", "a"); got != "One One One One One" {
		t.Errorf("found %q", got)
	}
	if n := server.Stats().CollectionScans - before; n > 0 {
		t.Errorf("%d queries used no lookups", n)
	}
}

// Whenever another writer renames a player who is being renamed, the lookups are those of the name that remains.
func TestLookupsOfConcurrentWriters(t *testing.T) {
	named := func(name string) []*model.Player {
		return []*model.Player{{UUID: mongotest.UUID(1), Username: name}}
	}
	for _, at := range []string{"find", "bulkWrite", "commitTransaction"} {
		t.Run(at, func(t *testing.T) {
			var proxy *mongotest.Proxy
			store, server := mongotest.Open(t, mongotest.WithProxy(&proxy))
			other := mongotest.OpenOn(t, server)
			if err := store.Players.Insert(t.Context(), named("Old")); err != nil {
				t.Fatal(err)
			}
			interrupted := false
			proxy.Handle(func(command mongotest.Command) mongotest.Action {
				if command.Name == at && !interrupted {
					interrupted = true
					if err := other.Players.Put(t.Context(), named("Other")); err != nil {
						t.Error(err)
					}
				}
				return mongotest.Action{}
			})
			if err := store.Players.Put(t.Context(), named("New")); err != nil || !interrupted {
				t.Fatal(err, interrupted)
			}
			if missing, unused := mongotest.CompareLookups(t, server); len(missing)+len(unused) > 0 {
				t.Errorf("%q are missing, %q are left over", missing, unused)
			}
			got, err := store.Players.ByName(t.Context(), []string{"new"})
			if err != nil || len(got[0]) != 1 {
				t.Errorf("found %v, %v, want the player by the new name", got, err)
			}
		})
	}
}
