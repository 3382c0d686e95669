package feed_test

import (
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/graph/model"
	"gamedata/mongo"
	"gamedata/mongo/feed"
	"gamedata/mongo/mongotest"
)

// lookupWorld is a store whose players are changed at random in every way.
type lookupWorld struct {
	*testing.T
	store, other *mongo.Store
	random       *rand.Rand
	failing      atomic.Bool // now and then a write fails, or its reply is lost
	keys         int
}

// Whichever way players are written, and however a write ends, no lookup is ever missing;
// and a sweep, when the writers are done,
// removes those that are left over.
func TestLookupsStayInStep(t *testing.T) {
	var proxy *mongotest.Proxy
	store, server := mongotest.Open(t, mongotest.WithProxy(&proxy))
	storeGame(t, store)
	w := &lookupWorld{
		T: t, store: store, other: mongotest.OpenOn(t, server), random: rand.New(rand.NewPCG(1, 2)), keys: 0,
	}
	faults := rand.New(rand.NewPCG(3, 4))
	proxy.Handle(func(c mongotest.Command) mongotest.Action {
		ofPlayers := c.Collection == mongo.Players || c.Collection == mongo.PlayerLookups
		if w.failing.Load() && ofPlayers && c.Name != "find" && faults.IntN(3) == 0 {
			return mongotest.Action{HangUp: true, Forward: faults.IntN(2) == 0}
		}
		return mongotest.Action{}
	})
	steps := 100
	if testing.Short() {
		steps = 40
	}
	unused := 0
	for step := range steps {
		w.failing.Store(step%3 == 2)
		did := w.change()
		w.failing.Store(false)
		missing, left := mongotest.CompareLookups(t, server)
		if len(missing) > 0 {
			t.Fatalf("step %d, %s: %q are missing", step, did, missing)
		}
		if unused = max(unused, len(left)); step%20 == 19 {
			mongotest.AgeLookups(t, server)
			if _, err := store.SweepLookups(t.Context(), func(int) {}); err != nil {
				t.Fatal(err)
			}
			if missing, left := mongotest.CompareLookups(t, server); len(missing)+len(left) > 0 {
				t.Fatalf("step %d, after a sweep: %q are missing, %q are left over", step, missing, left)
			}
		}
	}
	if unused == 0 {
		t.Error("nothing was ever left over, which a sweep could remove")
	}
}

func (w *lookupWorld) player() string { return mongotest.UUID(1 + w.random.IntN(8)) }

func (w *lookupWorld) guild() string { return mongotest.UUID(51 + w.random.IntN(3)) }

func (w *lookupWorld) one(of ...string) string { return of[w.random.IntN(len(of))] }

func (w *lookupWorld) name() string { return w.one("Salted", "salted", "Moss Hare", "Émile", "x/y") }

// change writes something and says what. An error does not matter: the store is checked.
func (w *lookupWorld) change() string {
	ctx := w.Context()
	switch w.random.IntN(6) {
	case 0:
		_ = w.store.PutPlayers(ctx, []*model.Player{{
			UUID: w.player(), Username: w.name(), Address: w.one("", "192.0.2.1"), Party: w.one("", "p"),
			Guild: &model.GuildReference{UUID: w.guild()},
		}})
		return "an import"
	case 1:
		name := w.name()
		_ = w.store.InsertRaw(ctx, mongo.Players, []bson.D{{
			{Key: "_id", Value: w.player()},
			{Key: "username", Value: name},
			{Key: "nameFold", Value: mongo.Fold(name)},
			{Key: "guild", Value: bson.D{{Key: "uuid", Value: w.guild()}}},
		}})
		return "an import of an export"
	}
	var events []feed.Event
	var sent []feed.Sent
	did := ""
	for range 1 + w.random.IntN(4) {
		name, fields := w.event()
		e := decode(w.T, name, fields)
		events = append(events, e)
		w.keys++
		sent = append(sent, feed.Sent{Key: fmt.Sprint("test/", w.keys), Event: e})
		did += name + fields + " "
	}
	switch w.random.IntN(3) {
	case 0:
		_, _ = feed.Apply(ctx, w.store, events, options)
		return did
	case 1: // a process stops, another one completes what it began
		stopped := newJournal(w.store)
		stopped.StopBeforeWriting()
		_, _ = stopped.Apply(ctx, sent)
		if j, err := w.other.ReadJournal(ctx); err == nil && j.Entry != nil {
			writeFirst(w.T, w.other, w.random.IntN(4))
		}
		did += "(interrupted) "
	}
	_, _ = newJournal(w.other).Apply(ctx, sent)
	return did
}

// event returns a random event that changes how players are looked up.
func (w *lookupWorld) event() (name, fields string) {
	switch player := w.player(); w.random.IntN(10) {
	case 0:
		return "PlayerAdded", fmt.Sprintf(`{"player": %q, "username": %q}`, player, w.name())
	case 1:
		return "PlayerRenamed", fmt.Sprintf(`{"player": %q, "username": %q}`, player, w.name())
	case 2:
		return "PlayerJoined", fmt.Sprintf(`{"player": %q, "address": %q}`, player, w.one("192.0.2.1", "2001:db8::1"))
	case 3:
		return "PlayerLeft", fmt.Sprintf(`{"player": %q}`, player)
	case 4:
		return "PartyJoined", fmt.Sprintf(`{"player": %q, "party": %q}`, player, w.one("p", "q"))
	case 5:
		return "GuildJoined", fmt.Sprintf(`{"player": %q, "guild": %q, "rank": "RECRUIT"}`, player, w.guild())
	case 6:
		return "GuildLeft", fmt.Sprintf(`{"player": %q}`, player)
	case 7:
		return "GuildDisbanded", fmt.Sprintf(`{"guild": %q}`, w.guild())
	case 8:
		guild := w.guild()
		return "GuildAdded", fmt.Sprintf(`{"guild": %q, "name": "Guild %s", "prefix": "G"}`, guild, guild[34:])
	default:
		return "PlayerDeleted", fmt.Sprintf(`{"player": %q}`, player)
	}
}
