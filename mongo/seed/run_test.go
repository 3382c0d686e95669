package seed_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gamedata/mongo"
	"gamedata/mongo/mongotest"
	"gamedata/mongo/seed"
)

func open(t testing.TB) *mongo.Store {
	store, _ := mongotest.Open(t)
	return store
}

// TestRun fills a store and reads the world back as it was made.
func TestRun(t *testing.T) {
	store, ctx := open(t), t.Context()
	var steps []int
	o := seed.Options{Players: 1200, Seed: 1<<63 + 5, Now: now, Progress: func(done, total int) {
		steps = append(steps,
			done, total)
	}}
	if err := seed.Run(ctx, store, o); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]int{1000, 1200, 1200, 1200}, steps); d != "" {
		t.Error("progress: ", d)
	}
	world := people(o)
	for _, i := range []int{0, 1, 4, 29, 31, 32, 33, 999, 1000, 1199} {
		want := world[i]
		players, err := store.PlayersByUUID(ctx, []string{want.UUID})
		if err != nil {
			t.Fatal(err)
		}
		characters, err := store.CharactersByOwner(ctx, []string{want.UUID})
		if err != nil {
			t.Fatal(err)
		}
		slices.SortFunc(want.characters, byUUID)
		want.NameFold = mongo.Fold(want.Username)
		if d := equal(want, person{players[0], characters[0]}); d != "" {
			t.Errorf("player %d was stored differently: %s", i, d)
		}
	}
	same, err := store.PlayersByName(ctx, []string{"mirrored", "TwinLeaf"})
	if err != nil || len(same[0]) != 2 || len(same[1]) != 2 {
		t.Errorf("names that collide: %v, %v", same, err)
	}
	here, err := store.OnlinePlayersByAddress(ctx, []string{"127.0.0.1", "::1"})
	if err != nil || len(here[0]) != 2 || len(here[1]) != 1 {
		t.Errorf("players of this machine: %v, %v", here, err)
	}
	var mark seed.Mark
	if ok, err := store.ReadMark(ctx, seed.MarkKey, &mark); !ok || err != nil {
		t.Fatal(ok, err)
	}
	if d := cmp.Diff(seed.Mark{Players: 1200, Seed: "9223372036854775813", At: "2026-11-20T12:00:00Z"}, mark); d != "" {
		t.Error(d)
	}
	if err := seed.Run(ctx, store, o); !errors.Is(err, seed.ErrInhabited) {
		t.Errorf("a second run: %v", err)
	}
}

func TestContentIsStored(t *testing.T) {
	store, ctx := open(t), t.Context()
	if err := seed.Run(ctx, store, seed.Options{Players: 10, Now: now}); err != nil {
		t.Fatal(err)
	}
	got, err := store.Items(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(byName(seed.Items()), byName(got)); d != "" {
		t.Error("items: ", d)
	}
	trees, err := store.AbilityTrees(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range seed.AbilityTrees() {
		i := slices.IndexFunc(trees, func(have *tree) bool { return have.Tree == want.Tree })
		if d := cmp.Diff(want, trees[i]); d != "" {
			t.Errorf("tree %s: %s", want.Tree, d)
		}
	}
	recipes, err := store.Recipes(ctx)
	if err != nil || len(recipes) != len(seed.Recipes()) {
		t.Errorf("%d recipes, %v", len(recipes), err)
	}
	sets, err := store.Sets(ctx)
	if err != nil || len(sets) != len(seed.Sets()) {
		t.Errorf("%d sets, %v", len(sets), err)
	}
	aspects, err := store.AspectLists(ctx)
	if err != nil || len(aspects) != 5 {
		t.Errorf("aspects of %d classes, %v", len(aspects), err)
	}
	classes, err := store.Classes(ctx)
	if err != nil || len(classes) != 5 {
		t.Errorf("%d classes, %v", len(classes), err)
	}
	numbers, err := store.LookupNumbers(ctx)
	for _, key := range []string{
		"reedcutter", "pilgrim's debt", "wand", "mining", "stillWater", "TIER_3", "superFast",
		"set",
	} {
		if numbers[key] == 0 || err != nil {
			t.Errorf("%q has no number: %v", key, err)
		}
	}
}

func TestRunRefuses(t *testing.T) {
	store := open(t)
	for _, n := range []int{-1, 0, 9, 1_000_001} {
		if err := seed.Run(t.Context(), store, seed.Options{Players: n}); err == nil {
			t.Errorf("%d players were made", n)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	err := seed.Run(ctx, store, seed.Options{Players: 5000, Progress: func(int, int) { cancel() }})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a run whose caller left: %v", err)
	}
	if ok, _ := store.ReadMark(t.Context(), seed.MarkKey, &seed.Mark{}); ok {
		t.Error("an unfinished run left its mark")
	}
}

// BenchmarkRun is the demo world of 2,000 players with all content.
func BenchmarkRun(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		store := open(b)
		b.StartTimer()
		if err := seed.Run(b.Context(), store, seed.Options{Players: 2000, Seed: 1, Now: now}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkPlayers makes players without storing them.
func BenchmarkPlayers(b *testing.B) {
	n := 0
	b.ReportAllocs()
	for b.Loop() {
		for range seed.Players(seed.Options{Players: 10_000, Seed: 1, Now: now}) {
			n++
		}
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "players/s")
}
