package resolvers

import (
	"testing"
	"time"

	"gamedata/graph/model"
)

func TestArticleIsShown(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	ended := now.Add(-time.Hour)
	for name, c := range map[string]struct {
		kind   string
		change func(*model.Article)
		want   bool
	}{
		"its type":     {"blog", func(*model.Article) {}, true},
		"any type":     {"article", func(*model.Article) {}, true},
		"another type": {"poll", func(*model.Article) {}, false},
		"case":         {"Blog", func(*model.Article) {}, false},
		"no type":      {"", func(*model.Article) {}, false},
		"draft":        {"blog", func(a *model.Article) { a.Published = false }, false},
		"hidden":       {"blog", func(a *model.Article) { a.Visible = false }, false},
		"now":          {"blog", func(a *model.Article) { a.StartDate = now }, false},
		"just begun":   {"blog", func(a *model.Article) { a.StartDate = now.Add(-time.Millisecond) }, true},
		"coming":       {"blog", func(a *model.Article) { a.StartDate = now.Add(time.Millisecond) }, false},
		"ended":        {"blog", func(a *model.Article) { a.EndDate = &ended }, true},
	} {
		a := &model.Article{Type: "blog", Published: true, Visible: true, StartDate: now.Add(-2 * time.Hour)}
		c.change(a)
		if got := isPublished(a, c.kind, now); got != c.want {
			t.Errorf("%s: shown %v, want %v", name, got, c.want)
		}
	}
}

func TestHidingVotes(t *testing.T) {
	votes := &model.PollVotes{Total: 7}
	stored := &model.Article{Poll: &model.Poll{Votes: votes}}
	if got := hidingVotes(stored); got.Poll.Votes != nil || stored.Poll.Votes != votes {
		t.Errorf("shown are %v, stored are %v", got.Poll.Votes, stored.Poll.Votes)
	}
	stored.Poll.Public = true
	if got := hidingVotes(stored); got.Poll.Votes != votes {
		t.Error("public counts are hidden")
	}
	if got := hidingVotes(&model.Article{}); got.Poll != nil {
		t.Error("an article without a poll got one")
	}
}
