package feed_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/graph/model"
	"gamedata/internal/feed"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// random is the text of random ids, of the ids and keys of events, and of the times of writes.
var random = regexp.MustCompile(
	`"_id": (\{"\$oid":"\w+"\}|"[0-9a-v]{26}","key": "[^"]+"),|` +
		`,"(expires|updatedAt)": \{"\$date":\{"\$numberLong":"\d+"\}\}|,"order": \{"\$numberLong":"\d+"\}`)

// contents returns all game data of a store as sorted text, without random ids and the times of writes.
func contents(t *testing.T, store *mongo.Store) string {
	t.Helper()
	var out []string
	for _, c := range mongo.Exported() {
		err := store.Export.Records(t.Context(), c.Name, func(r bson.Raw) error {
			out = append(out, random.ReplaceAllString(fmt.Sprintln(c.Name, r), ""))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(out) // events of a millisecond have random ids
	return strings.Join(out, "")
}

// Time is simulated in what follows: after a failure the driver waits before it looks at the server again.

// Each command of a batch fails once, before the store gets it or with its reply lost. The batch is applied all the
// same or not at all; sent again with its keys, it is applied once.
func TestLostReplies(t *testing.T) {
	skipWithRaceDetector(t)
	var events []feed.Event
	var sent []feed.Sent
	for _, name := range []string{
		"CharacterGained", "RaidCompleted", "Contributed", "GuildProgressed", "PlayerAdded", "LinkCodeCreated",
		"PlayerBanned", "TerritoryCaptured", "GuildDisbanded",
	} {
		e := decode(t, name, examples[name])
		events, sent = append(events, e), append(sent, feed.Sent{Key: "test/" + name, Event: e})
	}
	untouched, _ := mongotest.Open(t)
	storeGame(t, untouched)
	before := contents(t, untouched)
	play(t, untouched, events...)
	after := contents(t, untouched)
	for _, forward := range []bool{false, true} {
		for failing, more := int64(1), true; more; failing++ {
			t.Run(fmt.Sprint(failing, forward), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { more = failOnce(t, sent, failing, forward, before, after) })
			})
		}
	}
}

// failOnce lets the nth command fail. It returns false when there are fewer.
func failOnce(t *testing.T, sent []feed.Sent, n int64, forward bool, before, after string) (failed bool) {
	var proxy *mongotest.Proxy
	store, _ := mongotest.Open(t, mongotest.WithProxy(&proxy), func(o *mongo.Options) {
		// The simulated time is in the past: the store would delete the events.
		o.EventClock = func() time.Time { return feedTime.AddDate(100, 0, 0) }
	})
	storeGame(t, store)
	var commands atomic.Int64
	proxy.Handle(func(mongotest.Command) mongotest.Action {
		fails := commands.Add(1) == n
		return mongotest.Action{HangUp: fails, Forward: fails && forward}
	})
	_, err := newFeed(store).Apply(t.Context(), sent)
	proxy.Handle(nil)
	if err != nil && !errors.Is(err, mongo.ErrUnavailable) {
		t.Error(err)
	}
	if got := contents(t, store); got != after && (err == nil || got != before) {
		t.Error("half of the batch is applied:", cmp.Diff(after, got))
	}
	for range 2 {
		if _, err := newFeed(store).Apply(t.Context(), sent); err != nil {
			t.Error("again:", err)
		}
		if diff := cmp.Diff(after, contents(t, store)); diff != "" {
			t.Fatal(diff)
		}
	}
	return commands.Load() >= n
}

// Whichever way players are written, and however a write ends, their lookups are those of their values.
func TestLookupsStayInStep(t *testing.T) {
	skipWithRaceDetector(t)
	synctest.Test(t, testLookupsStayInStep)
}

// skipWithRaceDetector skips tests in which the driver waits often in a synctest bubble. The race detector of Go 1.26
// crashes there now and then, in runtime.(*timer).maybeRunChan. `make race` runs short tests.
func skipWithRaceDetector(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("not with the race detector")
	}
}

