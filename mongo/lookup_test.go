package mongo_test

import (
	"strings"
	"sync"
	"testing"
	"time"

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
		func() ([][]*model.Player, error) { return store.PlayersByName(t.Context(), []string{name}) },
		func() ([][]*model.Player, error) { return store.PlayersByGuild(t.Context(), []string{guild}) },
		func() ([][]*model.Player, error) { return store.PlayersByParty(t.Context(), []string{party}) },
		func() ([][]*model.Player, error) { return store.OnlinePlayersByAddress(t.Context(), []string{address}) },
		func() ([][]*model.Player, error) {
			hits, err := store.SearchPlayers(t.Context(), mongo.Fold(name)[:2], 10, true)
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

// Beside instances of an earlier version, which write no lookups, players are found without them. They are built by a
// sweep an hour later, and used from then on.
func TestUpgradeOfLookups(t *testing.T) {
	_, server := mongotest.Open(t, readOnly)
	db := server.Database(t)
	old := func(name string) {
		t.Helper()
		_, err := db.Collection(mongo.Players).InsertOne(t.Context(), bson.D{
			{Key: "_id", Value: "uuid of " + name},
			{Key: "username", Value: name},
			{Key: "nameFold", Value: mongo.Fold(name)},
			{Key: "guild", Value: bson.D{{Key: "uuid", Value: "g"}}},
			{Key: "party", Value: "p"},
			{Key: "address", Value: "a"},
			{Key: "online", Value: true},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	old("One")
	store := mongotest.OpenOn(t, server)
	sweep := func(complete bool) {
		t.Helper()
		if _, err := store.SweepLookups(t.Context(), func(int) {}); err != nil {
			t.Fatal(err)
		}
		if check, err := store.CheckLookups(t.Context()); err != nil || check.Built != complete {
			t.Errorf("after a sweep: got %+v, %v, want complete lookups: %t", check, err, complete)
		}
	}
	expect := func(store *mongo.Store, name, want string) {
		t.Helper()
		if got := found(t, store, name, "g", "p", "a"); got != want {
			t.Errorf("%s: found %q, want %q", name, got, want)
		}
	}
	expect(store, "one", "One One One One One")
	sweep(false)
	old("Two")
	sweep(false)
	expect(store, "Two", "Two One Two One Two One Two Two")
	_, err := db.Collection(mongo.PlayerLookups).UpdateOne(t.Context(), bson.D{{Key: "_id", Value: "built"}},
		bson.D{{Key: "$set", Value: bson.D{{Key: "begun", Value: time.Now().Add(-2 * time.Hour)}}}})
	if err != nil {
		t.Fatal(err)
	}
	sweep(true)
	if missing, unused := mongotest.CompareLookups(t, server); len(missing)+len(unused) > 0 {
		t.Errorf("%q are missing, %q are left over", missing, unused)
	}
	before := server.Stats().CollectionScans
	expect(store, "TWO", "Two One Two One Two One Two Two")
	expect(mongotest.OpenOn(t, server), "TWO", "Two One Two One Two One Two Two")
	if n := server.Stats().CollectionScans - before; n > 0 {
		t.Errorf("%d queries used no lookups", n)
	}
}

// Lookups that are built while the first sweep finds that they are not complete are used.
func TestLookupsBuiltDuringFirstSweep(t *testing.T) {
	_, server := mongotest.Open(t, readOnly)
	_, err := server.Database(t).Collection(mongo.Players).InsertOne(t.Context(), bson.D{{Key: "_id", Value: "x"}})
	if err != nil {
		t.Fatal(err)
	}
	var proxy *mongotest.Proxy
	store := mongotest.OpenOn(t, server, mongotest.WithProxy(&proxy))
	other := mongotest.OpenOn(t, server)
	var building sync.Once
	proxy.Handle(func(command mongotest.Command) mongotest.Action {
		if command.Collection == mongo.PlayerLookups && command.Name == "update" {
			building.Do(func() {
				if _, err := other.BuildLookups(t.Context(), func(int) {}); err != nil {
					t.Error(err)
				}
			})
		}
		return mongotest.Action{}
	})
	if _, err := store.SweepLookups(t.Context(), func(int) {}); err != nil {
		t.Fatal(err)
	}
	if check, err := mongotest.OpenOn(t, server).CheckLookups(t.Context()); err != nil || !check.Built {
		t.Errorf("got %+v, %v, want complete lookups", check, err)
	}
}

// A lookup that another writer needs again is not removed, at whichever moment the other one comes.
func TestRemovalLeavesConfirmedLookups(t *testing.T) {
	named := func(name string) []*model.Player {
		return []*model.Player{{UUID: mongotest.UUID(1), Username: name}}
	}
	for name, c := range map[string]struct {
		to                  string // what the first writer renames the player to
		collection, command string // where it is interrupted by the other one
		other               string // what that renames the player to
	}{
		"renamed back before the removal": {"New", mongo.PlayerLookups, "delete", "Old"},
		"renamed while another confirms":  {"Old", mongo.Players, "update", "New"},
	} {
		t.Run(name, func(t *testing.T) {
			var proxy *mongotest.Proxy
			store, server := mongotest.Open(t, mongotest.WithProxy(&proxy))
			other := mongotest.OpenOn(t, server)
			if err := store.InsertPlayers(t.Context(), named("Old")); err != nil {
				t.Fatal(err)
			}
			mongotest.AgeLookups(t, server)
			interrupted := false
			proxy.Handle(func(command mongotest.Command) mongotest.Action {
				if command.Collection == c.collection && command.Name == c.command && !interrupted {
					interrupted = true
					if err := other.PutPlayers(t.Context(), named(c.other)); err != nil {
						t.Error(err)
					}
				}
				return mongotest.Action{}
			})
			if err := store.PutPlayers(t.Context(), named(c.to)); err != nil || !interrupted {
				t.Fatal(err, interrupted)
			}
			if missing, _ := mongotest.CompareLookups(t, server); len(missing) > 0 {
				t.Errorf("%q are missing", missing)
			}
			got, err := store.PlayersByName(t.Context(), []string{"old", "new"})
			if err != nil || len(got[0]) != 1 || len(got[1]) != 0 {
				t.Errorf("found %v, %v, want the player by the old name", got, err)
			}
		})
	}
}

// Another writer adds one of two lookups at the same moment, and the store does not add the other one: it is added
// before the player is written, or the write fails.
func TestNoLookupIsLostToAnotherWriter(t *testing.T) {
	var proxy *mongotest.Proxy
	store, server := mongotest.Open(t, mongotest.WithProxy(&proxy))
	failed := false
	proxy.Handle(func(command mongotest.Command) mongotest.Action {
		if command.Collection != mongo.PlayerLookups || command.Name != "update" || failed {
			return mongotest.Action{}
		}
		failed = true
		failures := bson.A{
			bson.D{{Key: "index", Value: 0}, {Key: "code", Value: 11000}, {Key: "errmsg", Value: "E11000"}},
			bson.D{{Key: "index", Value: 1}, {Key: "code", Value: 11601}, {Key: "errmsg", Value: "interrupted"}},
		}
		return mongotest.Action{Reply: bson.D{
			{Key: "ok", Value: 1.0}, {Key: "n", Value: 0}, {Key: "writeErrors", Value: failures},
		}}
	})
	players := []*model.Player{{UUID: mongotest.UUID(1), Username: "Salted", Party: "p"}}
	if err := store.PutPlayers(t.Context(), players); err != nil || !failed {
		t.Fatal(err, failed)
	}
	if missing, _ := mongotest.CompareLookups(t, server); len(missing) > 0 {
		t.Errorf("%q are missing", missing)
	}
}

// Lookups that are left over fill no page of a search and hide no player.
func TestSearchPassesOverUnusedLookups(t *testing.T) {
	store, server := mongotest.Open(t)
	if err := store.InsertPlayers(t.Context(), []*model.Player{{UUID: mongotest.UUID(1), Username: "Saltz"}}); err != nil {
		t.Fatal(err)
	}
	var unused []any
	for n := range 25 {
		unused = append(unused, bson.D{{Key: "_id", Value: "name\tsalt\tSalt\t" + mongotest.UUID(100+n)}})
	}
	if _, err := server.Database(t).Collection(mongo.PlayerLookups).InsertMany(t.Context(), unused); err != nil {
		t.Fatal(err)
	}
	for _, brief := range []bool{false, true} {
		hits, err := store.SearchPlayers(t.Context(), "sal", 10, brief)
		if err != nil || len(hits) != 1 || hits[0].Username != "Saltz" {
			t.Errorf("found %v, %v", hits, err)
		}
	}
}
