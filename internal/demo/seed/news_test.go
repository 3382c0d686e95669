package seed_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/demo/seed"
)

// Every visible article says something beyond its recap; every poll asks something, and no more players vote than there
// are.
func TestArticles(t *testing.T) {
	now := time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC)
	const players = 200
	for _, a := range seed.Articles(seed.Options{Players: players, Seed: 3, Now: now}) {
		if !a.Published || !a.Visible || a.StartsAt.After(now) {
			continue
		}
		says := func(b *model.ArticleBlock) bool {
			return b.Website && (b.Question != nil && len(b.Question.Answers) > 1 ||
				b.Type == "text" && !strings.Contains(*b.Text, a.Recap))
		}
		if a.Recap == "" || !slices.ContainsFunc(a.Content, says) || a.Likes > players {
			t.Errorf("%s: got recap %q, %d blocks, %d likes", a.Title, a.Recap, len(a.Content), a.Likes)
		}
		if a.Type != "poll" {
			continue
		}
		if away := a.EndsAt.Sub(now).Abs(); away > 14*24*time.Hour {
			t.Errorf("%s ends at %s", a.Title, a.EndsAt)
		}
		for _, q := range a.Poll.Votes.Questions {
			asks := func(b *model.ArticleBlock) bool {
				return b.ID == q.Block && len(b.Question.Answers) == len(q.Answers)
			}
			if !slices.ContainsFunc(a.Content, asks) || q.Total == 0 || q.Total > a.Poll.Votes.Total ||
				a.Poll.Votes.Total > players {
				t.Errorf("%s: got votes %+v of %d for %s", a.Title, *q, a.Poll.Votes.Total, q.Block)
			}
		}
	}
}
