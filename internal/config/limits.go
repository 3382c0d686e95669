package config

import (
	"runtime"
	"time"

	"gamedata/internal/loadshed"
)

// The default numbers of concurrent operations per processor; see BenchmarkOverload. A cold operation computes for
// about a millisecond. On MongoDB it also waits for the network. The embedded store computes on the same processors:
// there more operations only delay each other, and connections waiting to be rejected.
const (
	perProcessor         = 8
	perProcessorEmbedded = 3
)

// fullQueueWait is how long an operation waits when the queue does not empty; see BenchmarkOverload.
const fullQueueWait = 20 * time.Millisecond

// Capacity limits concurrent operations.
type Capacity struct {
	Concurrency int
	QueueWait   time.Duration
}

func (c *Capacity) add(s *Settings) {
	s.Int(&c.Concurrency, "concurrency", 0, Range[int]{Low: 2, High: 100_000, OrZero: true},
		"operations to run at once, not counting cached responses; 0 means 8 per processor, 3 on the embedded store")
	s.Duration(&c.QueueWait, "queue-wait", 300*time.Millisecond,
		Range[time.Duration]{Low: time.Millisecond, High: time.Minute},
		"time an operation may wait to run before the service responds with 503; at most 20ms while the queue does not empty")
}

// Loadshed returns the limits on concurrent operations. The queue is long: a waiting operation holds only its request.
// Lists leave half of the capacity to lookups. Expensive operations mostly compute: they get half of the processors and
// wait longer.
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
		MaxConcurrent: limit, MaxMiddle: max(1, limit/2), MaxLow: max(1, limit/(2*each)), Queue: 16 * limit,
		Wait: c.QueueWait, WaitLow: 10 * c.QueueWait, WaitFull: min(c.QueueWait, fullQueueWait),
	}
}
