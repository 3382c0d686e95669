package loaders_test

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/event"

	"gamedata/internal/jobs"
	"gamedata/internal/leaderboard"
	"gamedata/loaders"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
	"gamedata/mongo/seed"
)

// A board that is refreshed after its directory was read, which deletes its pages, is read again, also for a ranking.
func TestBoardReplacedWhileRead(t *testing.T) {
	work, server := mongotest.Open(t)
	now := time.Date(2026, 3, 20, 0, 0, 0, 0, time.UTC)
	if err := seed.Run(t.Context(), work, seed.Options{Players: 60, Seed: 1, Now: now}); err != nil {
		t.Fatal(err)
	}
	refresh := func() {
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
		for name, read := range map[string]func(*loaders.Set, context.Context) (*loaders.BoardPart, error){
			"top": func(s *loaders.Set, ctx context.Context) (*loaders.BoardPart, error) {
				return s.BoardTop(ctx, wars.Name, 5)
			},
			"around": func(s *loaders.Set, ctx context.Context) (*loaders.BoardPart, error) {
				return s.BoardAround(ctx, wars, seed.Cast[0].UUID, 5)
			},
		} {
			refreshes.Store(int64(n))
			ctx := loaders.New(store, loaders.Options{}).Attach(t.Context())
			part, err := read(loaders.From(ctx), ctx)
			if (err == nil) != ok || ok && (len(part.Keys) != 5 || !slices.IsSortedFunc(part.Keys, leaderboard.Key.Compare)) {
				t.Errorf("%s, replaced %d times: got %+v, %v", name, n, part, err)
			}
		}
		refreshes.Store(int64(n))
		ctx := loaders.New(store, loaders.Options{}).Attach(t.Context())
		ranking, err := loaders.From(ctx).PlayerRanking.Load(ctx, seed.Cast[0].UUID)()
		if (err == nil) != ok || ok && len(ranking.Positions) < 20 {
			t.Errorf("ranking, replaced %d times: got %+v, %v", n, ranking, err)
		}
	}
}

func TestAround(t *testing.T) {
	for _, c := range []struct{ position, n, count, want int }{
		{1, 5, 100, 1},
		{2, 5, 100, 1},
		{3, 5, 100, 1},
		{4, 5, 100, 2},
		{50, 5, 100, 48},
		{50, 4, 100, 49},
		{99, 5, 100, 96},
		{100, 5, 100, 96},
		{100, 1, 100, 100},
		{2, 10, 3, 1},
		{1, 1, 1, 1},
	} {
		if got := loaders.Around(c.position, c.n, c.count); got != c.want {
			t.Errorf("%d around %d of %d begin at %d, want %d", c.n, c.position, c.count, got, c.want)
		}
	}
}
