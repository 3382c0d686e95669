package redis_test

import (
	"errors"
	"log/slog"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	driver "github.com/redis/go-redis/v9"

	"gamedata/internal/ratelimit"
	"gamedata/internal/ratelimit/redis"
	"gamedata/internal/ratelimit/redistest"
)

// journal is a log that tests read.
type journal struct {
	mu   sync.Mutex
	text strings.Builder
}

func (j *journal) Write(b []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(b)
}

func (j *journal) count(text string) int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return strings.Count(j.text.String(), text)
}

// open opens counters that wait as long as a slow machine needs.
func open(t testing.TB, o redis.Options) *redis.Counters {
	t.Helper()
	if o.Timeout == 0 {
		o.Timeout = 30 * time.Second
	}
	c, err := redis.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func perMinute(n int) ratelimit.Rate { return ratelimit.Rate{Limit: n, Per: time.Minute} }

// 1,000 parallel takes on two instances at limit N: exactly N pass, alone or together with
// another bucket.
func TestTwoInstancesAreExact(t *testing.T) {
	server := redistest.Start(t)
	instances := []*redis.Counters{open(t, redis.Options{URL: server.URL}), open(t, redis.Options{URL: server.URL})}
	rate := ratelimit.Rate{Limit: 120, Per: 24 * time.Hour} // refills one in 12 minutes
	var passed, spent atomic.Int64
	var wg sync.WaitGroup
	for i := range 1000 {
		wg.Go(func() {
			c := instances[i%2]
			if i%4 < 2 {
				if c.Take("ITEMS", "guest 192.0.2.7", 1, rate).Allowed {
					passed.Add(1)
				}
				return
			}
			if _, ok := c.TakeAll("guest 192.0.2.7", []ratelimit.Charge{{Bucket: "ITEMS", Cost: 1, Rate: rate}, {
				Bucket: "MAP",
				Cost:   2, Rate: ratelimit.Rate{Limit: 1000, Per: 24 * time.Hour},
			}}); ok {
				passed.Add(1)
				spent.Add(2)
			}
		})
	}
	wg.Wait()
	if passed.Load() != 120 {
		t.Errorf("%d passed, want 120", passed.Load())
	}
	// Charges that were rejected for ITEMS charged nothing to MAP.
	for _, c := range instances {
		left := c.Peek("guest 192.0.2.7", []ratelimit.Charge{
			{Bucket: "MAP", Rate: ratelimit.Rate{Limit: 1000, Per: 24 * time.Hour}},
		})[0].Remaining
		if left != 1000-int(spent.Load()) {
			t.Errorf("%d left in MAP after %d", left, spent.Load())
		}
	}
}

// Counters expire, so Redis stores only those in use; peeking creates none.
func TestKeysEnd(t *testing.T) {
	server := redistest.Start(t)
	c := open(t, redis.Options{URL: server.URL})
	c.Peek("guest 192.0.2.7", []ratelimit.Charge{
		{Bucket: "MAP", Rate: perMinute(50)}, {Bucket: "GUILD", Rate: perMinute(50)},
	})
	c.Take("PLAYER", "guest 192.0.2.7", 0, perMinute(50))
	c.Take("ITEMS", "guest 192.0.2.7", 50, perMinute(50))
	c.Take("ITEMS", "guest 192.0.2.8", 51, perMinute(50))
	c.Take("sign in", "both 192.0.2.7 {odd} name", 1, ratelimit.Rate{Limit: 10, Per: 15 * time.Minute})
	o, err := driver.ParseURL(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	client := driver.NewClient(o)
	defer func() { _ = client.Close() }()
	keys, err := client.Keys(t.Context(), "*").Result()
	if err != nil || len(keys) != 2 {
		t.Fatalf("keys are %q, %v", keys, err)
	}
	for _, key := range keys {
		left, err := client.PTTL(t.Context(), key).Result()
		if err != nil || left < 30*time.Second || left > 100*time.Second {
			t.Errorf("%s ends in %v, %v", key, left, err)
		}
	}
}

// While Redis does not respond the instance counts from its last state and logs that once. When Redis
// is back, empty, earlier charges still count.
func TestOutage(t *testing.T) {
	server := redistest.Start(t)
	log := &journal{}
	now := time.Date(2026, 3, 19, 12, 0, 0, 0, time.UTC)
	c := open(t, redis.Options{
		URL: server.URL, Retry: time.Millisecond, Now: func() time.Time { return now },
		Log: slog.New(slog.NewTextHandler(log, nil)),
	})
	other := open(t, redis.Options{URL: server.URL, Now: func() time.Time { return now }})
	other.Take("ITEMS", "token a", 20, perMinute(50))
	if d := c.Take("ITEMS", "token a", 10, perMinute(50)); d.Remaining != 20 {
		t.Fatalf("%+v", d)
	}
	if err := c.Check(); err != nil || !c.Shared() {
		t.Fatal(err, c.Shared())
	}
	server.Stop()
	for i := range 3 {
		if d := c.Take("ITEMS", "token a", 5, perMinute(50)); !d.Allowed || d.Remaining != 15-5*i || d.Bucket != "ITEMS" {
			t.Errorf("alone: %+v", d)
		}
	}
	if d, ok := c.TakeAll("token a", []ratelimit.Charge{
		{Bucket: "MAP", Cost: 1, Rate: perMinute(50)}, {Bucket: "ITEMS", Cost: 6, Rate: perMinute(50)},
	}); ok || d[0].Remaining != 50 || d[1].Remaining != 5 {
		t.Errorf("alone, all or nothing: %+v", d)
	}
	if got := c.Peek("token a", []ratelimit.Charge{{Bucket: "ITEMS", Rate: perMinute(50)}}); got[0].Remaining != 5 {
		t.Errorf("alone: %+v", got)
	}
	if err := c.Check(); !errors.Is(err, redis.ErrLost) || c.Shared() {
		t.Errorf("lost: %v, shared: %v", err, c.Shared())
	}
	if n := log.count("redis does not respond"); n != 1 {
		t.Errorf("logged %d outages", n)
	}
	server.Start()
	for deadline := time.Now().Add(3 * time.Minute); c.Check() != nil; {
		if time.Now().After(deadline) {
			t.Fatal("redis does not respond")
		}
	}
	if !c.Shared() {
		t.Error("redis responds, but counts are not shared")
	}
	if d := c.Take("ITEMS", "token a", 1, perMinute(50)); d.Remaining < 4 || d.Remaining > 30 {
		t.Errorf("earlier charges are forgotten: %+v", d)
	}
	if lost, back := log.count("redis does not respond"), log.count("redis responds again"); lost != 1 || back != 1 {
		t.Errorf("logged %d outages and %d recoveries", lost, back)
	}
}

// Check and the log report the error of Redis, without the password.
func TestCauseIsReported(t *testing.T) {
	url, _ := faultyServer(t, func(c net.Conn) { replyAll(c, "-WRONGPASS invalid username-password pair\r\n") })
	log := &journal{}
	c := open(t, redis.Options{
		URL: strings.Replace(url, "://", "://:secret@", 1), Log: slog.New(slog.NewTextHandler(log, nil)),
	})
	err := c.Check()
	if err == nil || !strings.Contains(err.Error(), "WRONGPASS") || strings.Contains(err.Error(), "secret") {
		t.Errorf("%v", err)
	}
	if log.count("WRONGPASS") != 1 || log.count("secret") > 0 {
		t.Errorf("logged %s", log.text.String())
	}
}
