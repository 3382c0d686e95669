package jobs_test

import (
	"cmp"
	"slices"
	"testing"
	"time"

	"gamedata/internal/jobs"
	"gamedata/internal/leaderboard"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// The first entries of the boards are recorded each day, again until the day ends.
func TestBoardHistory(t *testing.T) {
	w := newWorld(t, 300)
	w.run(t, jobs.Ranks, now, jobs.Options{})
	const board = "warsCompletion"
	tops := func(from, to time.Time) (out [][]leaderboard.Key) {
		t.Helper()
		found := mongotest.Value(w.Boards.Tops(t.Context(), mongo.BoardDays(board, from, to)))(t)
		for _, top := range found {
			if top == nil {
				continue
			}
			keys := mongotest.Value(leaderboard.UnpackTop(top.Entries))(t)
			if !slices.IsSortedFunc(keys, byScore) || len(keys) == 0 || len(keys) > leaderboard.TopSize {
				t.Errorf("%v: %d entries, or out of order", top.Day, len(keys))
			}
			out = append(out, keys)
		}
		return out
	}
	for at := now; at.Before(now.Add(27 * time.Hour)); at = at.Add(13 * time.Hour) {
		w.run(t, jobs.History, at, jobs.Options{Full: true})
	}
	if got := tops(now.AddDate(0, -1, 0), now.AddDate(0, 0, 2)); len(got) != 2 || !slices.Equal(got[0], got[1]) {
		t.Errorf("got %d days, want the same first entries on two", len(got))
	}
}

func byScore(a, b leaderboard.Key) int { return cmp.Compare(b.MetaScore(), a.MetaScore()) }
