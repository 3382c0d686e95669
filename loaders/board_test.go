package loaders_test

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/event"

	"gamedata/internal/demo"
	"gamedata/internal/demo/seed"
	"gamedata/internal/jobs"
	"gamedata/internal/leaderboard"
	"gamedata/loaders"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// A board that is refreshed after its directory was read, which deletes its pages, is read again, also for a ranking.
func TestBoardReplacedWhileRead(t *testing.T) {
	work, server := mongotest.Open(t)
	now := time.Date(2026, 3, 20, 0, 0, 0, 0, time.UTC)
	mongotest.Must(t, demo.Create(t.Context(), work, seed.Options{Players: 60, Seed: 1, Now: now}))
	refresh := func() { // only boards that change get new pages
		if _, err := server.Database(t).Collection("players").UpdateMany(t.Context(),
			bson.M{"_id": bson.M{"$ne": seed.Cast[0].UUID}, "globalData.wars": bson.M{"$gt": 0}},
			bson.M{"$inc": bson.M{"globalData.wars": 1}}); err != nil {
			t.Error(err)
		}
		if _, err := jobs.Refresh(t.Context(), work, now, jobs.Options{Full: true}); err != nil {
			t.Error(err)
		}
	}
	refresh()
	var refreshes atomic.Int64
	var reading atomic.Int64 // the request that reads a directory
	store := mongotest.OpenOn(t, server, func(o *mongo.Options) {
		o.Monitor = &event.CommandMonitor{
			Started: func(_ context.Context, e *event.CommandStartedEvent) {
				if name, _ := e.Command.Lookup("find").StringValueOK(); name == "boards" {
					reading.Store(e.RequestID)
				}
			},
			Succeeded: func(_ context.Context, e *event.CommandSucceededEvent) {
				if e.RequestID == reading.Load() && refreshes.Add(-1) >= 0 {
					refresh()
				}
			},
		}
	})
	wars := leaderboard.NewCatalogue(leaderboard.Fixed(nil), nil, now).Named("warsCompletion")
	for n, ok := range []bool{true, true, true, false} {
		refreshes.Store(int64(n))
		ctx := loaders.New(store, loaders.Options{}).Attach(t.Context(), nil)
		set := loaders.From(ctx)
		keys, err := set.BoardKeys(ctx, wars, []string{seed.Cast[0].UUID})
		if err != nil || len(keys) != 1 {
			t.Fatalf("got the keys %v, %v", keys, err)
		}
		var top []loaders.BoardEntry
		found, err := loaders.ReadBoard(ctx, wars.Name, func(b *loaders.Board) (_ []loaders.BoardEntry, err error) {
			if top, err = b.Entries(1, 5); err != nil {
				return nil, err
			}
			return b.Find(keys)
		})
		byPosition := func(a, b loaders.BoardEntry) int { return a.Key.Compare(b.Key) }
		if (err == nil) != ok || ok && (len(top) != 5 || !slices.IsSortedFunc(top, byPosition) || len(found) != 1) {
			t.Errorf("replaced %d times: got %+v, %+v, %v", n, top, found, err)
		}
		refreshes.Store(int64(n))
		ctx = loaders.New(store, loaders.Options{}).Attach(t.Context(), nil)
		ranking, err := loaders.From(ctx).PlayerRanking.Load(ctx, seed.Cast[0].UUID)()
		if (err == nil) != ok || ok && len(ranking.Positions) < 20 {
			t.Errorf("ranking, replaced %d times: got %+v, %v", n, ranking, err)
		}
	}
}
