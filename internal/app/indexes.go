package app

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"gamedata/internal/telemetry"
	"gamedata/mongo"
)

// indexCheckInterval is the time between two comparisons of the store's indexes.
const indexCheckInterval = time.Minute

// indexCheck compares the store's indexes with the indexes that the queries use. Without them the service works, but
// slowly. Listing all indexes may take longer than a health check, so readiness reports the last result.
type indexCheck struct {
	store *mongo.Store
	log   *slog.Logger
	last  atomic.Pointer[telemetry.HealthResult] // nil before the first comparison
}

// compare compares once and logs a result that differs from the last one.
func (c *indexCheck) compare(ctx context.Context) {
	result := telemetry.HealthResult{State: telemetry.Healthy}
	problems, err := c.store.Indexes.Problems(ctx)
	switch {
	case ctx.Err() != nil:
		return
	case err != nil:
		result = telemetry.HealthResult{State: telemetry.Degraded, Note: "the indexes could not be listed"}
	case len(problems) > 0:
		text, command := mongo.SummarizeIndexProblems(problems)
		result = telemetry.HealthResult{State: telemetry.Degraded, Note: text + "; run " + command}
	}
	switch last := c.last.Swap(&result); {
	case last != nil && *last == result:
	case err != nil:
		c.log.Warn("listing the indexes of the store failed", "error", err)
	case result.State != telemetry.Healthy:
		c.log.Warn("indexes of the store are missing or different", "indexes", result.Note)
	case last != nil:
		c.log.Info("the indexes of the store are complete")
	}
}

// health is the check of /readyz.
func (c *indexCheck) health(context.Context) (telemetry.Health, string) {
	if last := c.last.Load(); last != nil {
		return last.State, last.Note
	}
	return telemetry.Healthy, "not compared yet"
}
