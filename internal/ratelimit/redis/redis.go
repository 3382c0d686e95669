// Package redis keeps rate-limit counters in Redis, where several instances of the service
// share them (WIRE §1.2). Each decision is one script, so it is exact however many instances
// ask at once; its numbers are those that a counter in the process would give.
//
// Redis is a help, not a need: when it does not answer, the instance counts by itself, from
// what it last heard, and goes back as soon as it can.
package redis

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"log/slog"
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
	// URL says where Redis is: redis://[user:password@]host:port/database, rediss:// with TLS,
	// unix:// with the path of a socket.
	URL string
	// Timeout bounds one decision, waiting for a connection included; DefaultTimeout when 0.
	Timeout time.Duration
	// Retry is how long nothing is asked after Redis was lost; DefaultRetry when 0.
	Retry time.Duration
	// Now takes the place of the clock of Redis and of that of the counters at hand.
	Now func() time.Time
	// Log tells when Redis is lost and when it is back; slog.Default() when nil.
	Log *slog.Logger
}

// ErrURL refuses Options.URL. It does not repeat it, since it may hold a password.
var ErrURL = errors.New("want an address such as redis://host:6379/0")

// ErrLost says that Redis does not answer and this instance counts alone.
var ErrLost = errors.New("redis does not answer: rate limits are counted by this instance alone")

// Counters are shared by all instances with the same Redis. They are safe for concurrent use.
type Counters struct {
	client  *driver.Client
	script  *driver.Script
	breaker *gobreaker.CircuitBreaker[[]time.Duration]
	timeout time.Duration
	now     func() time.Time // nil for the clock of Redis
	// near holds what Redis was last heard to say: what to count from when it is lost, and
	// what it may have forgotten when it is back.
	near *ratelimit.Limiter
}

var _ ratelimit.Counters = (*Counters)(nil)

// silent hears the driver's own talk about its connections: that Redis is lost is said once.
type silent struct{}

func (silent) Printf(context.Context, string, ...any) {}

func init() { driver.SetLogger(silent{}) }

// Open returns the counters of a Redis. It need not answer yet.
func Open(o Options) (*Counters, error) {
	options, err := driver.ParseURL(o.URL)
	if err != nil {
		return nil, ErrURL
	}
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
	}
	if o.Retry <= 0 {
		o.Retry = DefaultRetry
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	options.DialTimeout, options.ReadTimeout, options.WriteTimeout, options.PoolTimeout = o.Timeout, o.Timeout, o.Timeout,
		o.Timeout
	options.ContextTimeoutEnabled = true
	// What may have been counted is not counted again, and no request waits twice.
	options.MaxRetries, options.DialerRetries = -1, 1
	options.ReadBufferSize, options.WriteBufferSize = 4<<10, 4<<10
	options.PoolSize = 32
	options.DisableIdentity = true
	options.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	c := &Counters{
		client: driver.NewClient(options), script: driver.NewScript(takeScript),
		timeout: o.Timeout, now: o.Now, near: ratelimit.New(ratelimit.Options{Now: o.Now}),
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
				o.Log.Warn("redis is lost: rate limits are counted by this instance alone", "error", cause.Load())
			case to == gobreaker.StateClosed:
				o.Log.Info("redis is back: rate limits are shared again")
			}
		},
	})
	return c, nil
}

// Check asks Redis whether it is there; ErrLost, with the cause, when it is not. It waits no longer than a
// decision does.
func (c *Counters) Check() error {
	_, err := c.breaker.Execute(func() ([]time.Duration, error) {
		ctx, cancel := context.WithTimeout(context.Background(), c.timeout)
		defer cancel()
		return nil, c.client.Ping(ctx).Err()
	})
	if err != nil {
		return fmt.Errorf("%w: %w", ErrLost, err)
	}
	return nil
}

// Shared tells whether Redis was there when it was last asked; else this instance counts alone.
func (c *Counters) Shared() bool { return c.breaker.State() == gobreaker.StateClosed }

// Close ends the connections.
func (c *Counters) Close() error { return c.client.Close() }

// forgiven is what Redis may owe less than was heard before it counts as forgotten. It is more
// than any answer takes, so an answer that was long under way changes nothing.
const forgiven = time.Second

// owed tells how much each counter owed before the charges, which are spent if all pass.
func (c *Counters) owed(key string, charges []ratelimit.Charge, spend bool) ([]time.Duration, error) {
	return c.breaker.Execute(func() ([]time.Duration, error) {
		now := ""
		if c.now != nil {
			now = strconv.FormatInt(c.now().UnixMicro(), 10)
		}
		keys := make([]string, len(charges))
		args := make([]any, 2, 2+3*len(charges))
		args[0], args[1] = now, spend
		heard := c.near.Owed(key, charges)
		for i, charge := range charges {
			// The braces keep the counters of one caller together in a cluster.
			keys[i] = "gamedata:limit:{" + key + "}:" + charge.Bucket
			price, window := charge.Terms()
			args = append(args, price.Microseconds(), window.Microseconds(), max(0, heard[i]-forgiven-c.timeout).Microseconds())
		}
		ctx, cancel := context.WithTimeout(context.Background(), c.timeout)
		defer cancel()
		answer, err := c.script.Run(ctx, c.client, keys, args...).Int64Slice()
		if err != nil {
			return nil, err
		}
		if len(answer) != len(charges) {
			return nil, fmt.Errorf("redis told %d counters of %d", len(answer), len(charges))
		}
		owed := make([]time.Duration, len(answer))
		for i, n := range answer {
			owed[i] = time.Duration(n) * time.Microsecond
		}
		return owed, nil
	})
}
