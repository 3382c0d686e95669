package seed_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gamedata/graph/model"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
	"gamedata/mongo/seed"
)

// A run that was broken off is finished by the next one, as the world that was begun.
func TestBrokenRunIsFinished(t *testing.T) {
	store, _ := mongotest.Open(t)
	now := time.Date(2026, 3, 20, 0, 0, 0, 0, time.UTC)
	ctx, stop := context.WithCancel(t.Context())
	err := seed.Run(ctx, store, seed.Options{Players: 1500, Seed: 7, Now: now, Progress: func(int, int) { stop() }})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("the run was not broken off: %v", err)
	}
	if n, err := store.CountPlayers(t.Context()); err != nil || n != 1000 {
		t.Fatalf("%d players, %v", n, err)
	}
	if want, err := seed.Wanted(t.Context(), store); !want || err != nil {
		t.Fatal(want, err)
	}
	if err := seed.Run(t.Context(), store, seed.Options{Players: 10, Seed: 8}); err != nil {
		t.Fatal(err)
	}
	if n, err := store.CountPlayers(t.Context()); err != nil || n != 1500 {
		t.Errorf("%d players, %v", n, err)
	}
	whole, _ := mongotest.Open(t)
	if err := seed.Run(t.Context(), whole, seed.Options{Players: 1500, Seed: 7, Now: now}); err != nil {
		t.Fatal(err)
	}
	uuids := []string{seed.Cast[0].UUID, seed.Cast[40].UUID}
	var got [2][]*model.Player
	for i, s := range []*mongo.Store{store, whole} {
		if got[i], err = s.PlayersByUUID(t.Context(), uuids); err != nil {
			t.Fatal(err)
		}
	}
	if d := cmp.Diff(got[1], got[0]); d != "" {
		t.Errorf("the finished world differs: %s", d)
	}
	if want, err := seed.Wanted(t.Context(), store); want || err != nil {
		t.Error("a finished world is wanted again", err)
	}
	if err := seed.Run(t.Context(), store, seed.Options{Players: 10}); !errors.Is(err, seed.ErrInhabited) {
		t.Errorf("a finished world is overwritten: %v", err)
	}
}

// Content that was imported is nobody's to mix with the demo world.
func TestImportedContentIsLeftAlone(t *testing.T) {
	store, _ := mongotest.Open(t)
	if want, err := seed.Wanted(t.Context(), store); !want || err != nil {
		t.Fatal(want, err)
	}
	if err := store.PutSets(t.Context(), []*model.ItemSet{{Name: "Mine", InternalName: "mine"}}); err != nil {
		t.Fatal(err)
	}
	if want, err := seed.Wanted(t.Context(), store); want || err != nil {
		t.Error("a demo world is wanted in a store with content", err)
	}
}
