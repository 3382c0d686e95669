package httpapi_test

import (
	"compress/gzip"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"gamedata/graph"
	"gamedata/internal/httpapi"
	"gamedata/internal/httpapi/httpapitest"
)

var long = `{"text": "` + strings.Repeat("salt and moss, ", 400) + `"}`

// serveResponse serves one response at every path.
func serveResponse(response func(h *httpapitest.Server) httpapi.Response) func(t *testing.T) *httpapitest.Server {
	return func(t *testing.T) *httpapitest.Server {
		var h *httpapitest.Server
		h = httpapitest.Serve(t, nil, func(api *httpapi.API) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if api.Limits.Authorize(w, r, "ITEMS", 1) {
					httpapi.WriteResponse(w, r, response(h))
				}
			})
		})
		return h
	}
}

func TestWriteFreshness(t *testing.T) {
	const date = "Thu, 19 Mar 2026 12:00:00 GMT"
	cases := map[string]struct {
		response httpapi.Response
		made     time.Duration // before now
		headers  []string
	}{
		"user": {
			httpapi.Response{MaxAge: 2 * time.Minute, Scope: graph.User},
			0,
			[]string{
				"Cache-Control", "max-age=120, private", "Date", date, "Expires", "Thu, 19 Mar 2026 12:02:00 GMT", "Age",
				"", "Cache-Status", "",
			},
		},
		"shared": {
			httpapi.Response{MaxAge: time.Hour, Scope: graph.Shared},
			0,
			[]string{"Cache-Control", "max-age=3600, public", "Expires", "Thu, 19 Mar 2026 13:00:00 GMT"},
		},
		"cached": {
			httpapi.Response{MaxAge: 30 * time.Second, Scope: graph.User, Hit: true},
			11 * time.Second,
			[]string{
				"Cache-Control", "max-age=30, private", "Expires", "Thu, 19 Mar 2026 12:00:19 GMT", "Age", "11",
				"Cache-Status", "gamedata; hit; ttl=19",
			},
		},
		"cached just now": {
			httpapi.Response{MaxAge: 30 * time.Second, Scope: graph.User, Hit: true},
			900 * time.Millisecond,
			[]string{"Expires", "Thu, 19 Mar 2026 12:00:30 GMT", "Age", "0", "Cache-Status", "gamedata; hit; ttl=30"},
		},
		"stale": {
			httpapi.Response{MaxAge: 30 * time.Second, Scope: graph.User, Hit: true},
			45 * time.Second,
			[]string{"Expires", "Thu, 19 Mar 2026 11:59:45 GMT", "Age", "45", "Cache-Status", "gamedata; hit; ttl=-15"},
		},
		"of older records": {
			httpapi.Response{MaxAge: 30 * time.Second, Scope: graph.Shared},
			10 * time.Second,
			[]string{"Expires", "Thu, 19 Mar 2026 12:00:20 GMT", "Age", "10", "Cache-Status", ""},
		},
		"uncacheable": {
			httpapi.Response{Scope: graph.User},
			10 * time.Second,
			[]string{"Cache-Control", "max-age=0, private, no-store", "Expires", date, "Age", "", "ETag", ""},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			h := serveResponse(func(h *httpapitest.Server) httpapi.Response {
				resp := c.response
				resp.Body, resp.Made = []byte(`{}`), h.Now().Add(-c.made)
				return resp
			})(t)
			g := h.Do("GET", "/", "")
			g.HasCommonHeaders(t)
			g.Has(t, 200, append(c.headers, "RateLimit-Remaining", "49", "RateLimit-Bucket", "ITEMS")...)
		})
	}
}

// Each content encoding of a body has its own tag, 304 and HEAD have the headers of the 200, and
// precomputing changes nothing. A header of the response is always sent and not part of the tag.
func TestWriteEncodings(t *testing.T) {
	for _, precomputed := range []bool{false, true} {
		count := 0
		h := serveResponse(func(*httpapitest.Server) httpapi.Response {
			count++
			resp := httpapi.Response{
				Body: []byte(long), Header: http.Header{"Territorylasttick": {strconv.Itoa(count)}},
				MaxAge: time.Minute, Scope: graph.Shared,
			}
			if precomputed {
				resp = resp.Precompute()
			}
			return resp
		})(t)
		identity := h.Do("GET", "/", "", "Accept-Encoding", "identity")
		identity.Has(t, 200, "Content-Encoding", "", "Content-Length", strconv.Itoa(len(long)))
		if identity.Text != long {
			t.Error("identity body differs")
		}
		zipped := h.Do("GET", "/", "", "Accept-Encoding", "gzip")
		zipped.Has(t, 200, "Content-Encoding", "gzip", "Content-Length", strconv.Itoa(len(zipped.Text)))
		if decompress(t, "gzip", zipped.Text) != long || len(zipped.Text) > len(long)/4 {
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

// decompress decodes a body in a content encoding; without one the body is returned.
func decompress(t *testing.T, encoding, text string) string {
	t.Helper()
	var from io.Reader = strings.NewReader(text)
	var err error
	switch encoding {
	case "gzip":
		from, err = gzip.NewReader(from)
	case "zstd":
		from, err = zstd.NewReader(from)
	}
	if err != nil {
		t.Fatal(err)
	}
	decoded, err := io.ReadAll(from)
	if err != nil {
		t.Fatal(err)
	}
	return string(decoded)
}
