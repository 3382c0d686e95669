package main

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/spf13/pflag"

	"gamedata/internal/ratelimit"
	"gamedata/internal/ratelimit/redis"
)

// countingFlags say where rate limits are counted.
type countingFlags struct {
	url     secretFlag
	timeout time.Duration
}

func (f *countingFlags) add(flags *pflag.FlagSet) {
	f.url.add(flags, "redis-url", "Redis that all instances count rate limits in, such as redis://localhost:6379/0; each counts by itself when empty")
	flags.DurationVar(&f.timeout, "redis-timeout", redis.DefaultTimeout,
		"longest wait for Redis, 5ms to 5s; after it the instance counts by itself for a while")
}

func (f *countingFlags) check() error {
	if f.timeout < 5*time.Millisecond || f.timeout > 5*time.Second {
		return usageError{errors.New("--redis-timeout must be between 5ms and 5s")}
	}
	return nil
}

// counting is what requests and tries are counted by.
type counting struct {
	ratelimit.Counters
	shared *redis.Counters // nil when this instance counts by itself
}

// open gives the counters. Redis need not answer yet.
func (f *countingFlags) open(log *slog.Logger) (*counting, error) {
	url, err := f.url.read()
	if err != nil {
		return nil, err
	}
	if url == "" {
		return alone(), nil
	}
	shared, err := redis.Open(redis.Options{URL: url, Timeout: f.timeout, Log: log})
	if err != nil {
		return nil, usageError{fmt.Errorf("--redis-url: %w", err)}
	}
	return &counting{Counters: shared, shared: shared}, nil
}

// alone counts in this process.
func alone() *counting { return &counting{Counters: ratelimit.New(ratelimit.Options{})} }

func (c *counting) close() {
	if c.shared != nil {
		_ = c.shared.Close() // what was counted is there; nothing is lost with the connections
	}
}
