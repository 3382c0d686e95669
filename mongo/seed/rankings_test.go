package seed_test

import (
	"context"
	"fmt"
	"testing"

	"gamedata/graph/model"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
	"gamedata/mongo/seed"
)

// Positions of the day before stand near the present ones, held by one player each, the same
// for the same seed, and some are missing.
func TestPreviousRankings(t *testing.T) {
	made := map[uint64][]*model.Player{}
	for _, n := range []uint64{1, 1, 2} {
		store, _ := mongotest.Open(t)
		if err := seed.Run(t.Context(), store, seed.Options{Players: 200, Seed: 1, Now: now}); err != nil {
			t.Fatal(err)
		}
		all := ranked(t, store)
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
					t.Errorf("player %d: %d on %s, %d before", i, r.Position, r.Type, before)
				case before != r.Position:
					moved++
				}
				held[r.Type+fmt.Sprint(was[r.Type])] = was[r.Type] > 0
			}
			if old := made[n]; old != nil && len(old[i].PreviousRanking) != len(p.PreviousRanking) {
				t.Errorf("player %d: another day before by the same seed", i)
			}
		}
		if moved < 50 || missing < 5 || missing > 60 {
			t.Errorf("seed %d: %d moved, %d missing of 400", n, moved, missing)
		}
		made[n] = found
	}
}

// ranked gives every player two positions and lists them.
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
