package load

import (
	"container/heap"
	"net/http"
	"net/netip"
	"strconv"
	"sync"
	"time"
)

// callers are the clients of a class. With more than one, each has another address.
type callers struct {
	mu   sync.Mutex
	free callerHeap // by the time from which they may send
	now  func() time.Time
}

// caller is a client. One that honours limits has one request at a time, others are shared.
type caller struct {
	address string    // for X-Forwarded-For; empty: that of the connection
	ready   time.Time // may send from then on
}

// firstAddress begins the range for benchmarks of RFC 2544, 198.18.0.0/15: no host of the internet has one of them.
var firstAddress = netip.AddrFrom4([4]byte{198, 18, 0, 0})

// MaxCallers bounds the callers of a class, so that all classes find addresses in the range.
const MaxCallers = 5000

// newCallers returns n callers, the first of all classes being number first.
func newCallers(n, first int, now func() time.Time) *callers {
	c := &callers{free: make(callerHeap, n), now: now}
	for i := range n {
		c.free[i] = &caller{}
		if n > 1 {
			c.free[i].address = addressOf(first + i)
		}
	}
	return c
}

// addressOf returns address number n of the range.
func addressOf(n int) string {
	b := firstAddress.As4()
	b[1] += byte(n >> 16)
	b[2], b[3] = byte(n>>8), byte(n)
	return netip.AddrFrom4(b).String()
}

// take returns the caller that has waited longest; nil if all wait for a response or for quota.
func (c *callers) take() *caller {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.free) == 0 || c.free[0].ready.After(c.now()) {
		return nil
	}
	return heap.Pop(&c.free).(*caller)
}

// put returns a caller that may send again after a wait.
func (c *callers) put(one *caller, wait time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	one.ready = c.now().Add(wait)
	heap.Push(&c.free, one)
}

// wait returns how long a caller waits after a response: with 429 as long as Retry-After says, and for one request's
// worth of quota when none is left.
func wait(status int, h http.Header) time.Duration {
	if status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable {
		if n, err := strconv.Atoi(h.Get("Retry-After")); err == nil && n > 0 {
			return time.Duration(n) * time.Second
		}
		return time.Second
	}
	limit, err := strconv.Atoi(h.Get("RateLimit-Limit"))
	if err == nil && limit > 0 && h.Get("RateLimit-Remaining") == "0" {
		return time.Minute / time.Duration(limit)
	}
	return 0
}

// callerHeap has the caller that may send first at index 0.
type callerHeap []*caller

var _ heap.Interface = (*callerHeap)(nil)

func (h callerHeap) Len() int           { return len(h) }
func (h callerHeap) Less(i, j int) bool { return h[i].ready.Before(h[j].ready) }
func (h callerHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }

// Push adds a caller.
func (h *callerHeap) Push(x any) { *h = append(*h, x.(*caller)) }

// Pop removes the last caller.
func (h *callerHeap) Pop() any {
	old := *h
	last := old[len(old)-1]
	*h = old[:len(old)-1]
	return last
}
