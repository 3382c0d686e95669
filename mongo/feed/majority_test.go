package feed_test

import (
	"context"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/mongo"
	"gamedata/mongo/feed"
	"gamedata/mongo/mongotest"
)

// What the journal computes from, and what it writes, outlives an election, whatever the options of the URI say: it
// reads from the primary and writes, both with majority.
func TestJournalUsesMajority(t *testing.T) {
	_, server := mongotest.Open(t)
	if !server.Embedded() {
		t.Skip("a server elsewhere is not reached by the addresses of this replica set")
	}
	proxy, set := mongotest.NewProxy(server), mongotest.NewReplicaSet(t, "a:1", "b:1")
	var mu sync.Mutex
	seen := map[string]bool{} // commands and collections
	applying := false
	check := func(c mongotest.Command) {
		mu.Lock()
		defer mu.Unlock()
		var body struct {
			Read  struct{ Level string }    `bson:"readConcern"`
			Write struct{ W bson.RawValue } `bson:"writeConcern"`
		}
		concern := ""
		if err := bson.Unmarshal(c.Body, &body); err != nil {
			concern = err.Error()
		} else if concern = body.Read.Level; concern == "" {
			concern, _ = body.Write.W.StringValueOK()
		}
		if applying && slices.Contains([]string{"find", "aggregate", "insert", "update", "delete"}, c.Name) &&
			c.Collection != mongo.Purges {
			seen[c.Name+" "+c.Collection] = true
			if c.Address != "a:1" || concern != "majority" {
				t.Errorf("%s %s: sent to %s with %q", c.Name, c.Collection, c.Address, concern)
			}
		}
	}
	proxy.Handle(func(c mongotest.Command) mongotest.Action {
		check(c)
		return set.Action(c)
	})
	store, err := mongo.Open(t.Context(), mongo.Options{
		URI:    set.URI() + "&retryWrites=false&readPreference=secondary&readConcernLevel=local&w=1",
		Dialer: proxy, Timeout: 20 * time.Second, ServerSelectionTimeout: 10 * time.Second, StartTimeout: 20 * time.Second,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close(context.Background()) })
	mu.Lock()
	applying = true
	mu.Unlock()
	events := []feed.Sent{
		{Key: "p", Event: &feed.PlayerAdded{Player: feed.PlayerID(mongotest.UUID(1)), Username: "Fernwick"}},
		{Key: "c", Event: &feed.CharacterAdded{
			Player: feed.PlayerID(mongotest.UUID(1)), Character: feed.CharacterID(mongotest.UUID(2)), Type: "MAGE",
		}},
	}
	outcomes, err := newJournal(store).Apply(t.Context(), append(events, feed.Sent{
		Key: "g",
		Event: &feed.CharacterGained{
			Character: feed.CharacterID(mongotest.UUID(2)), Gain: feed.Gain{MobsKilled: 1},
		},
	}))
	if err != nil {
		t.Fatal(err)
	}
	for i, o := range outcomes {
		if o.Err != nil {
			t.Errorf("event %d: %v", i, o.Err)
		}
	}
	mu.Lock()
	defer mu.Unlock()
	for _, want := range []string{
		"find players", "find characters", "insert players", "insert characters", "update feedKeys",
	} {
		if !seen[want] {
			t.Errorf("no %s among %v", want, slices.Sorted(maps.Keys(seen)))
		}
	}
}
