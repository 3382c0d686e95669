package mongo_test

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/event"

	"gamedata/graph/model"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// Whole lists are read in pages: however many records match, no reply is large and no command takes long.
func TestListsAreReadInPages(t *testing.T) {
	const players = 20_500
	var largest atomic.Int64
	store, server := mongotest.Open(t, func(o *mongo.Options) {
		o.Monitor = &event.CommandMonitor{Succeeded: func(_ context.Context, e *event.CommandSucceededEvent) {
			if batch, ok := e.Reply.Lookup("cursor", "firstBatch").ArrayOK(); ok {
				records, _ := batch.Values()
				largest.Store(max(largest.Load(), int64(len(records))))
			}
		}}
	})
	want := make([]string, players)
	list := make([]bson.D, players)
	for n := range list {
		want[n] = mongotest.UUID(n)
		list[n] = bson.D{{Key: "_id", Value: want[n]}, {Key: "online", Value: true}, {Key: "server", Value: "EU37"}}
	}
	must(server.Database(t).Collection(mongo.Players).InsertMany(t.Context(), list))(t)
	check(t, store.Standings.MarkPending(t.Context(), mongo.RankedPlayers, want, 1))
	for name, c := range map[string]struct {
		most int64
		read func() ([]string, error)
	}{
		"Players.Online": {2000, func() (uuids []string, err error) {
			entries, err := store.Players.Online(t.Context())
			for _, e := range entries {
				uuids = append(uuids, e.UUID)
			}
			return uuids, err
		}},
		"Players.OnlineUUIDs": {10_000, func() ([]string, error) { return store.Players.OnlineUUIDs(t.Context()) }},
		"Standings.Pending": {10_000, func() ([]string, error) {
			return store.Standings.Pending(t.Context(), mongo.RankedPlayers)
		}},
		"Scores.UUIDsBetween": {10_000, func() ([]string, error) {
			return store.Scores.UUIDsBetween(t.Context(), mongo.RankedPlayers, "", want[players-1])
		}},
	} {
		t.Run(name, func(t *testing.T) {
			largest.Store(0)
			got, err := c.read()
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("got %d of %d in order, %v", len(got), players, err)
			}
			if n := largest.Load(); n > c.most {
				t.Errorf("one reply has %d records, want at most %d", n, c.most)
			}
		})
	}
}

// An entry of the online list has what the access rules need, and friends and guild only where they count.
func TestOnlineEntries(t *testing.T) {
	store, _ := mongotest.Open(t)
	world, friends := "EU37", []string{mongotest.UUID(90)}
	player := func(n int, rules model.AccessRules) *model.Player {
		return &model.Player{
			UUID: mongotest.UUID(n), Username: "P", Online: n != 4, World: &world, Rules: rules, Friends: friends,
			Guild: &model.GuildReference{UUID: mongotest.UUID(80)},
		}
	}
	check(t, store.Players.Insert(t.Context(), []*model.Player{
		player(0, model.AccessRules{model.OnlineStatus: model.Public, model.WeeklyAccess: model.Private}),
		player(1, model.AccessRules{model.OnlineStatus: model.GuildOnly}),
		player(2, model.AccessRules{model.MainAccess: model.Friend}),
		player(3, model.AccessRules{model.OnlineStatus: model.Private}),
		player(4, model.AccessRules{}),
	}))
	all, err := store.Players.Online(t.Context())
	if err != nil || len(all) != 4 {
		t.Fatalf("got %d entries, %v", len(all), err)
	}
	for i, e := range all {
		p := e.Restricted
		if restricted := i > 0; e.UUID != mongotest.UUID(i) || *e.World != world || (p != nil) != restricted {
			t.Errorf("entry %d: %+v", i, e)
		}
		if related := i == 1 || i == 2; related && (!slices.Equal(p.Friends, friends) || p.Guild == nil) {
			t.Errorf("entry %d lacks friends or guild: %+v", i, p)
		}
	}
	some, err := store.Players.OnlineOf(t.Context(), []string{mongotest.UUID(4), mongotest.UUID(2), mongotest.UUID(1)})
	if err != nil || len(some) != 2 || some[0].UUID != mongotest.UUID(1) || some[1].UUID != mongotest.UUID(2) {
		t.Errorf("got %v, %v", some, err)
	}
}
