package health_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"gamedata/internal/telemetry/health"
)

func found(name string, state health.State, note string) health.Check {
	return health.Check{Name: name, Run: func(context.Context) (health.State, string) { return state, note }}
}

func TestHandler(t *testing.T) {
	store, jobs := found("store", health.OK, "closed"), found("jobs", health.Degraded, "late")
	for name, c := range map[string]struct {
		checks []health.Check
		status int
		line   string
	}{
		"well":           {[]health.Check{store}, 200, "ok\n"},
		"degraded":       {[]health.Check{store, jobs}, 200, "degraded: jobs: late\n"},
		"dead":           {[]health.Check{found("store", health.Dead, "away"), jobs}, 503, "dead: store: away; jobs: late\n"},
		"nothing to see": {nil, 200, "ok\n"},
	} {
		h := health.Handler(c.checks)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", "/readyz", nil))
		if w.Code != c.status || w.Body.String() != c.line || w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %d %q; want %d %q", name, w.Code, w.Body, c.status, c.line)
		}
		for path, accept := range map[string]string{"/readyz?verbose": "*/*", "/readyz": "application/json"} {
			r := httptest.NewRequest("GET", path, nil)
			r.Header.Set("Accept", accept)
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			var report struct {
				Status string
				Checks []struct{ Name, State, Note string }
			}
			if err := json.Unmarshal(w.Body.Bytes(), &report); err != nil {
				t.Fatal(err)
			}
			if w.Code != c.status || len(report.Checks) != len(c.checks) ||
				w.Header().Get("Content-Type") != "application/json" {
				t.Errorf("%s as JSON: %d %s", name, w.Code, w.Body)
			}
		}
	}
}

func TestEvery(t *testing.T) {
	now, looked := time.Unix(1e9, 0), 0
	c := health.Every(time.Minute, func() time.Time { return now }, health.Check{Run: func(context.Context) (health.State,
		string,
	) {
		looked++
		return health.Degraded, "seen"
	}})
	for _, step := range []struct {
		wait time.Duration
		want int
	}{{0, 1}, {59 * time.Second, 1}, {time.Second, 2}, {0, 2}} {
		now = now.Add(step.wait)
		if state, note := c.Run(t.Context()); state != health.Degraded || note != "seen" || looked != step.want {
			t.Errorf("%v %q, looked %d times, want %d", state, note, looked, step.want)
		}
	}
	// What ends with its caller says nothing of the thing.
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	now = now.Add(time.Hour)
	c.Run(ended)
	if c.Run(t.Context()); looked != 4 {
		t.Errorf("looked %d times, want 4", looked)
	}
}

var _ http.Handler = health.Handler(nil)
