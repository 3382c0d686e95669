package mongo_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gamedata/graph/model"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

func TestNewsComesBackWhole(t *testing.T) {
	store, _ := mongotest.Open(t)
	ctx := t.Context()
	at := time.Date(2026, 11, 1, 12, 0, 3, 512e6, time.UTC)
	article := &model.Article{
		Pk: 41, Type: "poll", BannerZoom: 112.5, StartDate: at, EndDate: &at, PublishedAt: at,
		DiscordMessages: []*model.PostedMessage{},
		Content: []*model.ArticleBlock{{ID: "b1", Question: &model.PollQuestion{Answers: []*model.PollAnswer{{
			ID:   "z",
			Text: "Z",
		}, {ID: "a", Text: "A"}}, Requirements: []*model.PollRequirement{}}}},
		Poll: &model.Poll{
			Settings: []*model.PollRequirement{{Type: "account_age", Number: new(int64(1 << 40))}},
			Votes:    &model.PollVotes{Total: 1 << 40, Questions: []*model.QuestionVotes{}},
		},
	}
	videos := []*model.Video{{Position: 3, URI: "c"}, {Position: 10, URI: "j"}}
	news := []*model.NewsEntry{{Title: "new"}, {Title: "old", Content: "<p>"}}
	for range 2 { // again, to replace
		if err := store.PutArticles(ctx, []*model.Article{article}); err != nil {
			t.Fatal(err)
		}
		if err := store.PutVideos(ctx, []*model.Video{videos[1], videos[0]}); err != nil {
			t.Fatal(err)
		}
		if err := store.PutLatestNews(ctx, news); err != nil {
			t.Fatal(err)
		}
	}
	gotArticles, err := store.Articles(ctx)
	if err != nil {
		t.Fatal(err)
	}
	gotVideos, err := store.Videos(ctx)
	if err != nil {
		t.Fatal(err)
	}
	gotNews, err := store.LatestNews(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range []string{
		cmp.Diff([]*model.Article{article}, gotArticles), cmp.Diff(videos, gotVideos),
		cmp.Diff(news, gotNews),
	} {
		if d != "" {
			t.Error(d)
		}
	}
	versions, err := store.Versions(ctx)
	if err != nil || versions[mongo.ArticleFamily] != 2 || versions[mongo.VideoFamily] != 2 ||
		versions[mongo.NewsFamily] != 2 {
		t.Errorf("versions are %v, %v", versions, err)
	}
}

// A recording that may not show the counts of a poll leaves those in the store alone; one
// that shows them replaces them.
func TestImportKeepsHiddenCounts(t *testing.T) {
	store, _ := mongotest.Open(t)
	ctx := t.Context()
	known := &model.Article{Pk: 41, Poll: &model.Poll{Votes: &model.PollVotes{Total: 7}}}
	if err := store.PutArticles(ctx, []*model.Article{known}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		poll string
		want int64
	}{
		{`{"settings":[],"public":false,"votes":null}`, 7},
		{`{"settings":[],"public":true,"votes":{"total":9,"questions":[]}}`, 9},
	} {
		i, err := mongo.ReadImport("article", json.RawMessage(`{"pk":41,"title":"Later","poll":`+c.poll+`}`), nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := store.Apply(ctx, i); err != nil {
			t.Fatal(err)
		}
		got, err := store.Articles(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != 1 || got[0].Title != "Later" || got[0].Poll.Votes == nil || got[0].Poll.Votes.Total != c.want {
			t.Errorf("%s leaves %+v", c.poll, got[0].Poll.Votes)
		}
	}
}
