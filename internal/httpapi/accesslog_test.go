package httpapi_test

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"gamedata/graph"
	"gamedata/internal/httpapi"
	"gamedata/internal/httpapi/httpapitest"
)

// logged has the requests of a site logged.
func logged(t *testing.T, o httpapi.LogOptions) *httpapitest.Server {
	return httpapitest.Serve(t, func(d *httpapi.Options) { d.OnDone = httpapi.AccessLog(d.Log, o) }, site)
}

// lines parses the log.
func lines(t *testing.T, h *httpapitest.Server) (out []map[string]any) {
	t.Helper()
	for line := range strings.Lines(h.Log.String()) {
		var fields map[string]any
		if err := json.Unmarshal([]byte(line), &fields); err != nil {
			t.Fatal(err)
		}
		out = append(out, fields)
	}
	return out
}

func TestAccessLog(t *testing.T) {
	h := logged(t, httpapi.LogOptions{Every: 1})
	h.Do("GET", "/items?secret=x", "", "Authorization-Like", "secret", "X-Request-Id", "a-1").Has(t, 200, "X-Request-Id",
		"a-1")
	h.Do("GET", "/secret%0a%ff", "", "X-Request-Id", `"secret"`).Has(t, 404, "X-Request-Id", "")
	h.Do("SECRET", "/items", "", "Cookie", "other=secret")
	lines := lines(t, h)
	if len(lines) != 3 || strings.Contains(h.Log.String(), "ecret") || strings.Contains(h.Log.String(), "SECRET") ||
		strings.Contains(h.Log.String(), "127.0.0.1") {
		t.Fatalf("%d lines, or private data in one:\n%s", len(lines), h.Log)
	}
	for i, want := range []map[string]any{
		{
			"msg": "request", "level": "INFO", "method": "GET", "path": "/items", "operation": "Items", "status": 200.0,
			"bytes": 2.0, "ms": 0.0,
			"store_ms": 0.0, "viewer": "guest", "cache": "miss", "cost": 1.0, "bucket": "ITEMS", "request_id": "a-1",
		},
		{"path": "", "operation": "", "status": 404.0, "bucket": "SHARED", "cache": "", "request_id": nil},
		{"method": "other", "path": "", "status": 405.0},
	} {
		for name, value := range want {
			if lines[i][name] != value {
				t.Errorf("line %d, %s: %v, want %v", i, name, lines[i][name], value)
			}
		}
	}
}

func TestAccessLogOptions(t *testing.T) {
	if httpapi.AccessLog(slog.Default(), httpapi.LogOptions{}) != nil {
		t.Error("got a logger for no requests")
	}
	h := logged(t, httpapi.LogOptions{Every: 10, Addresses: true})
	for range 25 {
		h.Do("GET", "/items", "")
	}
	h.Do("GET", "/down", "")
	lines := lines(t, h)
	if len(lines) != 3 || lines[2]["status"] != 503.0 || lines[0]["address"] != "127.0.0.1" {
		t.Errorf("25 requests and a failure were logged as:\n%s", h.Log)
	}
}

func TestServerTiming(t *testing.T) {
	var info httpapi.RequestInfo
	var h *httpapitest.Server
	h = httpapitest.Serve(t, func(o *httpapi.Options) { o.OnDone = func(i *httpapi.RequestInfo) { info = *i } },
		func(api *httpapi.API) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				resp := httpapi.Response{Body: []byte("1"), MaxAge: time.Minute, Scope: graph.Shared}
				switch r.URL.Path {
				case "/hit":
					resp.Hit = true
					h.Advance(120 * time.Microsecond)
				case "/slow hit":
					resp.Hit = true
					h.Advance(2500 * time.Microsecond)
				case "/stale":
					resp.Hit, resp.Made = true, h.Now().Add(-time.Hour)
					h.Advance(time.Second)
				case "/uncacheable":
					resp.MaxAge = 0
				}
				if !resp.Hit {
					resp.Store = 12340 * time.Microsecond
					h.Advance(13 * time.Millisecond)
				}
				httpapi.WriteResponse(w, r, resp)
			})
		})
	for path, want := range map[string]string{
		"/hit":         "total;dur=0.12, cache;desc=hit",
		"/slow%20hit":  "total;dur=2.5, cache;desc=hit",
		"/stale":       "total;dur=1000, cache;desc=stale",
		"/uncacheable": "total;dur=13, store;dur=12.34",
		"/made":        "total;dur=13, cache;desc=miss, store;dur=12.34",
	} {
		h.Do("GET", path, "", "Server-Timing", "?1").Has(t, 200, "Server-Timing", want)
	}
	h.Do("GET", "/hit", "").Has(t, 200, "Server-Timing", "")
	if info.Duration != 120*time.Microsecond || info.Cache != httpapi.CacheHit || info.API != httpapi.APIOther ||
		info.Label != "none" || info.Store != 0 {
		t.Errorf("got %+v", info)
	}
}
