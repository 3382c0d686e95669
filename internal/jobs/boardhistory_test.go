package jobs_test

import (
	"cmp"
	"slices"
	"testing"
	"time"

	"gamedata/internal/demo/seed"
	"gamedata/internal/jobs"
	"gamedata/internal/leaderboard"
	"gamedata/mongo"
)

// The first entries of the boards are recorded each day, again until the day ends. A demo world begins with a month, in
// which scores grew.
func TestBoardHistory(t *testing.T) {
	w := newWorld(t, 300)
	if _, err := jobs.Ranks(t.Context(), w.Store, now, jobs.Options{Invent: seed.PreviousRankings(1)}); err != nil {
		t.Fatal(err)
	}
	const board = "warsCompletion"
	tops := func(from, to time.Time) (out [][]leaderboard.Key) {
		t.Helper()
		found, err := w.Boards.Tops(t.Context(), mongo.BoardDays(board, from, to))
		if err != nil {
			t.Fatal(err)
		}
		for _, top := range found {
			if top == nil {
				continue
			}
			keys, err := leaderboard.UnpackTop(top.Entries)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.IsSortedFunc(keys, byScore) || len(keys) == 0 || len(keys) > leaderboard.TopSize {
				t.Errorf("%v: %d entries, or out of order", top.Day, len(keys))
			}
			out = append(out, keys)
		}
		return out
	}
	const month = 30 * 24 * time.Hour
	past := tops(now.Add(-2*month), now)
	if len(past) != 31 || past[0][0].MetaScore() >= past[30][0].MetaScore() {
		t.Fatalf("%d days of a demo world", len(past))
	}
	later := now.Add(26 * time.Hour)
	for range 2 {
		if _, err := jobs.History(t.Context(), w.Store, later, jobs.Options{Full: true}); err != nil {
			t.Fatal(err)
		}
	}
	if got := tops(later.Add(-24*time.Hour), later); len(got) != 2 || !slices.Equal(got[1], past[30]) {
		t.Errorf("got %d days, want the first entries of now under today", len(got))
	}
}

func byScore(a, b leaderboard.Key) int { return cmp.Compare(b.MetaScore(), a.MetaScore()) }
