package jobs_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.uber.org/goleak"

	"gamedata/graph/model"
	"gamedata/internal/jobs"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// TestMain fails when a test leaves a goroutine running.
func TestMain(m *testing.M) { goleak.VerifyTestMain(mongotest.BothWays{M: m}) }

// While one instance runs a job, others get mongo.ErrBusy; afterwards they work.
func TestJobsAreExclusive(t *testing.T) {
	w := newWorld(t, 60)
	other, _ := w.openInterruptible(t)
	tried := 0
	w.refresh(t, jobs.Options{Holder: "one", Progress: func(string, int, int) {
		tried++
		for name, work := range map[string]job{
			"refresh": jobs.Refresh, "ranks": jobs.Ranks, "sweep": jobs.Sweep,
		} {
			if _, err := work(t.Context(), other, now, jobs.Options{Holder: "two"}); !errors.Is(err, mongo.ErrBusy) {
				t.Errorf("%s during a refresh: got %v, want ErrBusy", name, err)
			}
		}
	}})
	if tried == 0 {
		t.Error("no job was tried")
	}
	if _, err := jobs.Refresh(t.Context(), other, now, jobs.Options{Holder: "two"}); err != nil {
		t.Errorf("refresh afterwards: %v", err)
	}
	// The lease of an instance that died expires.
	l, err := w.Leases.Take(t.Context(), "leaderboards", "dead", time.Hour)
	if err != nil || l == nil {
		t.Fatal(l, err)
	}
	if _, err := jobs.Sweep(t.Context(), other, now, jobs.Options{}); !errors.Is(err, mongo.ErrBusy) {
		t.Errorf("with a held lease: got %v, want ErrBusy", err)
	}
	mongotest.Value(w.Leases.Extend(t.Context(), l, -time.Second))(t)
	if _, err := jobs.Sweep(t.Context(), other, now, jobs.Options{}); err != nil {
		t.Errorf("with an expired lease: %v", err)
	}
	if _, err := w.Leases.Extend(t.Context(), l, time.Hour); !errors.Is(err, mongo.ErrLeaseLost) {
		t.Errorf("extending a lost lease: got %v, want ErrLeaseLost", err)
	}
}

// Ranks copies the ranking of guilds and of players who played lately to previousRanking.
func TestRanks(t *testing.T) {
	w := newWorld(t, 60)
	all := w.all(t, mongo.RankedPlayers)
	w.refresh(t, jobs.Options{})
	if s := w.state(t); s.RanksDue(now) || !s.RanksDue(now.Add(24*time.Hour)) {
		t.Errorf("after the first refresh of the day: %+v", s)
	}
	mongotest.Value(jobs.Ranks(t.Context(), w.Store, now, jobs.Options{}))(t) // the first time: of everybody
	first := mongotest.Value(w.Players.ByID(t.Context(), all))(t)
	for i, r := range w.rankings(t, mongo.RankedPlayers, all) {
		if len(first[i].PreviousRanking) != len(r) {
			t.Errorf("player %d: previous ranking %v, ranking %v", i, positions(first[i].PreviousRanking), positions(r))
		}
	}
	old := []*model.RankPosition{{Type: "warsCompletion", Position: 1000}}
	offline := bson.D{
		{Key: "online", Value: false},
		{Key: "lastJoin", Value: now.Add(-90 * 24 * time.Hour)},
		{Key: "previousRanking", Value: old},
		{Key: "previousRankingAt", Value: nil},
	}
	for _, uuid := range all {
		w.set(t, "players", uuid, offline)
	}
	w.set(t, "players", all[1], bson.D{{Key: "online", Value: true}})
	w.set(t, "players", all[2], bson.D{{Key: "lastJoin", Value: now.Add(-time.Hour)}})
	w.set(t, "players", all[3], bson.D{{Key: "lastJoin", Value: nil}})
	w.set(t, "players", all[4], bson.D{{Key: "globalData.wars", Value: int64(1 << 40)}})
	for range 2 { // the second run changes nothing
		w.run(t, jobs.Ranks, now, jobs.Options{})
	}
	w.checkBoards(t, all...) // Ranks is a full refresh
	players := mongotest.Value(w.Players.ByID(t.Context(), all))(t)
	rankings := w.rankings(t, mongo.RankedPlayers, all)
	for i, p := range players {
		want, at := rankings[i], now
		if i != 1 && i != 2 {
			want, at = old, time.Time{}
		}
		if got := p.PreviousRankingAt; (got == nil) != at.IsZero() || got != nil && !got.Equal(at) {
			t.Errorf("player %d: previous ranking of %v, want %v", i, got, at)
		}
		if !slices.EqualFunc(p.PreviousRanking, want, func(a, b *model.RankPosition) bool { return *a == *b }) {
			t.Errorf("player %d: previous ranking %v, ranking %v", i, positions(p.PreviousRanking), positions(want))
		}
	}
	guilds := mongotest.Value(w.Guilds.ByID(t.Context(), w.all(t, mongo.RankedGuilds)))(t)
	rankings = w.rankings(t, mongo.RankedGuilds, w.all(t, mongo.RankedGuilds))
	for i, g := range guilds {
		if d := cmp.Diff(positions(rankings[i]), positions(g.PreviousRanking)); d != "" || !g.PreviousRankingAt.Equal(now) {
			t.Errorf("%s at %v: %s", g.Name, g.PreviousRankingAt, d)
		}
	}
	if s := w.state(t); s.RanksDue(now.Add(time.Minute)) || !s.RanksDue(now.Add(24*time.Hour)) {
		t.Errorf("after the ranks of the day: %+v", s)
	}
}

