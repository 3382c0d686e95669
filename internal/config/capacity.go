package config

import (
	"runtime"
	"time"

	"github.com/spf13/pflag"

	"gamedata/internal/httpapi"
	"gamedata/internal/loadshed"
)

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

// Add registers the settings as flags.
func (c *Capacity) Add(flags *pflag.FlagSet) {
	flags.IntVar(&c.Concurrency, "concurrency", 0,
		"operations to run at once, not counting cached responses; 0 means 8 per processor, 3 on the embedded store")
	flags.DurationVar(&c.QueueWait, "queue-wait", 300*time.Millisecond,
		"time an operation may wait to run before the service responds with 503; at most 20ms while the queue does not empty")
	c.MaxResponse = httpapi.DefaultMaxBytes
	flags.Var(&c.MaxResponse, "max-response", "largest response body, 1MiB to 1GiB")
}

// Check validates the ranges.
func (c *Capacity) Check() error {
	switch {
	case c.Concurrency < 0 || c.Concurrency == 1 || c.Concurrency > 100_000:
		return Usagef("--concurrency must be 0, or 2 to 100000")
	case c.QueueWait < time.Millisecond || c.QueueWait > time.Minute:
		return Usagef("--queue-wait must be between 1ms and 1m")
	case c.MaxResponse < 1<<20 || c.MaxResponse > 1<<30:
		return Usagef("--max-response must be 1MiB to 1GiB")
	}
	return nil
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
