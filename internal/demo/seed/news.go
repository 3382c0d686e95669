package seed

import (
	"strconv"
	"strings"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/demo/content"
	"gamedata/internal/demo/dice"
)

// firstArticle is the number of the first article; special cases come first, then routine ones.
const firstArticle = 41

// banners are images of articles.
var banners = strings.Fields("news/board.png news/gate.png news/bridge.png news/lantern.png news/quarry.png " +
	"news/orchard.png news/harbour.png")

// story is an article in data/articles.json, which has one for each case (a poll with everything that a poll can
// have, one with secret votes, a draft ...), or in data/routine.json. Only fields that differ from the usual ones are
// in the files. Likes and votes are those of 1,000 players.
type story struct {
	model.Article
	// HoursAgo is the time from the article's start to the time of the world, negative for the future.
	HoursAgo int
	// EndsInHours is the time from the time of the world to the article's end, negative for the past.
	EndsInHours *int
	// Body of a routine article.
	Body string
}

// stories returns the articles of a file of data. "{noon}" and "{end}" in texts are Unix times: noon of the
// world's day and six days later.
func stories(name string, now time.Time) []*story {
	unix := func(t time.Time) string { return strconv.FormatInt(t.Unix(), 10) }
	times := strings.NewReplacer("{noon}", unix(now.Truncate(day).Add(12*time.Hour)),
		"{end}", unix(now.Add(6*day).Truncate(time.Hour)))
	usual := story{Article: model.Article{
		Banner: banners[0], BannerZoom: true, CreatedBy: "Okapi", Content: []*model.ArticleBlock{},
		Published: true, Visible: true, Destination: "noticeboard", DiscordMessages: []*model.PostedMessage{},
	}}
	out := content.Filled(name, times, usual)
	for _, s := range out {
		if s.EndsInHours != nil {
			s.EndsAt = new(now.Add(time.Duration(*s.EndsInHours) * time.Hour).Truncate(time.Hour))
		}
		s.start(now.Add(-time.Duration(s.HoursAgo) * time.Hour))
	}
	return out
}

// start sets the hour at which the article starts; it is published a few seconds later.
func (s *story) start(at time.Time) {
	s.StartsAt = at.Truncate(time.Hour)
	s.PublishedAt = s.StartsAt.Add(3512 * time.Millisecond)
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

// Articles returns one article for each case and enough ordinary ones for several pages. Which are visible
// depends on the time of the world.
func Articles(o Options) []*model.Article {
	now := o.Timestamp()
	all := stories("articles.json", now)
	for _, s := range all {
		s.count(o.Players)
	}
	for i, s := range stories("routine.json", now) {
		d := o.dice(forNews, uint64(i))
		s.start(now.Add(-time.Duration(i*9+4) * day))
		s.Likes, s.Banner = d.Int64N(int64(o.Players/5+1)), dice.Pick(d, banners)
		s.Content = []*model.ArticleBlock{
			{ID: "b1", Type: "text", Text: &s.Body, Discord: true, Website: true},
		}
		if d.Chance(0.4) {
			image := &model.ArticleBlock{ID: "b2", Type: "image", Text: new(dice.Pick(d, banners)), Website: true}
			s.Content = append(s.Content, image)
		}
		all = append(all, s)
	}
	out := make([]*model.Article, len(all))
	for i, s := range all {
		s.Number, out[i] = firstArticle+i, &s.Article
	}
	return out
}
