package app

import (
	"context"
	"log/slog"

	"gamedata/internal/config"
	"gamedata/internal/ratelimit"
	"gamedata/internal/ratelimit/redis"
	"gamedata/internal/telemetry"
)

// Counters count rate limits, in Redis or in this process.
type Counters struct {
	ratelimit.Counters
	Redis *redis.Counters // nil when counting in this process
}

// OpenCounters connects to Redis when the settings name one. Redis does not have to respond yet.
func OpenCounters(c *config.Secret, log *slog.Logger) (*Counters, error) {
	url, err := c.Read()
	if err != nil {
		return nil, err
	}
	if url == "" {
		return &Counters{Counters: ratelimit.New(ratelimit.Options{})}, nil
	}
	shared, err := redis.Open(redis.Options{URL: url, Log: log})
	if err != nil {
		return nil, config.Usagef("--redis-url: %w", err)
	}
	return &Counters{Counters: shared, Redis: shared}, nil
}

// Close disconnects from Redis, which retains the counts.
func (c *Counters) Close() {
	if c.Redis != nil {
		_ = c.Redis.Close()
	}
}

// health reports whether limits are counted in Redis. It waits no longer than ctx, even if Redis takes longer.
func (c *Counters) health(ctx context.Context) (telemetry.Health, string) {
	checked := make(chan error, 1)
	go func() { checked <- c.Redis.Check() }()
	select {
	case err := <-checked:
		if err != nil {
			return telemetry.Degraded, "redis does not respond, this instance counts alone"
		}
		return telemetry.Healthy, "counted in redis"
	case <-ctx.Done():
		return telemetry.Degraded, "redis does not respond in time"
	}
}
