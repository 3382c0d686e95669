package app

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"gamedata/internal/config"
	"gamedata/internal/feedhttp"
	"gamedata/mongo/feed"
)

// recoverEvery is how often events of an instance that stopped are looked for.
const recoverEvery = 5 * time.Second

// feedHandler returns the handler of POST /feed.
func (s *Service) feedHandler(c *config.Feed, d Dependencies) http.Handler {
	return feedhttp.New(s.api, feedhttp.Options{
		Senders: d.Accounts, Journal: s.journal, Counters: d.Counters, Rate: c.Rate(), MaxBody: int64(c.MaxBody),
		Count: d.instrumentation.feedEvent(), Log: d.Log,
	})
}

// recoverFeed finishes events of instances that stopped while they applied them, until ctx ends.
func recoverFeed(ctx context.Context, journal *feed.Journal, log *slog.Logger) {
	ticker := time.NewTicker(recoverEvery)
	defer ticker.Stop()
	for failed := false; ; {
		err := journal.Recover(ctx)
		if err != nil && !failed && ctx.Err() == nil {
			log.Warn("finishing interrupted feed events failed", "error", err)
		}
		failed = err != nil
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}
