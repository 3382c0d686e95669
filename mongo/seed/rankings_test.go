package seed_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"gamedata/graph/model"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
	"gamedata/mongo/seed"
)

// Previous positions are near the current ones, unique per board, equal for equal seeds, and some are
// missing.
func TestPreviousRankings(t *testing.T) {
	t.Parallel()
	store, _ := mongotest.Open(t)
	for p, characters := range seed.Players(seed.Options{Players: 200, Seed: 1, Now: now}) {
		if err := errors.Join(store.InsertPlayers(t.Context(), []*model.Player{p}),
			store.InsertCharacters(t.Context(), characters)); err != nil {
			t.Fatal(err)
		}
	}
	all := ranked(t, store)
	generated := map[uint64][]*model.Player{}
	for _, n := range []uint64{1, 2, 1} {
		if err := seed.PutPreviousRankings(t.Context(), store, n); err != nil {
			t.Fatal(err)
		}
		found, err := store.PlayersByUUID(t.Context(), all)
		if err != nil {
			t.Fatal(err)
		}
		moved, missing, held := 0, 0, map[string]bool{}
		for i, p := range found {
			was := map[string]int{}
			for _, r := range p.PreviousRanking {
				was[r.Type] = r.Position
			}
			for _, r := range p.Ranking {
				switch before, ok := was[r.Type]; {
				case !ok:
					missing++
				case before < 1 || before > r.Position+7 || before < r.Position-7 || held[r.Type+fmt.Sprint(before)]:
					t.Errorf("player %d on %s: got position %d, previously %d", i, r.Type, r.Position, before)
				case before != r.Position:
					moved++
				}
				held[r.Type+fmt.Sprint(was[r.Type])] = was[r.Type] > 0
			}
			if old := generated[n]; old != nil && len(old[i].PreviousRanking) != len(p.PreviousRanking) {
				t.Errorf("player %d: previous positions differ with the same seed", i)
			}
		}
		if moved < 50 || missing < 5 || missing > 60 {
			t.Errorf("seed %d: got %d moved and %d missing of 400", n, moved, missing)
		}
		generated[n] = found
	}
}

// ranked gives every player two positions and returns their uuids.
func ranked(t *testing.T, store *mongo.Store) []string {
	t.Helper()
	uuids, err := store.UUIDsAfter(t.Context(), mongo.RankedPlayers, "", 200)
	if err != nil {
		t.Fatal(err)
	}
	list := make([]mongo.Ranking, len(uuids))
	for i, uuid := range uuids {
		list[i] = mongo.Ranking{UUID: uuid, Current: []*model.RankPosition{
			{Type: "combatSoloLevel", Position: i + 1},
			{Type: "warsCompletion", Position: 200 - i},
		}}
	}
	if err := store.PutRankings(context.WithoutCancel(t.Context()), mongo.RankedPlayers, list); err != nil {
		t.Fatal(err)
	}
	return uuids
}
