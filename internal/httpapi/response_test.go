package httpapi_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"gamedata/graph"
	"gamedata/internal/httpapi"
	"gamedata/internal/httpapi/httpapitest"
)

var long = `{"text": "` + strings.Repeat("salt and moss, ", 400) + `"}`

// serveResponse serves one response at every path.
func serveResponse(t *testing.T, response func(h *httpapitest.Server) httpapi.Response) (h *httpapitest.Server) {
	h = httpapitest.Serve(t, nil, func(api *httpapi.API) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if api.Limits.Authorize(w, r, "ITEMS", 1) {
				httpapi.WriteResponse(w, r, response(h))
			}
		})
	})
	return h
}

func TestWriteFreshness(t *testing.T) {
	const user, shared = graph.User, graph.Shared
	for name, c := range map[string]struct {
		maxAge, made     time.Duration // made before now
		scope            graph.Scope
		hit              bool
		control, expires string
		age, status      string
	}{
		"user":             {2 * time.Minute, 0, user, false, "max-age=120, private", "12:02:00", "", ""},
		"shared":           {time.Hour, 0, shared, false, "max-age=3600, public", "13:00:00", "", ""},
		"cached":           {30e9, 11e9, user, true, "max-age=30, private", "12:00:19", "11", "gamedata; hit; ttl=19"},
		"cached just now":  {30e9, 0.9e9, user, true, "max-age=30, private", "12:00:30", "0", "gamedata; hit; ttl=30"},
		"stale":            {30e9, 45e9, user, true, "max-age=30, private", "11:59:45", "45", "gamedata; hit; ttl=-15"},
		"of older records": {30e9, 10e9, shared, false, "max-age=30, public", "12:00:20", "10", ""},
		"uncacheable":      {0, 10e9, user, false, "max-age=0, private, no-store", "12:00:00", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			h := serveResponse(t, func(h *httpapitest.Server) httpapi.Response {
				resp := httpapi.Response{Body: []byte(`{}`), MaxAge: c.maxAge, Scope: c.scope, Hit: c.hit}
				resp.Made = h.Now().Add(-c.made)
				return resp
			})
			g := h.Do("GET", "/", "")
			g.HasCommonHeaders(t)
			const day = "Thu, 19 Mar 2026 "
			g.Has(t, 200, "Cache-Control", c.control, "Date", day+"12:00:00 GMT", "Expires", day+c.expires+" GMT", "Age", c.age,
				"Cache-Status", c.status, "RateLimit-Remaining", "49", "RateLimit-Bucket", "ITEMS")
			if tag := g.Header.Get("ETag"); (tag == "") != (c.maxAge == 0) {
				t.Errorf("got the ETag %q", tag)
			}
		})
	}
}

// Each content encoding of a body has its own tag, 304 and HEAD have the headers of the 200, and
// precomputing changes nothing. A header of the response is always sent and not part of the tag.
func TestWriteEncodings(t *testing.T) {
	for _, precomputed := range []bool{false, true} {
		count := 0
		h := serveResponse(t, func(*httpapitest.Server) httpapi.Response {
			count++
			resp := httpapi.Response{
				Body: []byte(long), Header: http.Header{"Territorylasttick": {strconv.Itoa(count)}},
				MaxAge: time.Minute, Scope: graph.Shared,
			}
			if precomputed {
				resp = resp.Precompute()
			}
			return resp
		})
		identity := h.Do("GET", "/", "", "Accept-Encoding", "identity")
		identity.Has(t, 200, "Content-Encoding", "", "Content-Length", strconv.Itoa(len(long)))
		if identity.Text != long {
			t.Error("identity body differs")
		}
		zipped := h.Do("GET", "/", "", "Accept-Encoding", "gzip")
		zipped.Has(t, 200, "Content-Encoding", "gzip", "Content-Length", strconv.Itoa(len(zipped.Text)))
		if httpapitest.Decompress(t, "gzip", zipped.Text) != long || len(zipped.Text) > len(long)/4 {
			t.Error("gzip body differs or is large")
		}
		tag, gzipTag := identity.Header.Get("ETag"), zipped.Header.Get("ETag")
		if tag == gzipTag || !strings.HasPrefix(tag, `"`) || !strings.HasPrefix(gzipTag, `"`) {
			t.Errorf("tags %s and %s", tag, gzipTag)
		}
		for _, c := range []struct {
			accept, match string
			status        int
		}{
			{"identity", tag, 304}, {"identity", gzipTag, 200}, {"gzip", gzipTag, 304}, {"gzip", tag, 200}, {"gzip", "*", 304},
		} {
			g := h.Do("GET", "/", "", "Accept-Encoding", c.accept, "If-None-Match", c.match)
			g.HasCommonHeaders(t)
			g.Has(t, c.status, "Cache-Control", "max-age=60, public", "territorylasttick", strconv.Itoa(count))
			if c.status == 304 && (g.Text != "" || g.Header.Get("ETag") == "" || g.Header.Get("Content-Encoding") != "") {
				t.Errorf("304 with %q, %v", g.Text, g.Header)
			}
		}
		head := h.Do("HEAD", "/", "", "Accept-Encoding", "gzip")
		head.HasCommonHeaders(t)
		head.Has(t, 200, "ETag", gzipTag, "Content-Length", strconv.Itoa(len(zipped.Text)), "Content-Type",
			"application/json", "territorylasttick", strconv.Itoa(count))
	}
}
