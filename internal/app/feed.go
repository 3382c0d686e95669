package app

import (
	"net/http"

	"gamedata/internal/config"
	"gamedata/internal/feed/feedhttp"
)

// maxFeedBody bounds the uncompressed body of POST /feed, in bytes.
const maxFeedBody = 8 << 20

func (s *Service) feedHandler(c *config.Service, d Dependencies) http.Handler {
	return feedhttp.New(s.api, feedhttp.Options{
		Senders: d.Accounts.FeedTokens, Feed: s.feed, Counters: d.Counters, Rate: c.FeedRate(), MaxBody: maxFeedBody,
		Count: d.instrumentation.metrics.ObserveFeedEvent, Log: d.Log,
	})
}
