package app

import (
	"net/http"

	"gamedata/internal/config"
	feedhttp "gamedata/internal/feed/http"
)

// feedHandler returns the handler of POST /feed.
// maxFeedBody bounds a body of POST /feed, uncompressed, in bytes.
const maxFeedBody = 8 << 20

func (s *Service) feedHandler(c *config.Service, d Dependencies) http.Handler {
	return feedhttp.New(s.api, feedhttp.Options{
		Senders: d.Accounts.FeedTokens, Feed: s.feed, Counters: d.Counters, Rate: c.FeedRate(), MaxBody: maxFeedBody,
		Count: d.instrumentation.metrics.ObserveFeedEvent, Log: d.Log,
	})
}
