// Package httpapi holds what all endpoints of the service share over HTTP: the server and its middleware (recovery,
// client address, authentication, access log), rate limits and their headers, the response cache, content encoding,
// and error bodies. internal/graphqlhttp, rest and the pages of internal/web are built on it.
//
// It knows nothing of fields, the store or REST bodies: the package imports graph and graph/viewer, never resolvers,
// loaders, mongo or graph/model.
package httpapi

import (
	"cmp"
	"log/slog"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"gamedata/graph"
)

// Version is the version of the contract, the value of the Version header.
const Version = "v3.7.0"

// maxURI is the longest request target in bytes.
const maxURI = 8 << 10

// Defaults of Options.
const (
	DefaultMaxBody = 64 << 10 // bytes of a request body
	DefaultTimeout = 5 * time.Second
)

// Options configure an API. RateLimit.Counters is required; everything else has a default.
type Options struct {
	RateLimit RateLimitOptions
	Cache     CacheOptions
	Streams   StreamOptions

	// Authenticator checks credentials; without one every credential is invalid.
	Authenticator Authenticator
	// TrustedProxies are the peers whose X-Forwarded-For is trusted, none by default.
	TrustedProxies []netip.Prefix
	// OnDone is called after every request, before its connection is used again; may be nil.
	OnDone func(*RequestInfo)

	Log *slog.Logger
	Now func() time.Time
}

// API holds what all endpoints share. It is safe for concurrent use.
type API struct {
	Errors  *ErrorWriter
	Limits  *RateLimiter
	Cache   *ResponseCache
	Streams *Streams
	Backlog *Backlog

	o Options
}

// New returns an API with the defaults filled in.
func New(o Options) *API {
	o.Log = cmp.Or(o.Log, slog.Default())
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.OnDone == nil {
		o.OnDone = func(*RequestInfo) {}
	}
	a := &API{o: o, Errors: &ErrorWriter{log: o.Log}}
	a.Limits = newRateLimiter(o.RateLimit, a.Errors)
	a.Streams = newStreams(o.Streams, a.Limits)
	a.Backlog = &Backlog{limiter: a.Limits, all: waiting{bodies: map[*byte]int{}}, callers: map[string]*waiting{}}
	a.Cache = newResponseCache(o.Cache, a)
	return a
}

// Middleware wraps the handler of an endpoint. In order it sets the headers of every response and puts the RequestInfo
// into the context, reports the finished request to OnDone, recovers panics, resolves the client address, authenticates
// the caller, and rejects long URIs.
func (a *API) Middleware(next http.Handler) http.Handler {
	return a.withRequestInfo(a.observation(a.recovery(a.clientAddress(a.authentication(a.limitURI(next))))))
}

// NotFound writes the 404 of an unknown path.
func (a *API) NotFound(w http.ResponseWriter, r *http.Request) { a.Reject(w, r, graph.ErrNotFound) }

// MethodNotAllowed writes the 405 of a known path. allow lists its methods, comma separated.
func (a *API) MethodNotAllowed(w http.ResponseWriter, r *http.Request, allow string) {
	w.Header().Set("Allow", allow)
	a.Reject(w, r, graph.ErrMethodNotAllowed)
}

// AllowsMethod reports whether a request has one of the methods in allow. Otherwise it has responded: to OPTIONS with
// the allowed methods, to other methods with 405.
func (a *API) AllowsMethod(w http.ResponseWriter, r *http.Request, bucket, allow string) bool {
	switch {
	case !slices.Contains(strings.Split(allow, ", "), r.Method):
		a.MethodNotAllowed(w, r, allow)
	case r.Method == http.MethodOptions:
		a.WriteOptions(w, r, bucket, allow)
	default:
		return true
	}
	return false
}

// Reject writes an error for a request that reaches no endpoint and charges it to the bucket SHARED. Path and method
// are checked before credentials, so it ignores credentials.
func (a *API) Reject(w http.ResponseWriter, r *http.Request, err *graph.Error) {
	d := a.Limits.Charge(r.Context(), Shared, 1)
	if !d.Allowed {
		a.Limits.TooManyRequests(w, r, d)
		return
	}
	SetRateHeaders(w, r, d)
	a.Errors.Write(w, r, err)
}

// limitURI rejects requests whose target is too long.
func (a *API) limitURI(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(r.RequestURI) > maxURI {
			a.Reject(w, r, graph.ErrURITooLong)
			return
		}
		next.ServeHTTP(w, r)
	})
}
