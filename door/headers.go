package door

import (
	"net/http"
	"strconv"
	"time"

	"gamedata/graph"
)

// setAlways sets the headers that are true of every answer (WIRE §1.1). The rest of
// that table belongs to single answers: see Write, Error and reply.WriteHeader.
func (d *Door) setAlways(h http.Header) {
	h.Set("Content-Type", "application/json")
	h.Set("Version", d.o.Version)
	h.Set("Vary", "Authorization, Cookie, Origin, Accept-Encoding")
	h.Set("X-Frame-Options", "DENY")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Access-Control-Expose-Headers", exposed)
}

const exposed = "RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, RateLimit-Bucket, " +
	"Retry-After, Version, Expires, Age, ETag, territorylasttick"

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
	}
	d.SetRateHeaders(h, d.peek(r, bucket))
	d.setFreshness(h, 0, graph.User, 0)
	h.Del("Content-Type")
	w.WriteHeader(http.StatusNoContent)
}

// setFreshness sets Date, Cache-Control and Expires (WIRE §1.1): the max age is the
// endpoint's, Expires counts from when the cached object was made, age ago. A max age
// of 0 means that nobody may keep the answer.
func (d *Door) setFreshness(h http.Header, maxAge time.Duration, scope graph.Scope, age time.Duration) {
	now := d.o.Now().UTC()
	h.Set("Date", now.Format(http.TimeFormat))
	if maxAge <= 0 {
		h.Set("Cache-Control", "max-age=0, private, no-store")
		h.Set("Expires", now.Format(http.TimeFormat))
		return
	}
	who := "private"
	if scope == graph.Shared {
		who = "public"
	}
	h.Set("Cache-Control", "max-age="+strconv.Itoa(int(maxAge/time.Second))+", "+who)
	h.Set("Expires", now.Add(maxAge-age).Format(http.TimeFormat))
}
