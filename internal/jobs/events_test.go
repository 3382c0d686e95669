package jobs_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gamedata/graph/model"
	"gamedata/internal/feed"
	"gamedata/internal/jobs"
	"gamedata/internal/leaderboard"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// A refresh records which leaderboards changed, and seasons and articles that began or ended since the last one: each
// once, also when a refresh repeats the time of one that was interrupted.
func TestRefreshRecordsEvents(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 60)
	start := now.Add(time.Hour)
	end := start.Add(10 * time.Minute)
	mongotest.Must(t, mongo.Seasons.Put(t.Context(), w.Store, []*model.GuildSeason{
		{Number: 70, StartsAt: start, EndsAt: &end, Enabled: true},
		{Number: 71, StartsAt: start, EndsAt: &end},
		{Number: 72, StartsAt: now.Add(-time.Hour), EndsAt: &start, Enabled: true},
	}))
	mongotest.Must(t, mongo.Articles.Put(t.Context(), w.Store, []*model.Article{
		{Number: 900, Title: "News", Published: true, Visible: true, StartsAt: start, PublishedAt: now},
		{Number: 901, Title: "Draft", Visible: true, StartsAt: start},
	}))
	seen := len(mongotest.Events(t, w.Store)) // of the demo world
	since := func() []*model.Event {
		all := mongotest.Events(t, w.Store)
		defer func() { seen = len(all) }()
		return all[seen:]
	}
	refreshed := func(at time.Time) ([]string, []model.EventData) {
		w.run(t, jobs.Refresh, at, jobs.Options{})
		var changed []string
		var others []model.EventData
		for _, e := range since() {
			if r, ok := e.Data.(*model.LeaderboardsRefreshed); ok && e.At.Equal(at) {
				changed = append(changed, r.Changed...)
			} else {
				others = append(others, mongotest.Recorded(e))
			}
		}
		return changed, others
	}
	changed, others := refreshed(now)
	if !slices.Contains(changed, leaderboard.TotalRaids) || len(changed) < 20 || others != nil {
		t.Errorf("the first refresh: %q, %v", changed, others)
	}
	guild := w.all(t, mongo.RankedGuilds)[0]
	w.feedEvent(t, &feed.RaidCompleted{
		Raid: model.Raids[0], Guild: feed.GuildID(guild),
		Raiders: []feed.RaidCompletedRaider{{Character: feed.CharacterID(w.someCharacter(t))}},
	})
	since()
	changed, others = refreshed(start)
	if !slices.Contains(changed, leaderboard.TotalRaids) || len(changed) > 15 {
		t.Errorf("after a raid: changed %q", changed)
	}
	want := []model.EventData{
		&model.SeasonStarted{Season: 70}, &model.SeasonEnded{Season: 72},
		&model.ArticlePublished{Article: 900, Title: "News"},
	}
	if diff := cmp.Diff(want, others); diff != "" {
		t.Error(diff)
	}
	state := mongotest.Value(jobs.ReadState(t.Context(), w.Store))(t)
	state.RefreshedAt = now // as if the last refresh had been interrupted before it saved the state
	mongotest.Must(t, w.SetMark(t.Context(), "leaderboards", state))
	_, others = refreshed(start.Add(time.Minute))
	if others != nil {
		t.Errorf("recorded again: %v", others)
	}
	_, others = refreshed(end)
	if !cmp.Equal(others, []model.EventData{&model.SeasonEnded{Season: 70}}) {
		t.Errorf("at the end: %v", others)
	}
}

func (w *world) someCharacter(t *testing.T) string {
	t.Helper()
	owned := mongotest.Value(w.Characters.ByOwner(t.Context(), w.all(t, mongo.RankedPlayers)))(t)
	for _, list := range owned {
		if len(list) > 0 {
			return list[0].UUID
		}
	}
	t.Fatal("there is no character")
	return ""
}
