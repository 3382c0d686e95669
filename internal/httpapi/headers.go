package httpapi

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"gamedata/graph"
)

// vary lists the request headers that every response depends on.
const vary = "Authorization, Cookie, Origin, Accept-Encoding"

// staticHeaders lists the headers that all responses have in common. Responses share the values.
var staticHeaders = []struct {
	name  string
	value []string
}{
	{"Content-Type", []string{"application/json"}},
	{"Version", []string{Version}},
	{"Vary", []string{vary}},
	{"X-Content-Type-Options", []string{"nosniff"}},
	{"Access-Control-Allow-Origin", []string{"*"}},
}

var exposedHeaders = []string{"RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, RateLimit-Bucket, " +
	"Retry-After, Version, Expires, Age, ETag, territorylasttick, Link"}

func setStaticHeaders(h http.Header, r *http.Request) {
	for _, s := range staticHeaders {
		h[s.name] = s.value
	}
	if len(r.Header["Origin"]) > 0 {
		h["Access-Control-Expose-Headers"] = exposedHeaders
	}
}

// AnyFrame ends the Content-Security-Policy of pages that other sites may embed in a frame.
const AnyFrame = "frame-ancestors *"

// SetHTMLHeaders sets the security headers of HTML pages. API.Middleware does so for its responses.
func SetHTMLHeaders(h http.Header) {
	if !strings.HasSuffix(h.Get("Content-Security-Policy"), AnyFrame) {
		h.Set("X-Frame-Options", "DENY")
	}
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
}

// NoCORS removes the CORS headers: pages of other sites must not read responses that depend on the client's address,
// nor our pages. Call it before writing anything, also for OPTIONS.
func NoCORS(h http.Header) {
	h.Del("Access-Control-Allow-Origin")
	h.Del("Access-Control-Expose-Headers")
}

// allowedHeaders are the request headers that pages of other sites may send to every endpoint.
const allowedHeaders = "Authorization, Content-Type, If-None-Match"

// AllowHeaders lets pages of other sites send further headers to an endpoint, comma separated.
func AllowHeaders(w http.ResponseWriter, r *http.Request, names string) {
	if r.Method == http.MethodOptions {
		w.Header().Set("Access-Control-Allow-Headers", allowedHeaders+", "+names)
	}
}

// WriteOptions writes the 204 of an OPTIONS request, preflight or not, at no cost. allow lists the methods, comma
// separated; the rate-limit headers describe bucket. A handler that reads further headers sets
// Access-Control-Allow-Headers first.
func (a *API) WriteOptions(w http.ResponseWriter, r *http.Request, bucket, allow string) {
	s, h := stateFrom(r.Context()), w.Header()
	h.Set("Allow", allow)
	if h.Get("Access-Control-Allow-Origin") != "" {
		h.Set("Access-Control-Allow-Methods", allow)
		if h.Get("Access-Control-Allow-Headers") == "" {
			h.Set("Access-Control-Allow-Headers", allowedHeaders)
		}
		h.Set("Access-Control-Max-Age", "86400")
		// Pages on any network may read public data: such requests send no cookies.
		if r.Header.Get("Access-Control-Request-Private-Network") == "true" {
			h.Set("Access-Control-Allow-Private-Network", "true")
		}
	}
	s.setRateHeaders(h, a.Limits.peek(s.info.Viewer, bucket))
	h.Del("Content-Type")
	w.WriteHeader(http.StatusNoContent)
}

var dates httpDateCache

// setFreshness sets Date, Cache-Control and Expires. Expires is ttl from now, or now if the response must not be
// cached.
func (s *requestState) setFreshness(h http.Header, now time.Time, control string, ttl time.Duration,
	expires *httpDateCache,
) {
	date := dates.format(now)
	end := date
	if control != noStore {
		end = expires.format(now.Add(ttl))
	}
	s.setHeaders(h, "Date", date, "Cache-Control", control, "Expires", end)
}

const noStore = "max-age=0, private, no-store"

func cacheControl(maxAge time.Duration, scope graph.Scope) string {
	if maxAge <= 0 {
		return noStore
	}
	who := "private"
	if scope == graph.Shared {
		who = "public"
	}
	return "max-age=" + strconv.Itoa(int(maxAge/time.Second)) + ", " + who
}
