// Package redis stores rate-limit counters in Redis, where several instances of the service share them. Each decision
// is one script and therefore exact for any number of instances. It counts like an in-process counter.
//
// Redis is optional: while it does not respond, each instance counts by itself from the last known state.
package redis

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	driver "github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
	"github.com/sony/gobreaker/v2"

	"gamedata/internal/ratelimit"
)

//go:embed take.lua
var takeScript string

// Defaults of Options.
const (
	DefaultTimeout = 100 * time.Millisecond
	DefaultRetry   = time.Second
)

// Options of Counters. URL is required.
type Options struct {
	// URL of Redis: redis://[user:password@]host:port/database, rediss:// with TLS, unix:// with the path of a socket.
	// Several addresses separated by commas are nodes of a cluster; ?cluster=true marks a single address as one. With
	// ?master=NAME the addresses are Sentinels, which look up the server of that name; ?sentinel_password= is their
	// password. ?read_timeout=500ms replaces Timeout.
	URL string
	// Timeout bounds one decision, including the wait for a connection; DefaultTimeout when 0.
	Timeout time.Duration
	// Retry is the time between attempts while Redis does not respond; DefaultRetry when 0.
	Retry time.Duration
	// Now replaces the clock of Redis and of the local counters, for tests.
	Now func() time.Time
	// Log reports when Redis stops and starts responding; slog.Default() when nil.
	Log *slog.Logger
}

// ErrURL rejects Options.URL. It omits the URL, which may contain a password.
var ErrURL = errors.New("want an address such as redis://host:6379/0")

// ErrLost means that Redis does not respond and this instance counts by itself.
var ErrLost = errors.New("redis does not respond: this instance counts rate limits by itself")

// Counters shares its counts with all instances on the same Redis. It is safe for concurrent use.
type Counters struct {
	// Functions, not a client: packages that import this one would compile the 1,200 methods of its types again.
	run     func(ctx context.Context, keys []string, args ...any) ([]int64, error)
	ping    func(context.Context) error
	close   func() error
	breaker *gobreaker.CircuitBreaker[[]time.Duration]
	timeout time.Duration
	now     func() time.Time // nil for the clock of Redis
	// local is the last known state of Redis: this instance counts from it during an outage and restores it afterwards.
	local *ratelimit.Limiter
}

var _ ratelimit.Counters = (*Counters)(nil)

// silent drops the driver's own log messages about connections: Counters logs an outage once.
type silent struct{}

func (silent) Printf(context.Context, string, ...any) {}

func init() { driver.SetLogger(silent{}) }

