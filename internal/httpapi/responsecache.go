package httpapi

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"gamedata/graph"
	"gamedata/graph/viewer"
	"gamedata/internal/cache"
	"gamedata/internal/loadshed"
)

// How long after its max age a response may be served while the store fails. Live data changes within a minute: the
// territories.
const (
	staleShared = 24 * time.Hour
	staleUser   = 10 * time.Minute
	staleLive   = 5 * time.Minute
)

// DefaultMaxBytes limits a response body to several times the largest documented one.
const DefaultMaxBytes = 16 << 20

// Under overload, operations that cost more than lookupCost have middle priority, and more than expensiveCost low
// priority.
const (
	lookupCost    = 1
	expensiveCost = 10
)

// CacheOptions configure a ResponseCache.
type CacheOptions struct {
	// Responses stores finished responses of all APIs; nil caches nothing. Its timeout
	// bounds runs that several requests share.
	Responses *cache.Cache[Response]
	// Limiter limits concurrent operations, not cached responses; nil means no limit.
	Limiter  *loadshed.Limiter
	MaxBytes int           // of one response body, DefaultMaxBytes when 0
	Timeout  time.Duration // of one operation, DefaultTimeout when 0
}

// ResponseCache serves cached responses and runs operations.
type ResponseCache struct {
	o   CacheOptions
	api *API
}

func newResponseCache(o CacheOptions, a *API) *ResponseCache {
	if o.MaxBytes <= 0 {
		o.MaxBytes = DefaultMaxBytes
	}
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
	}
	return &ResponseCache{o, a}
}

// CacheRequest holds everything that a response depends on, except the viewer.
type CacheRequest struct {
	// Key names the operation and its variables: no two requests with different responses share one.
	Key string
	// MaxAge and Scope are the policy of the operation. With a MaxAge of 0 nothing is cached.
	MaxAge time.Duration
	Scope  graph.Scope
	// ByAddress says that the response depends on the client's address.
	ByAddress bool
	// Source is the API of the request: SourceREST or SourceGraphQL.
	Source string
	// Cost is the charge of the operation; expensive requests are rejected first.
	Cost int
	// ErrorResponse formats an error; the documented REST body when nil.
	ErrorResponse func(*graph.Error) Response
	// Charge charges the caller once it is known whether the response is cached; nil if the caller was charged already.
	Charge func(cached bool) *graph.Error
}

// viewer returns the viewer to build a response for, and their visibility class. A SHARED response is built for a
// guest; the address is removed unless the response depends on it.
func (q CacheRequest) viewer(v viewer.Viewer) (viewer.Viewer, string) {
	guest := viewer.Viewer{Kind: viewer.Guest}
	if q.ByAddress {
		guest.Address, guest.CrossSite = v.Address, v.CrossSite
	}
	if q.Scope == graph.Shared {
		return guest, ""
	}
	v.Address, v.CrossSite = guest.Address, guest.CrossSite
	class := v.Class()
	if q.MaxAge > 0 && class == guest.Class() {
		return guest, class
	}
	return v, class
}

// key returns the cache key for a class of viewers.
func (q CacheRequest) key(v viewer.Viewer, class string) string {
	key := cache.AppendString(make([]byte, 0, 256), class)
	if q.ByAddress {
		key = cache.AppendString(key, v.Address.String())
		key = strconv.AppendBool(key, v.CrossSite)
	}
	return string(append(key, q.Key...))
}

// entry returns a response as the cache stores it.
func (q CacheRequest) entry(resp Response) cache.Entry[Response] {
	e := cache.Entry[Response]{
		Made: resp.Made, Tags: resp.Tags,
		Failing: !resp.overloaded && (resp.Failing || resp.Status == http.StatusServiceUnavailable),
	}
	switch resp.Status {
	case http.StatusNotFound:
		e.MaxAge = min(q.MaxAge, graph.NotFoundAge) // the only cached error
		if !resp.Missing.IsZero() {
			e.Made = resp.Missing
		}
	case http.StatusOK, 0:
		e.MaxAge, e.Stale = resp.MaxAge, staleUser
		switch {
		case q.Scope != graph.Shared:
		case q.MaxAge < time.Minute:
			e.Stale = staleLive
		default:
			e.Stale = staleShared
		}
	}
	if e.MaxAge > 0 && !e.Failing {
		resp = resp.Precompute()
	}
	e.Value, e.Size = resp, resp.Size()
	return e
}

