package demo_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/graph/model"
	"gamedata/internal/demo"
	"gamedata/internal/demo/seed"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

var now = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func create(t testing.TB, o seed.Options) *mongo.Store {
	t.Helper()
	store, _ := mongotest.Open(t, func(o *mongo.Options) {
		o.InProcess = os.Getenv("MONGO_TEST_URI") == "" // no time limits, as for a program that owns its store
	})
	if err := demo.Create(t.Context(), store, o); err != nil {
		t.Fatal(err)
	}
	return store
}

// A world without a past is stored as it is generated.
func TestPlainWorld(t *testing.T) {
	t.Parallel()
	o := seed.Options{Players: 1200, Seed: 1<<63 + 5, Now: now}
	store, ctx := create(t, o), t.Context()
	i := -1
	for want, characters := range seed.New(o).Players() {
		if i++; !slices.Contains([]int{0, 1, 4, 29, 32, 999, 1000, 1199}, i) {
			continue
		}
		players, err := store.Players.ByID(ctx, []string{want.UUID})
		if err != nil {
			t.Fatal(err)
		}
		stored, err := store.Characters.ByOwner(ctx, []string{want.UUID})
		if err != nil {
			t.Fatal(err)
		}
		slices.SortFunc(characters, func(a, b *model.Character) int { return strings.Compare(a.UUID, b.UUID) })
		want.NameFold, want.Flagged = mongo.Fold(want.Username), false
		timeless := cmpopts.IgnoreFields(model.Player{}, "Updated")
		if d := cmp.Diff(want, players[0], timeless) + cmp.Diff(characters, stored[0]); d != "" {
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
	var mark demo.Mark
	if ok, err := store.ReadMark(ctx, demo.MarkKey, &mark); !ok || err != nil {
		t.Fatal(ok, err)
	}
	if d := cmp.Diff(demo.Mark{Players: 1200, Seed: "9223372036854775813", At: "2026-11-20T12:00:00Z"}, mark); d != "" {
		t.Error(d)
	}
	if err := demo.Create(ctx, store, o); !errors.Is(err, demo.ErrInhabited) {
		t.Errorf("second run: got %v, want ErrInhabited", err)
	}
}

// Create completes an interrupted run with that run's options: the world is the same as of a run without interruption.
func TestResume(t *testing.T) {
	t.Parallel()
	store, _ := mongotest.Open(t)
	ctx, stop := context.WithCancel(t.Context())
	o := seed.Options{Players: 60, Days: 2, Seed: 5, Now: now}
	interrupted := o
	interrupted.Progress = func(step string, _, _ int) {
		if step == "storing the past" {
			stop()
		}
	}
	if err := demo.Create(ctx, store, interrupted); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v, want Canceled", err)
	}
	if n, err := store.Players.EstimateCount(t.Context()); err != nil || n != 60 {
		t.Fatalf("after cancelling: got %d players, %v, want 60", n, err)
	}
	if ok, _ := store.ReadMark(t.Context(), demo.MarkKey, &demo.Mark{}); ok {
		t.Error("an interrupted run stores MarkKey")
	}
	if want, err := demo.Wanted(t.Context(), store); !want || err != nil {
		t.Fatal(want, err)
	}
	if err := demo.Create(t.Context(), store, seed.Options{Players: 10, Seed: 8}); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(dump(t, create(t, o)), dump(t, store)); d != "" {
		t.Errorf("the resumed world differs: %s", d)
	}
	if want, err := demo.Wanted(t.Context(), store); want || err != nil {
		t.Error("Wanted is true for a finished world", err)
	}
}

// dump returns the stored game data, events and history, without what the store counts and dates itself.
func dump(t testing.TB, store *mongo.Store) map[string]bson.M {
	t.Helper()
	out := map[string]bson.M{}
	for _, name := range []string{
		mongo.Players, mongo.Characters, mongo.Guilds, mongo.Territories, mongo.Events, mongo.History,
	} {
		err := store.Export.Records(t.Context(), name, func(raw bson.Raw) error {
			decoder := bson.NewDecoder(bson.NewDocumentReader(bytes.NewReader(raw)))
			decoder.DefaultDocumentM() // maps have no order
			record := bson.M{}
			err := decoder.Decode(&record)
			delete(record, "updatedAt")
			id := fmt.Sprint(record["_id"])
			if name == mongo.Territories {
				id = fmt.Sprint(record["name"])
				delete(record, "_id") // the server's
			}
			out[name+" "+id] = record
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// The same options give the same world, byte for byte.
func TestDeterministic(t *testing.T) {
	t.Parallel()
	o := seed.Options{Players: 120, Days: 4, Seed: 3, Now: now}
	first := dump(t, create(t, o))
	if d := cmp.Diff(first, dump(t, create(t, o))); d != "" || len(first) < 500 {
		t.Errorf("%d records: %s", len(first), d[:min(len(d), 3000)])
	}
	o.Seed = 4
	if cmp.Equal(first, dump(t, create(t, o))) {
		t.Error("another seed gives the same world")
	}
}

func TestInvalidOptions(t *testing.T) {
	t.Parallel()
	store, _ := mongotest.Open(t)
	for _, o := range []seed.Options{
		{Players: -1},
		{Players: 9},
		{Players: 1_000_001},
		{Players: 60, Days: -1},
		{Players: 60, Days: 366},
		{Players: 50_001, Days: 1},
	} {
		if err := demo.Create(t.Context(), store, o); err == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
}

// A run that is cancelled plays no further day.
func TestCancelledRun(t *testing.T) {
	t.Parallel()
	store, _ := mongotest.Open(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	days := 0
	err := demo.Create(ctx, store, seed.Options{
		Players: 60, Days: 20, Seed: 1, Now: now, Progress: func(phase string, _, _ int) {
			if phase == "playing the past" {
				days++
				cancel()
			}
		},
	})
	if !errors.Is(err, context.Canceled) || days != 1 {
		t.Errorf("%d days were played, then %v", days, err)
	}
}

// A store with imported content gets no demo world.
func TestImportedContent(t *testing.T) {
	t.Parallel()
	store, _ := mongotest.Open(t)
	if want, err := demo.Wanted(t.Context(), store); !want || err != nil {
		t.Fatal(want, err)
	}
	if err := mongo.ItemSets.Put(t.Context(), store, []*model.ItemSet{{Name: "Mine", InternalName: "mine"}}); err != nil {
		t.Fatal(err)
	}
	if want, err := demo.Wanted(t.Context(), store); want || err != nil {
		t.Error("Wanted is true for a store with content", err)
	}
}

// The demo world has records in exactly the collections whose entry in the table says so, apart from those
// that are not game data.
func TestCollections(t *testing.T) {
	t.Parallel()
	store, found := create(t, seed.Options{Players: 40, Days: 1, Seed: 1, Now: now}), errors.New("found a record")
	for _, c := range mongo.Exported() {
		err := store.Export.Records(t.Context(), c.Name, func(bson.Raw) error { return found })
		if err != nil && !errors.Is(err, found) {
			t.Fatal(err)
		}
		if seeded := err != nil; seeded != c.Seeded {
			t.Errorf("%s: seeded is %t, want %t as in mongo.Collections", c.Name, seeded, c.Seeded)
		}
	}
}
