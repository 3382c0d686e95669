package httpapi

import (
	"net/http"
	"strconv"
	"time"
)

// The header Server-Timing tells a browser's developer tools where the time went: total and
// store in milliseconds, and what the cache had. The store's commands may run at once, so
// their sum can exceed the total.

// serverTiming is the name of the header.
const serverTiming = "Server-Timing"

// quick is how long, in steps, an answer that was kept takes at most for its header to be one
// of those that are written beforehand.
const (
	quick = 256
	step  = 10 * time.Microsecond
)

var quickTimings = func() (out [quick][]string) {
	for i := range out {
		out[i] = []string{"total;dur=" + millis(time.Duration(i)*step) + ", cache;desc=hit"}
	}
	return out
}()

// time sets the header.
func (p *reply) time(h http.Header) {
	took := p.door.o.Now().Sub(p.start)
	if p.cached == CacheHit && took >= 0 && took < quick*step {
		h[serverTiming] = quickTimings[took/step]
		return
	}
	text := "total;dur=" + millis(took)
	if p.cached != "" {
		text += ", cache;desc=" + p.cached
	}
	if p.store > 0 {
		text += ", store;dur=" + millis(p.store)
	}
	h[serverTiming] = []string{text}
}

// millis is a duration in milliseconds, exact to 10 µs.
func millis(d time.Duration) string {
	return strconv.FormatFloat(float64(max(0, d).Round(step))/float64(time.Millisecond), 'f', -1, 64)
}

// note remembers of an answer what is told of its request.
func (p *reply) note(a *Answer, stale bool) {
	if !a.Hit {
		p.store = a.Store
	}
	switch {
	case a.MaxAge <= 0:
	case stale:
		p.cached = CacheStale
	case a.Hit:
		p.cached = CacheHit
	default:
		p.cached = CacheMiss
	}
}

// observe tells what a request came to.
func (d *Door) observe(p *reply) {
	if d.o.Observe != nil {
		d.o.Observe(p.observed(d.o.Now().Sub(p.start)))
	}
}
