package app

import (
	"net/http"

	"gamedata/internal/config"
	feedhttp "gamedata/internal/feed/http"
)

// feedHandler returns the handler of POST /feed.
func (s *Service) feedHandler(c *config.Feed, d Dependencies) http.Handler {
	return feedhttp.New(s.api, feedhttp.Options{
		Senders: d.Accounts.FeedTokens, Feed: s.feed, Counters: d.Counters, Rate: c.Rate(), MaxBody: int64(c.MaxBody),
		Count: d.instrumentation.feedEvent(), Log: d.Log,
	})
}
