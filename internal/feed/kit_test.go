package feed_test

import (
	"errors"
	"os"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"gamedata/graph/model"
	"gamedata/internal/feed"
	"gamedata/mongo"
)

// examples have the JSON of an event of each kind.
var examples = readExamples()

func readExamples() map[string]string {
	text, err := os.ReadFile("testdata/examples.txtar")
	if err != nil {
		panic(err)
	}
	out := map[string]string{}
	for _, f := range txtar.Parse(text).Files {
		out[f.Name] = string(f.Data)
	}
	return out
}

// newFeed returns a feed with a stopped clock. It is in the past, but its keys are not: the store deletes expired
// ones by its own clock.
func newFeed(store *mongo.Store) *feed.Feed {
	return feed.New(store, feed.Options{
		Retention: 100 * 365 * 24 * time.Hour, Now: func() time.Time { return feedTime }, LinkCode: linkCode,
	})
}

// linkCode is the function of package auth, without the pepper.
func linkCode(player, code string, at time.Time) (*model.LinkCode, error) {
	if len(code) != 14 {
		return nil, errors.New("the code has 12 characters in three groups")
	}
	return &model.LinkCode{Digest: "digest of " + code, Player: player, Expires: at.Add(10 * time.Minute)}, nil
}

// try applies events without keys and returns the outcome of each.
func try(t *testing.T, store *mongo.Store, events ...feed.Event) []feed.Outcome {
	t.Helper()
	outcomes, err := newFeed(store).Apply(t.Context(), feed.WithoutKeys(events...))
	if err != nil {
		t.Fatal(err)
	}
	return outcomes
}

// play applies events, all of which must be accepted.
func play(t *testing.T, store *mongo.Store, events ...feed.Event) {
	t.Helper()
	for i, o := range try(t, store, events...) {
		if o.Err != nil {
			t.Fatalf("%s: %v", feed.NameOf(events[i]), o.Err)
		}
	}
}

// apply is play for events given as names and fields.
func apply(t *testing.T, store *mongo.Store, events ...[2]string) {
	t.Helper()
	play(t, store, decodeAll(t, events)...)
}

func decodeAll(t *testing.T, events [][2]string) (out []feed.Event) {
	t.Helper()
	for _, e := range events {
		out = append(out, decode(t, e[0], e[1]))
	}
	return out
}

// example returns the events that must come before the example of a kind, and the example.
func example(t *testing.T, name string) []feed.Event {
	t.Helper()
	return decodeAll(t, append(prepare[name], [2]string{name, examples[name]}))
}

// prepare has events that must come before some examples.
var prepare = map[string][][2]string{
	"CharacterDied": {{"GamemodeSet", `{"character": "00000000-0000-4000-8000-000000000101", "gamemode": ["hardcore"]}`}},
	"WorldEntered":  {online},
	"PlayerMoved":   {online},
	"PartyJoined":   {online},
}

var online = [2]string{"PlayerJoined", `{"player": "00000000-0000-4000-8000-000000000001"}`}

func decode(t *testing.T, name, fields string) feed.Event {
	t.Helper()
	e, err := feed.Decode(name, []byte(fields))
	if err != nil {
		t.Fatal(name, err)
	}
	return e
}

func storeGame(t *testing.T, store *mongo.Store) *game {
	t.Helper()
	g := newGame()
	g.store(t, store)
	return g
}
