package seed_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gamedata/graph/model"
	"gamedata/internal/demo/seed"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// Run completes a cancelled run with that run's options.
func TestResume(t *testing.T) {
	t.Parallel()
	store, _ := mongotest.Open(t)
	ctx, stop := context.WithCancel(t.Context())
	o := demoOptions
	o.Progress = func(int, int) { stop() }
	err := seed.Run(ctx, store, o)
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v, want Canceled", err)
	}
	if n, err := store.Players.EstimateCount(t.Context()); err != nil || n != 1000 {
		t.Fatalf("after cancelling: got %d players, %v, want 1000", n, err)
	}
	if want, err := seed.Wanted(t.Context(), store); !want || err != nil {
		t.Fatal(want, err)
	}
	if err := seed.Run(t.Context(), store, seed.Options{Players: 10, Seed: 8}); err != nil {
		t.Fatal(err)
	}
	if n, err := store.Players.EstimateCount(t.Context()); err != nil || n != 1200 {
		t.Errorf("after resuming: got %d players, %v, want 1200", n, err)
	}
	uuids := []string{seed.Cast[0].UUID, seed.Cast[40].UUID}
	var got [2][]*model.Player
	for i, s := range []*mongo.Store{store, seeded(t).store} {
		if got[i], err = s.Players.ByID(t.Context(), uuids); err != nil {
			t.Fatal(err)
		}
	}
	if d := cmp.Diff(got[1], got[0], timeless); d != "" {
		t.Errorf("the resumed world differs: %s", d)
	}
	if want, err := seed.Wanted(t.Context(), store); want || err != nil {
		t.Error("Wanted is true for a finished world", err)
	}
	if err := seed.Run(t.Context(), store, seed.Options{Players: 10}); !errors.Is(err, seed.ErrInhabited) {
		t.Errorf("finished world: got %v, want ErrInhabited", err)
	}
}

// A store with imported content gets no demo world.
func TestImportedContent(t *testing.T) {
	t.Parallel()
	store, _ := mongotest.Open(t)
	if want, err := seed.Wanted(t.Context(), store); !want || err != nil {
		t.Fatal(want, err)
	}
	if err := mongo.ItemSets.Put(t.Context(), store, []*model.ItemSet{{Name: "Mine", InternalName: "mine"}}); err != nil {
		t.Fatal(err)
	}
	if want, err := seed.Wanted(t.Context(), store); want || err != nil {
		t.Error("Wanted is true for a store with content", err)
	}
}