func (w *world) state(t *testing.T) jobs.State {
	t.Helper()
	return mongotest.Value(jobs.ReadState(t.Context(), w.Store))(t)
}

// Sweep deletes unnamed pages, and the next refresh removes deleted players from the boards.
func TestSweep(t *testing.T) {
	w := newWorld(t, 60)
	w.refresh(t, jobs.Options{})
	all := w.all(t, mongo.RankedPlayers)
	mongotest.Must(t, w.Boards.InsertPages(t.Context(), []*mongo.BoardPage{
		{ID: mongo.PageID(0, 7), Entries: []byte{}},
		{ID: mongo.PageID(1, 4_000_000), Entries: []byte{}},
	}))
	w.remove(t, "players", all[0])
	w.remove(t, "players", all[59])
	w.remove(t, "guilds", w.all(t, mongo.RankedGuilds)[0])
	r, err := jobs.Sweep(t.Context(), w.Store, now, jobs.Options{})
	if err != nil || r.Removed != 5 {
		t.Errorf("got sweep %+v, %v, want 5 removed", r, err)
	}
	w.checkPages(t)
	w.refresh(t, jobs.Options{})
	want, stored := w.expected(t), w.stored(t)
	for _, b := range w.catalogue(t).All {
		// Boards of ended seasons do not change.
		if b.Season == nil && !slices.Equal(stored[b.Name], want[b.Name]) {
			t.Errorf("%s: the %d stored entries differ from the %d expected ones", b.Name, len(stored[b.Name]),
				len(want[b.Name]))
		}
	}
	if n := w.count(t, "playerStandings", bson.D{}); n != 58 {
		t.Errorf("got %d standings, want 58", n)
	}
	if r, err := jobs.Sweep(t.Context(), w.Store, now, jobs.Options{}); err != nil || r.Removed != 0 {
		t.Errorf("second sweep: got %+v, %v, want nothing removed", r, err)
	}
}

// A missing page causes a full refresh.
func TestMissingPageIsRepaired(t *testing.T) {
	w := newWorld(t, 60)
	w.refresh(t, jobs.Options{})
	w.loseFirstPage(t, "warsCompletion")
	for _, uuid := range w.all(t, mongo.RankedPlayers) {
		w.set(t, "players", uuid, bson.D{{Key: "globalData.wars", Value: int64(9)}, {Key: "flagged", Value: true}})
	}
	if r := w.refresh(t, jobs.Options{}); !r.Full {
		t.Errorf("got refresh %+v, want a full one", r)
	}
	w.checkBoards(t)
}
