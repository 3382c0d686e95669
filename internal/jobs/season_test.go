package jobs_test

import (
	"slices"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/graph/model"
	"gamedata/internal/feed"
	"gamedata/internal/jobs"
	"gamedata/internal/leaderboard"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// feedEvent applies one event, which must be accepted.
func (w *world) feedEvent(t *testing.T, e feed.Event) {
	t.Helper()
	if o := w.feedAt(t, e, now); o.Err != nil {
		t.Fatal(o.Err)
	}
}

func (w *world) feedAt(t *testing.T, e feed.Event, now time.Time) feed.Outcome {
	t.Helper()
	o := feed.Options{Now: func() time.Time { return now }}
	outcomes := mongotest.Value(feed.New(w.Store, o).Apply(t.Context(), feed.WithoutKeys(e)))(t)
	return outcomes[0]
}

// The standings of an ended season do not change: not when ratings are written later, not when a guild is
// disbanded or leaves the store, not by an incremental or full refresh, not when a page was lost.
func TestEndedSeasonIsFinal(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 300)
	w.refresh(t, jobs.Options{})
	board, earlier := "", ""
	for _, b := range w.catalogue(t).All {
		if b.Season != nil && b.Season.EndsAt != nil && b.Season.EndsAt.Before(now) {
			board, earlier = b.Name, board
		}
	}
	want := w.stored(t)[board]
	if len(want) < 4 {
		t.Fatalf("%s has %d entries", board, len(want))
	}
	first, second, third := want[0].UUID(), want[1].UUID(), want[2].UUID()
	check := func(when string) {
		t.Helper()
		stored := w.stored(t)
		if !slices.Equal(stored[board], want) {
			t.Errorf("%s: %s has %d other entries, had %d", when, board, len(stored[board]), len(want))
		}
		for _, uuid := range []string{first, second} {
			at := slices.IndexFunc(stored[leaderboard.TotalRaids], func(k leaderboard.Key) bool { return k.UUID() == uuid })
			if at >= 0 && when != "rated" {
				t.Errorf("%s: a deleted guild is on %s", when, leaderboard.TotalRaids)
			}
		}
	}
	w.set(t, "guilds", third, bson.D{
		{Key: "seasonRanks", Value: []*model.GuildSeasonResult{}},
		{Key: "flagged", Value: true},
	})
	w.refresh(t, jobs.Options{})
	check("rated")

	w.feedEvent(t, &feed.GuildDisbanded{Guild: feed.GuildID(first)})
	w.remove(t, "guilds", second)
	w.run(t, jobs.Sweep, now, jobs.Options{})
	w.refresh(t, jobs.Options{})
	check("deleted")
	w.refresh(t, jobs.Options{Full: true})
	check("full")
	w.run(t, jobs.Ranks, now, jobs.Options{})
	check("ranks")
	w.run(t, jobs.Refresh, now.Add(time.Hour), jobs.Options{})
	check("later")

	w.loseFirstPage(t, earlier)
	w.refresh(t, jobs.Options{Full: true})
	check("an earlier season lost a page")
	if len(w.stored(t)[earlier]) == 0 {
		t.Errorf("%s was not built again", earlier)
	}

	mongotest.Value(w.raw.Collection("boardPages").DeleteMany(t.Context(), bson.D{}))(t)
	w.refresh(t, jobs.Options{Full: true})
	rebuilt := w.stored(t)[board]
	if !slices.ContainsFunc(rebuilt, func(k leaderboard.Key) bool { return k == want[0] }) {
		t.Error("a disbanded guild is missing on the rebuilt board")
	}
}

