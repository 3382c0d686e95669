package app

import (
	"fmt"
	"log/slog"
	"net"
	"strings"
	"testing"
	"time"

	"gamedata/internal/cache"
	"gamedata/internal/httpapi"
	"gamedata/internal/jobs"
	"gamedata/internal/ratelimit/redis"
	"gamedata/internal/telemetry"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// expectHealth checks the readiness of a service, and that its checks say something.
func expectHealth(t *testing.T, s *Service, want telemetry.Health, note string) {
	t.Helper()
	r := telemetry.CheckHealth(t.Context(), s.readinessChecks(0))
	if r.State != want || !strings.Contains(fmt.Sprintf("%+v", r.Checks), note) {
		t.Errorf("got %+v, want %s with %q", r, want, note)
	}
}

// Readiness is degraded without an index, and without the store while responses are cached. It is dead without both and
// while draining.
func TestReadiness(t *testing.T) {
	store, server := mongotest.Open(t)
	responses, err := newCaches(1<<20, time.Second, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer responses.close()
	indexes := &indexCheck{store: store, log: slog.New(slog.DiscardHandler)}
	s := &Service{store: store, counters: &Counters{}, caches: responses, indexes: indexes}
	expectHealth(t, s, telemetry.Healthy, "circuit closed")
	if err := server.Database(t).Collection(mongo.LinkCodes).Indexes().DropOne(t.Context(), "expires_1"); err != nil {
		t.Fatal(err)
	}
	indexes.compare(t.Context())
	expectHealth(t, s, telemetry.Degraded, "linkCodes(expires)")
	s.draining.Store(true)
	expectHealth(t, s, telemetry.Dead, "draining")
	s.draining.Store(false)
	if err := server.Close(); err != nil {
		t.Fatal(err)
	}
	expectHealth(t, s, telemetry.Dead, "the store does not respond, and no response is cached")
	responses.responses.Put("key", cache.Entry[httpapi.Response]{Made: time.Now(), MaxAge: time.Hour, Size: 10}, 0)
	responses.responses.Wait()
	expectHealth(t, s, telemetry.Degraded, "the store does not respond, cached responses are served")
	s.caches = &caches{} // --cache-size 0
	expectHealth(t, s, telemetry.Dead, "the store does not respond")
}

// A store without transactions is degraded: the report says what that means.
func TestReadinessWithoutTransactions(t *testing.T) {
	store, _ := mongotest.Open(t, mongotest.WithoutTransactions)
	s := &Service{store: store, counters: &Counters{}, indexes: &indexCheck{}}
	expectHealth(t, s, telemetry.Degraded, mongo.NoTransactions)
}

// A Redis that hangs does not delay readiness, whatever its timeout.
func TestReadinessWithHangingRedis(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0") // never accepts
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	shared, err := redis.Open(redis.Options{
		URL: "redis://" + silent.Addr().String(), Timeout: 30 * time.Second,
		Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer shared.Close()
	store, _ := mongotest.Open(t)
	s := &Service{store: store, counters: &Counters{Counters: shared, Redis: shared}, indexes: &indexCheck{}}
	expectHealth(t, s, telemetry.Degraded, "redis does not respond in time")
}

func TestJobHealth(t *testing.T) {
	begun := time.Date(2026, 3, 19, 12, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		refreshed time.Time
		after     time.Duration
		want      telemetry.Health
	}{
		"never, at the start":        {time.Time{}, time.Minute, telemetry.Healthy},
		"never, long after":          {time.Time{}, 30 * time.Minute, telemetry.Degraded},
		"as it should":               {begun.Add(50 * time.Minute), time.Hour, telemetry.Healthy},
		"late":                       {begun.Add(20 * time.Minute), time.Hour, telemetry.Degraded},
		"late, and started just now": {begun.Add(-time.Hour), time.Minute, telemetry.Healthy},
		"in the future":              {begun.Add(48 * time.Hour), time.Hour, telemetry.Healthy},
	} {
		t.Run(name, func(t *testing.T) {
			if got, note := jobHealth(jobs.State{RefreshedAt: c.refreshed}, begun, begun.Add(c.after),
				10*time.Minute); got != c.want {
				t.Errorf("%s: got %s %q, want %s", name, got, note, c.want)
			}
		})
	}
}
