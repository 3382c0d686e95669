package telemetry

import (
	"context"
	"encoding/json"
	"net/http/httptest"
	"testing"
)

func check(name string, state Health, note string) HealthCheck {
	return HealthCheck{Name: name, Run: func(context.Context) (Health, string) { return state, note }}
}

func TestHealthHandler(t *testing.T) {
	store, jobs := check("store", Healthy, "closed"), check("jobs", Degraded, "late")
	for name, c := range map[string]struct {
		checks []HealthCheck
		status int
		line   string
	}{
		"healthy":   {[]HealthCheck{store}, 200, "ok\n"},
		"degraded":  {[]HealthCheck{store, jobs}, 200, "degraded: jobs: late\n"},
		"dead":      {[]HealthCheck{check("store", Dead, "away"), jobs}, 503, "dead: store: away; jobs: late\n"},
		"no checks": {nil, 200, "ok\n"},
	} {
		t.Run(name, func(t *testing.T) {
			h := HealthHandler(c.checks)
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequest("GET", "/readyz", nil))
			if w.Code != c.status || w.Body.String() != c.line || w.Header().Get("Cache-Control") != "no-store" {
				t.Errorf("got %d %q, want %d %q", w.Code, w.Body, c.status, c.line)
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
					t.Errorf("got %d %s as JSON, want %d and %d checks", w.Code, w.Body, c.status, len(c.checks))
				}
			}
		})
	}
}
