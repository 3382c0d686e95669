package feed_test

import (
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"gamedata/mongo"
	"gamedata/mongo/feed"
	"gamedata/mongo/mongotest"
)

// batchOfAllWrites has events that increment, set, insert, delete and purge, and are recorded.
var batchOfAllWrites = []string{
	"CharacterGained", "RaidCompleted", "Contributed", "GuildProgressed", "PlayerAdded", "LinkCodeCreated", "PlayerBanned",
	"TerritoryCaptured", "GuildDisbanded",
}

// The store makes a write of a batch, and the connection breaks before its reply arrives. The sender sends the batch
// again, and it is applied once, whichever write it was. Time is simulated.
func TestLostReplies(t *testing.T) {
	var sent []feed.Sent
	var events []feed.Event
	for _, name := range batchOfAllWrites {
		k := feed.Events[slices.IndexFunc(feed.Events, func(k feed.Kind) bool { return k.Name == name })]
		event := decode(t, k.Name, k.Example)
		events = append(events, event)
		sent = append(sent, feed.Sent{Key: "test/" + name, Event: event})
	}
	store, _ := mongotest.Open(t)
	storeGame(t, store)
	if _, err := feed.Apply(t.Context(), store, events, options); err != nil {
		t.Fatal(err)
	}
	want := contents(t, store)
	for lost, more := int64(1), true; more; lost++ {
		synctest.Test(t, func(t *testing.T) { more = loseReply(t, sent, lost, want) })
	}
}

// loseReply loses the reply of a write. It returns false when there are fewer writes.
func loseReply(t *testing.T, sent []feed.Sent, lost int64, want string) bool {
	var proxy *mongotest.Proxy
	store, _ := mongotest.Open(t, mongotest.WithProxy(&proxy))
	storeGame(t, store)
	var writes atomic.Int64
	lostCommand := ""
	proxy.Handle(func(c mongotest.Command) (a mongotest.Action) {
		if slices.Contains([]string{"insert", "update", "delete", "findAndModify"}, c.Name) && writes.Add(1) == lost {
			lostCommand = c.Name + " " + c.Collection
			a.HangUp, a.Forward = true, true
		}
		return a
	})
	_, err := newJournal(store).Apply(t.Context(), sent)
	proxy.Handle(nil)
	if writes.Load() < lost {
		if err != nil {
			t.Errorf("without a fault: %v", err)
		}
		return false
	}
	removal := lostCommand == "delete playerLookups" // of lookups without a use, which a job repeats
	if !errors.Is(err, mongo.ErrUnavailable) && (err != nil || !removal) {
		t.Errorf("%s: got %v, want ErrUnavailable", lostCommand, err)
	}
	for range 2 {
		outcomes, err := newJournal(store).Apply(t.Context(), sent)
		if err != nil {
			t.Errorf("%s: again: %v", lostCommand, err)
		}
		for i, o := range outcomes {
			if o.Err != nil {
				t.Errorf("%s: %s: got %v", lostCommand, sent[i].Key, o.Err)
			}
		}
		if diff := cmp.Diff(want, contents(t, store)); diff != "" {
			t.Fatalf("%s: %s", lostCommand, diff)
		}
	}
	return true
}
