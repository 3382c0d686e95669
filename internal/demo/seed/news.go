package seed

import (
	"strconv"
	"strings"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/demo/content"
)

// firstArticle is the number of the first article.
const firstArticle = 41

// story is an article in data/articles.json, which begins with one article per case: a poll with every feature, a poll
// with secret votes, a draft ... The file contains only fields that differ from the usual ones. Likes and votes are for
// 1,000 players.
type story struct {
	model.Article
	// HoursAgo is how long before the time of the world the article starts, negative for the future.
	HoursAgo int
	// EndsInHours is how long after the time of the world the article ends, negative for the past.
	EndsInHours *int
}

// Articles returns one article for each case and enough ordinary ones for several pages. The time of the world decides
// which are visible. "{noon}" and "{end}" in texts are Unix times: noon of the world's day and six days later.
func Articles(o Options) (out []*model.Article) {
	now := o.Timestamp()
	unix := func(t time.Time) string { return strconv.FormatInt(t.Unix(), 10) }
	times := strings.NewReplacer("{noon}", unix(now.Truncate(day).Add(12*time.Hour)),
		"{end}", unix(now.Add(6*day).Truncate(time.Hour)))
	usual := story{Article: model.Article{
		Banner: "news/board.png", BannerZoom: true, CreatedBy: "Okapi", Content: []*model.ArticleBlock{},
		Published: true, Visible: true, Destination: "noticeboard", DiscordMessages: []*model.PostedMessage{},
	}}
	for i, s := range content.Filled("articles.json", times, usual) {
		s.Number, s.StartsAt = firstArticle+i, now.Add(-time.Duration(s.HoursAgo)*time.Hour).Truncate(time.Hour)
		s.PublishedAt = s.StartsAt.Add(3512 * time.Millisecond)
		if s.EndsInHours != nil {
			s.EndsAt = new(now.Add(time.Duration(*s.EndsInHours) * time.Hour).Truncate(time.Hour))
		}
		s.count(o.Players)
		out = append(out, &s.Article)
	}
	return out
}

// count scales likes and votes to a number of players, and totals the votes. Every voter answers the first question.
func (s *story) count(players int) {
	scale := func(n *int64) { *n = *n * int64(players) / 1000 }
	scale(&s.Likes)
	if s.Poll == nil {
		return
	}
	for _, q := range s.Poll.Votes.Questions {
		for _, a := range q.Answers {
			scale(&a.Count)
			q.Total += a.Count
		}
	}
	s.Poll.Votes.Total = s.Poll.Votes.Questions[0].Total
}
