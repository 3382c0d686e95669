package mongo_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/graph/model"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

func seasonStarted(key string, n int) mongo.NewEvent {
	return mongo.NewEvent{Key: key, Data: &model.SeasonStarted{Season: n}}
}

func recordedSeasons(t *testing.T, store *mongo.Store) (out []int) {
	t.Helper()
	for _, data := range mongotest.EventData(t, store) {
		out = append(out, data.(*model.SeasonStarted).Season)
	}
	return out
}

// Events are recorded in their order, those with the same key once: also by several processes at once, each of which
// may have recorded a part before.
func TestEventKeys(t *testing.T) {
	first, server := mongotest.Open(t)
	stores := []*mongo.Store{first, mongotest.OpenOn(t, server), mongotest.OpenOn(t, server)}
	const count = 200
	events := make([]mongo.NewEvent, count)
	for i := range events {
		events[i] = seasonStarted(fmt.Sprint("k", i), i)
	}
	check(t, first.Events.Append(t.Context(), events[:50]...))
	var group sync.WaitGroup
	for _, store := range stores {
		group.Go(func() {
			if err := store.Events.Append(t.Context(), events...); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	got := recordedSeasons(t, first)
	if !slices.Equal(got[:50], recordedSeasons(t, stores[1])[:50]) || got[49] != 49 {
		t.Errorf("the first are %v", got[:50])
	}
	slices.Sort(got)
	got = slices.Compact(got)
	if len(got) != count || got[count-1] != count-1 {
		t.Errorf("got %d events, want %d", len(got), count)
	}
	more := []mongo.NewEvent{seasonStarted("", 1), seasonStarted("", 1), seasonStarted("k1", 1)}
	check(t, first.Events.Append(t.Context(), more...))
	if n := len(recordedSeasons(t, first)); n != count+2 {
		t.Errorf("got %d events, want two more without a key", n)
	}
}

// The ids of a process rise, whatever its clock does.
func TestEventOrder(t *testing.T) {
	clock := time.Date(2026, 3, 20, 12, 0, 0, 0, time.UTC)
	store, _ := mongotest.Open(t, func(o *mongo.Options) { o.EventClock = func() time.Time { return clock } })
	for n := range 4 {
		check(t, store.Events.Append(t.Context(), seasonStarted("", n), seasonStarted("", n)))
		clock = clock.Add(-time.Second)
	}
	if got := recordedSeasons(t, store); !slices.Equal(got, []int{0, 0, 1, 1, 2, 2, 3, 3}) {
		t.Errorf("got the order %v", got)
	}
}

// Ids say when events were recorded and nothing else, since a viewer may see some events of a write and not the others.
// The order of a write is kept nevertheless, also over pages that would end within it.
func TestEventIDsAreNotNumbered(t *testing.T) {
	clock := time.Date(2026, 3, 20, 12, 0, 0, 0, time.UTC)
	store, _ := mongotest.Open(t, func(o *mongo.Options) { o.EventClock = func() time.Time { return clock } })
	const writes, each = 20, 5
	for write := range writes {
		var events []mongo.NewEvent
		for n := range each {
			events = append(events, seasonStarted("", write*each+n))
		}
		check(t, store.Events.Append(t.Context(), events...))
		clock = clock.Add(time.Millisecond * time.Duration(write%2)) // two writes share a millisecond
	}
	for _, limit := range []int{1000, 13, 4} {
		var ids []string
		for after, more := "", true; more; {
			page := must(store.Events.After(t.Context(), mongo.EventQuery{After: after, Limit: limit}))(t)
			for _, e := range page.Events {
				if got := e.Data.(*model.SeasonStarted).Season; got != len(ids) {
					t.Fatalf("pages of %d: got event %d after %d others", limit, got, len(ids))
				}
				ids = append(ids, e.ID)
			}
			after, more = page.Last, page.More
		}
		if len(ids) != writes*each || slices.IsSorted(ids) {
			t.Errorf("pages of %d: got %d ids, sorted %t", limit, len(ids), slices.IsSorted(ids))
		}
	}
}

// Events expire by type: the TTL index deletes them at the time in `expires`.
func TestEventsExpire(t *testing.T) {
	store, server := mongotest.Open(t)
	before := time.Now().Add(-time.Millisecond)
	check(t, store.Events.Append(t.Context(), seasonStarted("", 1),
		mongo.NewEvent{Data: &model.PlayerCameOnline{Player: "p"}},
		mongo.NewEvent{Data: &model.GuildLevelChanged{Guild: "g", From: 1, To: 2}}))
	took := time.Since(before)
	for kind, want := range map[model.EventType]time.Duration{
		model.EventSeasonStarted: 7 * 24 * time.Hour, model.EventPlayerCameOnline: 24 * time.Hour,
		model.EventGuildLevelChanged: 7 * 24 * time.Hour,
	} {
		var stored struct{ Expires time.Time }
		err := server.Database(t).Collection(mongo.Events).FindOne(t.Context(), bson.D{{Key: "type", Value: kind}}).
			Decode(&stored)
		if got := stored.Expires.Sub(before); err != nil || got < want || got > want+took {
			t.Errorf("%s expires after %s, want %s; %v", kind, got, want, err)
		}
	}
}

// Events that make no sense, and those of a later version, do not hide others.
func TestMalformedEvents(t *testing.T) {
	var malformed []string
	store, server := mongotest.Open(t, func(o *mongo.Options) {
		o.OnMalformed = func(collection, id string) { malformed = append(malformed, collection+" "+id) }
	})
	check(t, store.Events.Append(t.Context(), seasonStarted("", 1)))
	c := server.Database(t).Collection(mongo.Events)
	for i, doc := range []bson.M{
		{"_id": "00000000000000000000000001", "type": "tomorrow", "data": bson.M{}},
		{"_id": "00000000000000000000000002", "type": model.EventSeasonStarted, "data": bson.M{"season": "four"}},
		{"_id": 7},
	} {
		doc["key"] = fmt.Sprint("m", i)
		must(c.InsertOne(t.Context(), doc))(t)
	}
	if got := recordedSeasons(t, store); !slices.Equal(got, []int{1}) {
		t.Errorf("got %v", got)
	}
	if !slices.Equal(malformed, []string{"events 00000000000000000000000002"}) {
		t.Errorf("malformed: %q", malformed)
	}
}

// Access rules that were set are an event; those of an unknown player are not.
func TestAccessRulesEvent(t *testing.T) {
	store, _ := mongotest.Open(t)
	check(t, store.Players.Insert(t.Context(), []*model.Player{{UUID: mongotest.UUID(1)}}))
	rules := map[model.AccessRule]model.Access{model.OnlineStatus: model.Private}
	check(t, store.Players.SetAccessRules(t.Context(), mongotest.UUID(1), rules))
	if err := store.Players.SetAccessRules(t.Context(), mongotest.UUID(2), rules); !errors.Is(err, mongo.ErrNotFound) {
		t.Error(err)
	}
	events := mongotest.EventData(t, store)
	if len(events) != 1 || !slices.Equal(events[0].(*model.AccessRulesChanged).Rules, []string{"onlineStatus"}) {
		t.Errorf("got %+v", events)
	}
}
