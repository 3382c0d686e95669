package seed_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gamedata/graph/model"
	"gamedata/internal/demo/seed"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

func open(t testing.TB) *mongo.Store {
	store, _ := mongotest.Open(t)
	return store
}

// Run stores the world as Players generates it.
func TestRun(t *testing.T) {
	t.Parallel()
	demo, ctx := seeded(t), t.Context()
	store := demo.store
	if d := cmp.Diff([]int{1000, 1200, 1200, 1200}, demo.progress); d != "" {
		t.Error("progress: ", d)
	}
	world := demoWorld()
	for _, i := range []int{0, 1, 4, 29, 31, 32, 33, 999, 1000, 1199} {
		want := world[i]
		players, err := store.Players.ByID(ctx, []string{want.UUID})
		if err != nil {
			t.Fatal(err)
		}
		characters, err := store.Characters.ByOwner(ctx, []string{want.UUID})
		if err != nil {
			t.Fatal(err)
		}
		player := *want.Player
		want.Player, want.characters = &player, slices.Clone(want.characters)
		slices.SortFunc(want.characters, func(a, b *model.Character) int { return strings.Compare(a.UUID, b.UUID) })
		want.NameFold = mongo.Fold(want.Username)
		if d := diff(want, person{players[0], characters[0]}); d != "" {
			t.Errorf("player %d is stored differently: %s", i, d)
		}
	}
	same, err := store.Players.ByName(ctx, []string{"mirrored", "TwinLeaf"})
	if err != nil || len(same[0]) != 2 || len(same[1]) != 2 {
		t.Errorf("ambiguous names: got %v, %v, want 2 players each", same, err)
	}
	local, err := store.Players.OnlineByAddress(ctx, []string{"127.0.0.1", "::1"})
	if err != nil || len(local[0]) != 2 || len(local[1]) != 1 {
		t.Errorf("players at loopback addresses: got %v, %v", local, err)
	}
	var mark seed.Mark
	if ok, err := store.ReadMark(ctx, seed.MarkKey, &mark); !ok || err != nil {
		t.Fatal(ok, err)
	}
	if d := cmp.Diff(seed.Mark{Players: 1200, Seed: "9223372036854775813", At: "2026-11-20T12:00:00Z"}, mark); d != "" {
		t.Error(d)
	}
	if err := seed.Run(ctx, store, demoOptions); !errors.Is(err, seed.ErrInhabited) {
		t.Errorf("second run: got %v, want ErrInhabited", err)
	}
}

func TestInvalidAndCancelledRun(t *testing.T) {
	t.Parallel()
	store := open(t)
	for _, n := range []int{-1, 0, 9, 1_000_001} {
		if err := seed.Run(t.Context(), store, seed.Options{Players: n}); err == nil {
			t.Errorf("%d players are accepted", n)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	err := seed.Run(ctx, store, seed.Options{Players: 5000, Progress: func(int, int) { cancel() }})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled run: got %v, want Canceled", err)
	}
	if ok, _ := store.ReadMark(t.Context(), seed.MarkKey, &seed.Mark{}); ok {
		t.Error("a cancelled run stores MarkKey")
	}
}