// Open returns Counters on a Redis, which need not respond yet.
func Open(o Options) (*Counters, error) {
	options, err := parseURL(o.URL)
	if err != nil {
		return nil, err
	}
	o.Timeout = cmp.Or(max(0, options.ReadTimeout), max(0, o.Timeout), DefaultTimeout)
	if o.Retry <= 0 {
		o.Retry = DefaultRetry
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	options.DialTimeout, options.PoolTimeout = o.Timeout, o.Timeout
	options.ReadTimeout, options.WriteTimeout = o.Timeout, o.Timeout
	options.ContextTimeoutEnabled = true
	// No retries: a charge might be counted twice, and a request would wait twice.
	options.MaxRetries, options.DialerRetries = -1, 1
	// A cluster may redirect once. After a broken connection the driver sends the script once more, which may count a
	// charge twice.
	options.MaxRedirects = 1
	options.ReadBufferSize, options.WriteBufferSize = 4<<10, 4<<10
	options.PoolSize = 32
	options.DisableIdentity = true
	options.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	client, script := driver.NewUniversalClient(options), driver.NewScript(takeScript)
	c := &Counters{
		run: func(ctx context.Context, keys []string, args ...any) ([]int64, error) {
			return script.Run(ctx, client, keys, args...).Int64Slice()
		},
		ping:  func(ctx context.Context) error { return client.Ping(ctx).Err() },
		close: client.Close, timeout: o.Timeout, now: o.Now, local: ratelimit.New(ratelimit.Options{Now: o.Now}),
	}
	var cause atomic.Value // the text of the last failure
	c.breaker = gobreaker.NewCircuitBreaker[[]time.Duration](gobreaker.Settings{
		Timeout:     o.Retry,
		ReadyToTrip: func(n gobreaker.Counts) bool { return n.ConsecutiveFailures > 0 },
		IsSuccessful: func(err error) bool {
			if err != nil {
				cause.Store(err.Error())
			}
			return err == nil
		},
		OnStateChange: func(_ string, from, to gobreaker.State) {
			switch {
			case from == gobreaker.StateClosed:
				o.Log.Warn("redis does not respond: counting rate limits by this instance", "error", cause.Load())
			case to == gobreaker.StateClosed:
				o.Log.Info("redis responds again: sharing rate limits")
			}
		},
	})
	return c, nil
}

// Check pings Redis within Timeout. It returns ErrLost, with the cause, if Redis does not respond.
func (c *Counters) Check() error {
	_, err := c.breaker.Execute(func() ([]time.Duration, error) {
		ctx, cancel := context.WithTimeout(context.Background(), c.timeout)
		defer cancel()
		return nil, c.ping(ctx)
	})
	if err != nil {
		return fmt.Errorf("%w: %w", ErrLost, err)
	}
	return nil
}

// Shared reports whether Redis responded to the last command.
func (c *Counters) Shared() bool { return c.breaker.State() == gobreaker.StateClosed }

// Close closes the connections.
func (c *Counters) Close() error { return c.close() }

// Take implements ratelimit.Counters.
func (c *Counters) Take(bucket, key string, cost int, r ratelimit.Rate) ratelimit.Decision {
	decisions, _ := c.TakeAll(key, []ratelimit.Charge{{Bucket: bucket, Cost: cost, Rate: r}})
	return decisions[0]
}

// TakeAll implements ratelimit.Counters.
func (c *Counters) TakeAll(key string, charges []ratelimit.Charge) (decisions []ratelimit.Decision, allowed bool) {
	if len(charges) == 0 {
		return nil, true
	}
	owed, err := c.owed(key, charges, true)
	if err != nil {
		return c.local.TakeAll(key, charges)
	}
	decisions, after := judge(charges, owed, false)
	allowed = !slices.ContainsFunc(decisions, func(d ratelimit.Decision) bool { return !d.Allowed })
	if allowed {
		decisions, after = judge(charges, owed, true)
	}
	c.local.Learn(key, charges, after)
	return decisions, allowed
}

// Peek implements ratelimit.Counters.
func (c *Counters) Peek(key string, charges []ratelimit.Charge) []ratelimit.Decision {
	if len(charges) == 0 {
		return nil
	}
	owed, err := c.owed(key, charges, false)
	if err != nil {
		return c.local.Peek(key, charges)
	}
	ones := slices.Clone(charges)
	for i := range ones {
		ones[i].Cost = 1
	}
	decisions, after := judge(ones, owed, false)
	c.local.Learn(key, charges, after)
	return decisions
}

// judge repeats the script's decision from the counters' debts before it.
func judge(charges []ratelimit.Charge, owed []time.Duration, spend bool) ([]ratelimit.Decision, []time.Duration) {
	decisions := make([]ratelimit.Decision, len(charges))
	after := make([]time.Duration, len(charges))
	for i, c := range charges {
		after[i], decisions[i] = c.Judge(owed[i], spend)
	}
	return decisions, after
}

// tolerance is how far Redis may fall below the local state before that counts as data loss. It exceeds the time of any
// response: a slow response is not mistaken for loss.
const tolerance = time.Second

// owed returns the debt of each counter before the charges. It applies the charges if all pass and spend is set.
func (c *Counters) owed(key string, charges []ratelimit.Charge, spend bool) ([]time.Duration, error) {
	return c.breaker.Execute(func() ([]time.Duration, error) {
		now := ""
		if c.now != nil {
			now = strconv.FormatInt(c.now().UnixMicro(), 10)
		}
		keys := make([]string, len(charges))
		args := make([]any, 2, 2+3*len(charges))
		args[0], args[1] = now, spend
		known := c.local.Owed(key, charges)
		for i, charge := range charges {
			// In a cluster the braces put all counters of a caller on one node.
			keys[i] = "gamedata:limit:{" + key + "}:" + charge.Bucket
			price, window := charge.Terms()
			args = append(args, price.Microseconds(), window.Microseconds(), max(0, known[i]-tolerance-c.timeout).Microseconds())
		}
		ctx, cancel := context.WithTimeout(context.Background(), c.timeout)
		defer cancel()
		reply, err := c.run(ctx, keys, args...)
		if err != nil {
			return nil, err
		}
		if len(reply) != len(charges) {
			return nil, fmt.Errorf("redis returned %d of %d counters", len(reply), len(charges))
		}
		owed := make([]time.Duration, len(reply))
		for i, n := range reply {
			owed[i] = time.Duration(n) * time.Microsecond
		}
		return owed, nil
	})
}
