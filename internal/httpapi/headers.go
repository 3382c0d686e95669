package httpapi

import (
	"net/http"
	"strconv"
	"time"

	"gamedata/graph"
)

// setAlways sets the headers that are true of every answer (WIRE §1.1). The rest of
// that table belongs to single answers: see Write, Error and reply.WriteHeader.
func (d *Door) setAlways(h http.Header) {
	for _, a := range d.always {
		h[a.name] = a.value
	}
}

// sharedHeader is a header of all answers: one that is set or added to gets values of its own.
type sharedHeader struct {
	name  string
	value []string
}

// vary is what every answer depends on (WIRE §1.1).
const vary = "Authorization, Cookie, Origin, Accept-Encoding"

func alwaysHeaders(version string) []sharedHeader {
	return []sharedHeader{
		{"Content-Type", []string{"application/json"}},
		{"Version", []string{version}},
		{"Vary", []string{vary}},
		{"X-Frame-Options", []string{"DENY"}},
		{"X-Content-Type-Options", []string{"nosniff"}},
		{"Referrer-Policy", []string{"same-origin"}},
		{"Cross-Origin-Opener-Policy", []string{"same-origin"}},
		{"Access-Control-Allow-Origin", []string{"*"}},
		{"Access-Control-Expose-Headers", []string{exposed}},
	}
}

// setAll sets headers, name, value, name, value…, at the price of one, or of none while the reply
// has room for their values. Names are taken as they are: in their documented spelling, which Get
// and Set do not find when it is not canonical.
func setAll(w http.ResponseWriter, pairs ...string) {
	h, values := w.Header(), roomFor(w, len(pairs)/2)
	for i := range values {
		values[i] = pairs[2*i+1]
		h[pairs[2*i]] = values[i : i+1 : i+1]
	}
}

const exposed = "RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, RateLimit-Bucket, " +
	"Retry-After, Version, Expires, Age, ETag, territorylasttick, Link, GraphQL-Operation"

// NoCORS takes the CORS headers back, for answers that depend on the caller's address
// (/player/whoami): no page of another site may read them. Call it before anything is
// written, Options included.
func NoCORS(h http.Header) {
	h.Del("Access-Control-Allow-Origin")
	h.Del("Access-Control-Expose-Headers")
}

// Options answers an OPTIONS request, preflight or not: 204, at no cost. allow names
// the methods, comma separated; bucket is the one whose state the headers tell.
func (d *Door) Options(w http.ResponseWriter, r *http.Request, bucket, allow string) {
	h := w.Header()
	h.Set("Allow", allow)
	if h.Get("Access-Control-Allow-Origin") != "" {
		h.Set("Access-Control-Allow-Methods", allow)
		h.Set("Access-Control-Allow-Headers", "Authorization, Content-Type, If-None-Match")
		h.Set("Access-Control-Max-Age", "86400")
		// Public data may be read from a page of any network: it is sent without cookies.
		if r.Header.Get("Access-Control-Request-Private-Network") == "true" {
			h.Set("Access-Control-Allow-Private-Network", "true")
		}
	}
	d.SetRateHeaders(w, d.peek(w, bucket))
	d.setFreshness(w, d.o.Now(), 0, graph.User, 0)
	h.Del("Content-Type")
	w.WriteHeader(http.StatusNoContent)
}

// setFreshness sets Date, Cache-Control and Expires (WIRE §1.1): the max age is the
// endpoint's, Expires counts from when the cached object was made, age ago. A max age
// of 0 means that nobody may keep the answer.
func (d *Door) setFreshness(w http.ResponseWriter, now time.Time, maxAge time.Duration, scope graph.Scope,
	age time.Duration,
) {
	d.setFresh(w, now, cacheControl(maxAge, scope), maxAge-age, new(stamp))
}

// setFresh sets the same from the value of Cache-Control and the time left; expires writes the
// end of it.
func (d *Door) setFresh(w http.ResponseWriter, now time.Time, control string, left time.Duration, expires *stamp) {
	date := d.date.of(now)
	end := date
	if control != noStore {
		end = expires.of(now.Add(left))
	}
	setAll(w, "Date", date, "Cache-Control", control, "Expires", end)
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