// The last refresh of a season has the ratings at its end: with guilds that were disbanded after it, without
// those disbanded before.
func TestSeasonEnds(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 300)
	w.refresh(t, jobs.Options{})
	var season *model.GuildSeason
	for _, b := range w.catalogue(t).All {
		if b.Season != nil && (b.Season.EndsAt == nil || b.Season.EndsAt.After(now)) {
			season = b.Season
		}
	}
	end := now.Add(3 * time.Minute)
	season.EndsAt = &end
	mongotest.Must(t, mongo.Seasons.Put(t.Context(), w.Store, []*model.GuildSeason{season}))
	board := leaderboard.SeasonBoard(season.Number)
	before := w.stored(t)[board]
	early, late := before[0].UUID(), before[1].UUID()
	rating := func(at time.Time) *feed.SeasonRated {
		return &feed.SeasonRated{Guild: feed.GuildID(late), Season: season.Number, Rating: 7, Territories: 1, At: at}
	}
	w.feedEvent(t, &feed.GuildDisbanded{Guild: feed.GuildID(early), At: end.Add(-time.Minute)})
	w.feedEvent(t, rating(end.Add(-time.Second)))
	if o := w.feedAt(t, rating(end), end); o.Err == nil || o.Err.Code != feed.Conflict {
		t.Errorf("rating after the end: got %+v, want a conflict", o)
	}
	w.feedEvent(t, &feed.GuildDisbanded{Guild: feed.GuildID(late), At: end.Add(time.Minute)})
	w.run(t, jobs.Refresh, end.Add(2*time.Minute), jobs.Options{})
	want := slices.Clone(before[1:])
	want[0], _ = leaderboard.NewKey(before[1].MetaScore()+7, late, "")
	for _, when := range []time.Duration{2 * time.Minute, 12 * time.Minute, 22 * time.Minute} {
		w.run(t, jobs.Refresh, end.Add(when), jobs.Options{})
		if got := w.stored(t)[board]; !slices.Equal(got, want) {
			t.Errorf("%s after the end: got %d entries, first %d; want %d, first %d", when, len(got), got[0].MetaScore(),
				len(want), want[0].MetaScore())
		}
	}
}

// A deleted character and a deleted player leave the boards with the next refresh, and the boards then agree with the
// statistics.
func TestDeletionsLeaveTheBoards(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 200)
	w.refresh(t, jobs.Options{})
	keys := w.stored(t)["totalGlobalLevel"]
	player, deleted := keys[0].UUID(), keys[1].UUID()
	owned := mongotest.Value(w.Characters.ByOwner(t.Context(), []string{player}))(t)
	best := slices.MaxFunc(owned[0], func(a, b *model.Character) int { return a.TotalLevel - b.TotalLevel })
	w.feedEvent(t, &feed.CharacterDeleted{Player: feed.PlayerID(player), Character: feed.CharacterID(best.UUID)})
	w.feedEvent(t, &feed.PlayerDeleted{Player: feed.PlayerID(deleted)})
	w.refresh(t, jobs.Options{})
	w.checkBoards(t, player)
	players := mongotest.Value(w.Players.ByID(t.Context(), []string{player}))(t)
	for _, k := range w.stored(t)["totalGlobalLevel"] {
		if score := k.MetaScore() / 100_000_000_000; k.UUID() == player && score != players[0].Totals.TotalLevel {
			t.Errorf("the board has %d levels, the player %d", score, players[0].Totals.TotalLevel)
		}
		if k.UUID() == deleted {
			t.Error("a deleted player is on the board")
		}
	}
}

// A malformed record of a disbanded guild does not stop the refresh.
func TestMalformedFormerGuild(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 100)
	w.refresh(t, jobs.Options{})
	guild := w.all(t, mongo.RankedGuilds)[0]
	w.feedEvent(t, &feed.GuildDisbanded{Guild: feed.GuildID(guild)})
	w.set(t, "formerGuilds", guild, bson.D{{Key: "disbanded", Value: "yesterday"}})
	w.refresh(t, jobs.Options{})
	for _, k := range w.stored(t)[leaderboard.TotalRaids] {
		if k.UUID() == guild {
			t.Error("the disbanded guild is on a leaderboard")
		}
	}
}
