package mongo_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gamedata/graph/model"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

func TestNewsRoundTrip(t *testing.T) {
	store, _ := mongotest.Open(t)
	ctx := t.Context()
	at := time.Date(2026, 11, 1, 12, 0, 3, 512e6, time.UTC)
	article := &model.Article{
		Number: 41, Type: "poll", BannerZoom: true, DiscordRecap: true, StartsAt: at, EndsAt: &at, PublishedAt: at,
		DiscordMessages: []*model.PostedMessage{},
		Content: []*model.ArticleBlock{{ID: "b1", Question: &model.PollQuestion{Answers: []*model.PollAnswer{{
			ID:   "z",
			Text: "Z",
		}, {ID: "a", Text: "A"}}, RequirementList: []*model.PollRequirement{}}}},
		Poll: &model.Poll{
			SettingList: []*model.PollRequirement{{Type: "account_age", Number: new(int64(1 << 40))}},
			Votes:       &model.PollVotes{Total: 1 << 40, Questions: []*model.QuestionVotes{}},
		},
	}
	videos := []*model.Video{{Position: 3, URI: "c"}, {Position: 10, URI: "j"}}
	news := []*model.NewsEntry{{Title: "new"}, {Title: "old", Content: "<p>"}}
	for range 2 { // the second time replaces
		if err := mongo.Articles.Put(ctx, store, []*model.Article{article}); err != nil {
			t.Fatal(err)
		}
		if err := mongo.Videos.Put(ctx, store, []*model.Video{videos[1], videos[0]}); err != nil {
			t.Fatal(err)
		}
		if err := mongo.LatestNews.Put(ctx, store, news); err != nil {
			t.Fatal(err)
		}
	}
	gotArticles, err := mongo.Articles.Read(ctx, store)
	if err != nil {
		t.Fatal(err)
	}
	gotVideos, err := mongo.Videos.Read(ctx, store)
	if err != nil {
		t.Fatal(err)
	}
	gotNews, err := mongo.LatestNews.Read(ctx, store)
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
	versions, err := store.Content.Versions(ctx)
	if err != nil || versions[mongo.Articles.Name] != 2 || versions[mongo.Videos.Name] != 2 ||
		versions[mongo.LatestNews.Name] != 2 {
		t.Errorf("got versions %v, %v", versions, err)
	}
}