// Serve writes the cached response, or runs the operation once for all concurrent callers. The context of run carries
// the viewer as far as the response may depend on it. It ends after the timeout, not when a caller disconnects.
//
// A stale response, if cached, replaces a response with status 503 or marked as Failing.
func (c *ResponseCache) Serve(w http.ResponseWriter, r *http.Request, q CacheRequest, run Run) {
	s := stateFrom(r.Context())
	v, class := q.viewer(ViewerFrom(s))
	if c.o.Responses == nil || q.MaxAge <= 0 {
		if !c.charge(w, r, q, false) {
			return
		}
		ctx, cancel := context.WithTimeout(viewer.With(s, v), c.o.Timeout)
		defer cancel()
		WriteResponse(w, r, c.run(ctx, q, run))
		return
	}
	key := q.key(v, class)
	cached := c.o.Responses.Get(key)
	if !c.charge(w, r, q, cached != nil) {
		return
	}
	if cached != nil {
		c.writeHit(w, r, key, cached.Value)
		return
	}
	own := false
	e, hit, err := c.o.Responses.GetOrLoad(viewer.With(s, v), key, func(ctx context.Context) cache.Entry[Response] {
		own = true
		resp := c.run(ctx, q, run)
		resp.Source = cmp.Or(resp.Source, q.Source)
		return q.entry(resp)
	})
	var failure *cache.PanicError
	switch {
	case errors.As(err, &failure):
		c.api.o.Log.Error("operation panicked", "error", failure.Value, "path", r.URL.Path, "stack", string(failure.Stack))
		c.writeError(w, r, q, graph.ErrInternal)
	case err != nil: // the service shuts down
		c.writeError(w, r, q, graph.ErrUnavailable)
	case hit:
		c.writeHit(w, r, key, e.Value)
	default:
		resp := e.Value
		resp.lookedUp, resp.collapsed = true, !own
		c.writeCached(w, r, key, resp)
	}
}

// charge charges the caller of a request. If it returns false, it has written the error.
func (c *ResponseCache) charge(w http.ResponseWriter, r *http.Request, q CacheRequest, cached bool) bool {
	if q.Charge == nil {
		return true
	}
	bad := q.Charge(cached)
	if bad != nil {
		c.writeError(w, r, q, bad)
	}
	return bad == nil
}

// writeHit writes a cached response.
func (c *ResponseCache) writeHit(w http.ResponseWriter, r *http.Request, key string, resp Response) {
	resp.Hit, resp.lookedUp = true, true
	c.writeCached(w, r, key, resp)
}

// writeCached writes a response and reports its size to the cache when new encodings made it larger.
func (c *ResponseCache) writeCached(w http.ResponseWriter, r *http.Request, key string, resp Response) {
	WriteResponse(w, r, resp)
	if resp.takeSizeChange() {
		c.o.Responses.Resize(key, resp.Size())
	}
}

// run runs an operation within the limits of concurrency and size. The response is at least as old as the start of the
// run. A run rejected under overload does not replace a cached response, because the store works.
func (c *ResponseCache) run(ctx context.Context, q CacheRequest, run Run) Response {
	start := c.api.o.Now()
	resp := c.limited(ctx, q, run)
	if resp.Made.IsZero() || start.Before(resp.Made) {
		resp.Made = start
	}
	return resp
}

func (c *ResponseCache) limited(ctx context.Context, q CacheRequest, run Run) Response {
	priority := loadshed.PriorityNormal
	switch {
	case q.Cost > expensiveCost:
		priority = loadshed.PriorityLow
	case q.Cost > lookupCost:
		priority = loadshed.PriorityMiddle
	}
	release, err := c.o.Limiter.Acquire(ctx, priority)
	if err != nil {
		resp := c.errorResponse(q, graph.ErrUnavailable)
		resp.overloaded = errors.Is(err, loadshed.ErrOverloaded)
		return resp
	}
	defer release()
	resp := run(ctx)
	if size := len(resp.Body); size > c.o.MaxBytes {
		return c.errorResponse(q, graph.Errorf(graph.LimitExceeded,
			"The response has %d bytes, at most %d are allowed: request less at once.", size, c.o.MaxBytes))
	}
	return resp
}

func (c *ResponseCache) errorResponse(q CacheRequest, e *graph.Error) Response {
	if q.ErrorResponse != nil {
		return q.ErrorResponse(e)
	}
	return c.api.Errors.Response(e)
}

func (c *ResponseCache) writeError(w http.ResponseWriter, r *http.Request, q CacheRequest, e *graph.Error) {
	resp := c.errorResponse(q, e)
	resp.write(w, r)
}
