package config

import (
	"runtime"
	"time"

	"gamedata/graph"
	"gamedata/internal/httpapi"
	"gamedata/internal/loadshed"
	"gamedata/internal/ratelimit"
	"gamedata/internal/ratelimit/redis"
)

// QueryLimits bound a request: the text of a GraphQL operation, the size of its response, the bytes of a body.
type QueryLimits struct {
	limits  graph.Limits
	MaxBody ByteSize
}

// add registers the settings. The lowest values leave enough for the service's own pages.
func (c *QueryLimits) add(s *Settings) {
	c.limits = graph.DefaultLimits()
	for _, q := range []struct {
		value     *int
		name      string
		low, high int
		usage     string
	}{
		{&c.limits.Tokens, "query-tokens", 300, 10_000, "tokens of a GraphQL document"},
		{&c.limits.Selections, "query-selections", 50, 2000, "selections in one selection set"},
		{&c.limits.Fields, "query-fields", 50, 10_000, "fields of an operation, counting fragments at every use"},
		{&c.limits.Depth, "query-depth", 8, 50, "nesting depth of fields"},
		{
			&c.limits.IntrospectionDepth, "query-introspection-depth", 8, 50,
			"nesting depth of fields under __schema and __type",
		},
		{&c.limits.Aliases, "query-aliases", 5, 1000, "aliased fields"},
		{&c.limits.Cost, "query-cost", 10_000, 100_000_000, "fields that a response may contain"},
		{&c.limits.UnitFields, "query-unit", 1, 100_000_000, "fields of a response that cost 1 in a bucket"},
		{&c.limits.ListSize, "query-list", 1, 1000, "estimated entries of a list of unknown length"},
	} {
		s.Int(q.value, q.name, *q.value, Range[int]{Low: q.low, High: q.high}, q.usage+", {range}")
	}
	s.Bytes(&c.MaxBody, "max-body", httpapi.DefaultMaxBody, Range[ByteSize]{Low: 1 << 10, High: 16 << 20},
		"largest request body, {range}")
}

// Limits gives the limits for a page size.
func (c *QueryLimits) Limits(pageSize int) graph.Limits {
	out := c.limits
	out.PageSize = pageSize
	return out
}

// Streams are the limits of open streams.
type Streams struct{ max, perCaller int }

func (c *Streams) add(s *Settings) {
	allowed := Range[int]{Low: 1, High: 1_000_000}
	s.Int(&c.max, "streams", httpapi.DefaultMaxStreams, allowed,
		"streams of events that an instance serves at once, {range}")
	s.Int(&c.perCaller, "streams-per-caller", httpapi.DefaultStreamsOfCaller, allowed,
		"streams of one caller, counted like rate limits, {range}")
}

// Options are the limits.
func (c *Streams) Options() httpapi.StreamOptions {
	return httpapi.StreamOptions{Max: c.max, PerCaller: c.perCaller}
}

// Feed are the settings of POST /feed.
type Feed struct {
	MaxBody   ByteSize
	Retention time.Duration
	rate      int
}

func (c *Feed) add(s *Settings) {
	s.Bytes(&c.MaxBody, "feed-max-body", 8<<20, Range[ByteSize]{Low: 64 << 10, High: 256 << 20},
		"largest body of POST /feed, uncompressed, {range}")
	s.Int(&c.rate, "feed-rate", 600, rateRange, "requests to POST /feed per minute and feed token, {range}")
	s.Duration(&c.Retention, "feed-retention", 24*time.Hour,
		Range[time.Duration]{Low: time.Minute, High: 720 * time.Hour},
		"how long events sent again to POST /feed are recognised by their ids, {range}")
}

// Rate is the limit of each feed token.
func (c *Feed) Rate() ratelimit.Rate { return perMinute(c.rate) }

// Redis holds the settings of the shared rate-limit counters.
type Redis struct {
	URL     Secret // empty: this instance counts alone
	Timeout time.Duration
}

func (c *Redis) add(s *Settings) {
	c.URL.add(s, "redis-url", "Redis that all instances share for rate limits, such as redis://localhost:6379/0; "+
		"when empty each instance counts alone")
	s.Duration(&c.Timeout, "redis-timeout", redis.DefaultTimeout,
		Range[time.Duration]{Low: 5 * time.Millisecond, High: 5 * time.Second},
		"time limit of a Redis command, {range}; after a timeout the instance counts alone for a while")
}

// The default numbers of concurrent operations per processor; see BenchmarkOverload. A cold operation computes for
// about a millisecond. On MongoDB it waits for the network in between; the embedded store computes on the same
// processors, so there more operations only delay each other, and the connections that wait to be rejected.
const (
	perProcessor         = 8
	perProcessorEmbedded = 3
)

// fullQueueWait is how long an operation waits when the queue does not empty; see BenchmarkOverload.
const fullQueueWait = 20 * time.Millisecond

// Capacity bounds what operations use together and each.
type Capacity struct {
	Concurrency int
	QueueWait   time.Duration
	MaxResponse ByteSize
}

func (c *Capacity) add(s *Settings) {
	s.Int(&c.Concurrency, "concurrency", 0, Range[int]{Low: 2, High: 100_000, OrZero: true},
		"operations to run at once, not counting cached responses; 0 means 8 per processor, 3 on the embedded store")
	s.Duration(&c.QueueWait, "queue-wait", 300*time.Millisecond,
		Range[time.Duration]{Low: time.Millisecond, High: time.Minute},
		"time an operation may wait to run before the service responds with 503; at most 20ms while the queue does not empty")
	s.Bytes(&c.MaxResponse, "max-response", httpapi.DefaultMaxBytes, Range[ByteSize]{Low: 1 << 20, High: 1 << 30},
		"largest response body, {range}")
}

// Loadshed is the limit on concurrent operations. The queue is long: a waiting operation holds only its request. An
// expensive operation computes for most of its time, so such operations get half of the processors and wait longer; see
// BenchmarkExpensiveCallers.
func (c *Capacity) Loadshed(embedded bool) loadshed.Options {
	each := perProcessor
	if embedded {
		each = perProcessorEmbedded
	}
	limit := c.Concurrency
	if limit == 0 {
		limit = each * runtime.GOMAXPROCS(0)
	}
	return loadshed.Options{
		MaxConcurrent: limit, MaxLow: max(1, limit/(2*each)), Queue: 16 * limit,
		Wait: c.QueueWait, WaitLow: 10 * c.QueueWait, WaitFull: min(c.QueueWait, fullQueueWait),
	}
}
