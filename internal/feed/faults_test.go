package feed_test

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/internal/feed"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// random is the text of random ids, and of the ids, order within a millisecond and expiry times of events.
var random = regexp.MustCompile(
	`"_id": (\{"\$oid":"\w+"\}|"[0-9a-v]{26}"),|` +
		`,"(expires|updatedAt|addedAt)": \{"\$date":\{"\$numberLong":"\d+"\}\}|,"order": \{"\$numberLong":"\d+"\}`)

// contents returns all game data of a store as sorted lines, without random ids and the times of writes.
func contents(t *testing.T, store *mongo.Store) string {
	t.Helper()
	var lines []string
	for _, c := range mongo.Exported() {
		err := store.Export.Records(t.Context(), c.Name, func(r bson.Raw) error {
			lines = append(lines, random.ReplaceAllString(c.Name+" "+r.String(), ""))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
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
			more = false // after a failure too
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

// skipWithRaceDetector skips tests in which the driver waits often in a synctest bubble. The race detector of Go 1.26
// crashes there now and then, in runtime.(*timer).maybeRunChan. `make race` runs short tests.
func skipWithRaceDetector(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("not with the race detector")
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
