package app_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"gamedata/mongo/mongotest"
)

// Requests are charged to the documented bucket of the caller. The clock does not move, so each case continues from
// the one before.
func TestRequestCharges(t *testing.T) {
	store, _ := mongotest.Open(t)
	begun := time.Now()
	s := startInstance(t, store, func() time.Time { return begun })
	etag := ""
	for i, c := range []struct {
		method, path, header, value string
		status                      int
		bucket, remaining           string
	}{
		{"GET", "/v3/guild/seasons", "", "", 200, "GUILD", "49"},
		{"GET", "/v3/guild/seasons", "", "", 200, "GUILD", "48"}, // cached
		{"HEAD", "/v3/guild/seasons", "", "", 200, "GUILD", "47"},
		{"GET", "/v3/guild/seasons", "If-None-Match", "the ETag", 304, "GUILD", "46"},
		{"GET", "/v3/guild/Unknown", "", "", 404, "GUILD", "45"},
		{"GET", "/v3/guild/list/guild?identifier=both", "", "", 400, "GUILD", "44"},
		{"OPTIONS", "/v3/guild/seasons", "", "", 204, "GUILD", "44"},
		{"GET", "/v3/guild/seasons", "Authorization", "Bearer gdt_wrong", 401, "GUILD", "43"},
		{"POST", "/v3/guild/seasons", "", "", 405, "SHARED", "49"},
		{"GET", "/v3/nowhere", "", "", 404, "SHARED", "48"},
		{"GET", "/v3/oauth/me", "", "", 401, "SHARED", "47"},
		{"POST", "/v3/oauth/token", "Authorization", "Basic eDp5", 415, "SHARED", "46"},
		{"POST", "/graphql", "Authorization", "Bearer gdt_wrong", 401, "SHARED", "45"},
		{"GET", "/graphql?query={", "", "", 200, "SHARED", "44"},
		{"GET", "/graphql?query={guildSeasons{nodes{number}}}", "", "", 200, "GUILD", "42"},
		{"GET", "/v3/guild/seasons", "X-Forwarded-For", "192.0.2.7", 200, "GUILD", "41"}, // no proxy is trusted
	} {
		r, err := http.NewRequestWithContext(t.Context(), c.method, s.url+c.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		if c.header != "" {
			r.Header.Set(c.header, strings.Replace(c.value, "the ETag", etag, 1))
		}
		res := send(t, r, nil)
		h := res.header
		if etag == "" {
			etag = h.Get("ETag")
		}
		if res.status != c.status || h.Get("RateLimit-Bucket") != c.bucket || h.Get("RateLimit-Remaining") != c.remaining ||
			h.Get("RateLimit-Limit") != "50" || h.Get("RateLimit-Reset") == "" {
			t.Errorf("%d: %s %s: got %d, %s of %s remaining in %s; want %d, %s in %s", i+1, c.method, c.path, res.status,
				h.Get("RateLimit-Remaining"), h.Get("RateLimit-Limit"), h.Get("RateLimit-Bucket"), c.status, c.remaining, c.bucket)
		}
	}
}
