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
)

// logged has the requests of a site logged.
func logged(t *testing.T, o httpapi.LogOptions) *house {
	return open(t, func(d *httpapi.Options) { d.Observe = httpapi.AccessLog(d.Log, o) }, site)
}

// lines are what the log holds.
func (h *house) lines() (out []map[string]any) {
	for line := range strings.Lines(h.log.String()) {
		var fields map[string]any
		if err := json.Unmarshal([]byte(line), &fields); err != nil {
			h.t.Fatal(err)
		}
		out = append(out, fields)
	}
	return out
}

func TestAccessLog(t *testing.T) {
	h := logged(t, httpapi.LogOptions{Every: 1})
	h.ask("GET", "/items?secret=x", "", "Authorization-Like", "secret", "X-Request-Id", "a-1").has(t, 200, "X-Request-Id",
		"a-1")
	h.ask("GET", "/secret%0a%ff", "", "X-Request-Id", `"secret"`).has(t, 404, "X-Request-Id", "")
	h.ask("SECRET", "/items", "", "Cookie", "other=secret")
	lines := h.lines()
	if len(lines) != 3 || strings.Contains(h.log.String(), "ecret") || strings.Contains(h.log.String(), "SECRET") ||
		strings.Contains(h.log.String(), "127.0.0.1") {
		t.Fatalf("%d lines, or one that tells too much:\n%s", len(lines), h.log)
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
		t.Error("a log that tells nothing is told of requests")
	}
	h := logged(t, httpapi.LogOptions{Every: 10, Addresses: true})
	for range 25 {
		h.ask("GET", "/items", "")
	}
	h.ask("GET", "/down", "")
	lines := h.lines()
	if len(lines) != 3 || lines[2]["status"] != 503.0 || lines[0]["address"] != "127.0.0.1" {
		t.Errorf("of 25 answers and a failure are told:\n%s", h.log)
	}
}

func TestServerTiming(t *testing.T) {
	var told httpapi.Observed
	var h *house
	h = open(t, func(o *httpapi.Options) { o.Observe = func(o httpapi.Observed) { told = o } },
		func(d *httpapi.Door) http.Handler {
			answer := httpapi.Answer{Body: []byte("1"), MaxAge: time.Minute, Scope: graph.Shared}
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				a := answer
				switch r.URL.Path {
				case "/kept":
					a.Hit = true
					h.wait(120 * time.Microsecond)
				case "/slowly kept":
					a.Hit = true
					h.wait(2500 * time.Microsecond)
				case "/stale":
					a.Hit, a.Made = true, h.clock().Add(-time.Hour)
					h.wait(time.Second)
				case "/never kept":
					a.MaxAge = 0
				}
				if !a.Hit {
					a.Store = 12340 * time.Microsecond
					h.wait(13 * time.Millisecond)
				}
				d.Write(w, r, a)
			})
		})
	for path, want := range map[string]string{
		"/kept":          "total;dur=0.12, cache;desc=hit",
		"/slowly%20kept": "total;dur=2.5, cache;desc=hit",
		"/stale":         "total;dur=1000, cache;desc=stale",
		"/never%20kept":  "total;dur=13, store;dur=12.34",
		"/made":          "total;dur=13, cache;desc=miss, store;dur=12.34",
	} {
		h.ask("GET", path, "").has(t, 200, "Server-Timing", want)
	}
	h.ask("GET", "/kept", "")
	if told.Took != 120*time.Microsecond || told.Cache != httpapi.CacheHit || told.Door != httpapi.DoorOther ||
		told.Label != "none" || told.Store != 0 {
		t.Errorf("told %+v", told)
	}
}
