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
		change func(*model.Article)
		want   bool
	}{
		"visible":    {func(*model.Article) {}, true},
		"draft":      {func(a *model.Article) { a.Published = false }, false},
		"hidden":     {func(a *model.Article) { a.Visible = false }, false},
		"now":        {func(a *model.Article) { a.StartsAt = now }, false},
		"just begun": {func(a *model.Article) { a.StartsAt = now.Add(-time.Millisecond) }, true},
		"coming":     {func(a *model.Article) { a.StartsAt = now.Add(time.Millisecond) }, false},
		"ended":      {func(a *model.Article) { a.EndsAt = &ended }, true},
	} {
		a := &model.Article{Type: "blog", Published: true, Visible: true, StartsAt: now.Add(-2 * time.Hour)}
		c.change(a)
		if got := isPublished(a, now); got != c.want {
			t.Errorf("%s: shown %v, want %v", name, got, c.want)
		}
	}
}

func TestMatchesArticle(t *testing.T) {
	blog, quiz := "blog", "quiz"
	for name, c := range map[string]struct {
		filter *model.ArticleFilter
		of     string
		want   bool
	}{
		"no filter":       {nil, blog, true},
		"empty filter":    {&model.ArticleFilter{}, blog, true},
		"its type":        {&model.ArticleFilter{Types: []string{"POLL", "BLOG"}}, blog, true},
		"another type":    {&model.ArticleFilter{Types: []string{"POLL"}}, blog, false},
		"other":           {&model.ArticleFilter{Types: []string{"OTHER"}}, quiz, true},
		"its label":       {&model.ArticleFilter{TypeLabel: &quiz}, quiz, true},
		"case":            {&model.ArticleFilter{TypeLabel: new("Quiz")}, quiz, false},
		"type, not label": {&model.ArticleFilter{Types: []string{"BLOG"}, TypeLabel: &quiz}, blog, false},
	} {
		if got := matchesArticle(&model.Article{Type: model.Label(c.of)}, c.filter); got != c.want {
			t.Errorf("%s: got %v", name, got)
		}
	}
}
