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

// story is an article in data/articles.json, which begins with one for each case: a poll with everything that a poll
// can have, one with secret votes, a draft ... Only fields that differ from the usual ones are in the file. Likes and
// votes are the votes of 1,000 players.
type story struct {
	model.Article
	// HoursAgo is the time from the article's start to the time of the world, negative for the future.
	HoursAgo int
	// EndsInHours is the time from the time of the world to the article's end, negative for the past.
	EndsInHours *int
}

// Articles returns one article for each case and enough ordinary ones for several pages. Which are visible depends on
// the time of the world. "{noon}" and "{end}" in texts are Unix times: noon of the world's day and six days later.
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

// count scales likes and votes to a number of players, and adds the votes up. Everybody who votes answers the first
// question.
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