func testLookupsStayInStep(t *testing.T) {
	var proxy *mongotest.Proxy
	store, server := mongotest.Open(t, mongotest.WithProxy(&proxy))
	storeGame(t, store)
	r := rand.New(rand.NewPCG(1, 2))
	var failing atomic.Bool
	var commands atomic.Int64
	proxy.Handle(func(c mongotest.Command) mongotest.Action {
		if failing.Load() && c.Name != "find" && commands.Add(1)%3 == 0 {
			return mongotest.Action{HangUp: true, Forward: commands.Load()%2 == 0}
		}
		return mongotest.Action{}
	})
	one := func(of ...string) string { return of[r.IntN(len(of))] }
	player := func() string { return mongotest.UUID(1 + r.IntN(8)) }
	guild := func() string { return mongotest.UUID(51 + r.IntN(3)) }
	name := func() string { return one("Salted", "salted", "Moss Hare", "Émile", "x/y") }
	for step := range 150 {
		failing.Store(step%5 == 4)
		if r.IntN(6) == 0 {
			_ = store.Players.Put(t.Context(), []*model.Player{{
				UUID: player(), Username: name(), Address: one("", "192.0.2.1"), Party: one("", "p"),
				Guild: &model.GuildReference{UUID: guild()},
			}})
		} else {
			var events []feed.Event
			for range 1 + r.IntN(4) {
				events = append(events, []feed.Event{
					&feed.PlayerAdded{Player: feed.PlayerID(player()), Username: name()},
					&feed.PlayerRenamed{Player: feed.PlayerID(player()), Username: name()},
					&feed.PlayerJoined{Player: feed.PlayerID(player()), Address: one("192.0.2.1", "2001:db8::1")},
					&feed.PlayerLeft{Player: feed.PlayerID(player())},
					&feed.PartyJoined{Player: feed.PlayerID(player()), Party: one("p", "q")},
					&feed.GuildJoined{Player: feed.PlayerID(player()), Guild: feed.GuildID(guild()), Rank: "RECRUIT"},
					&feed.GuildLeft{Player: feed.PlayerID(player())},
					&feed.GuildDisbanded{Guild: feed.GuildID(guild())},
					&feed.GuildAdded{Guild: feed.GuildID(guild()), Name: "Guild " + one("a", "b", "c"), Prefix: "G"},
					&feed.PlayerDeleted{Player: feed.PlayerID(player())},
				}[r.IntN(10)])
			}
			_, _ = newFeed(store).Apply(t.Context(), feed.WithoutKeys(events...)) // an error does not matter
		}
		failing.Store(false)
		if missing, unused := mongotest.CompareLookups(t, server); len(missing)+len(unused) > 0 {
			t.Fatalf("step %d: %q are missing, %q are left over", step, missing, unused)
		}
	}
}

// Transactions read from the primary and are committed by a majority, whatever the options of the URI say.
func TestTransactionsUseMajority(t *testing.T) {
	var concerns []string
	var proxy *mongotest.Proxy
	store, _ := mongotest.Open(t, mongotest.WithProxy(&proxy), func(o *mongo.Options) {
		o.URI += "&readPreference=secondaryPreferred&readConcernLevel=local&w=1"
	})
	storeGame(t, store)
	proxy.Handle(func(c mongotest.Command) mongotest.Action {
		var body struct {
			Start bool                      `bson:"startTransaction"`
			Read  struct{ Level string }    `bson:"readConcern"`
			Write struct{ W bson.RawValue } `bson:"writeConcern"`
		}
		if err := bson.Unmarshal(c.Body, &body); err != nil {
			t.Error(err)
		}
		w, _ := body.Write.W.StringValueOK()
		if body.Start || c.Name == "commitTransaction" {
			concerns = append(concerns, c.Name+" "+body.Read.Level+w)
		}
		return mongotest.Action{}
	})
	play(t, store, &feed.PlayerRenamed{Player: salted, Username: "Salted2"})
	if want := []string{"find snapshot", "commitTransaction majority"}; !slices.Equal(concerns, want) {
		t.Errorf("got %q, want %q", concerns, want)
	}
}
