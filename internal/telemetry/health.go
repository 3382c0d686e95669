package telemetry

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Health is the state of an instance or one of its dependencies; a higher value is worse. Send requests to instances
// that are Healthy or Degraded.
type Health int

// The states and their names in reports: "ok", "degraded" and "dead".
const (
	Healthy Health = iota
	Degraded
	Dead
)

// String returns the state's name in reports.
func (h Health) String() string { return [...]string{"ok", "degraded", "dead"}[h] }

// MarshalText implements encoding.TextMarshaler.
func (h Health) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// HealthCheck is a named check. Run's context ends after a second; note says what is wrong, or gives details. The note
// is public: it must contain no addresses.
type HealthCheck struct {
	Name string
	Run  func(ctx context.Context) (state Health, note string)
}

// HealthReport lists the results of all checks; its state is the worst state among them.
type HealthReport struct {
	State  Health         `json:"status"`
	Checks []HealthResult `json:"checks"`
}

// HealthResult is the result of one check.
type HealthResult struct {
	Name  string `json:"name"`
	State Health `json:"state"`
	Note  string `json:"note,omitempty"`
}

const healthTimeout = time.Second

// CheckHealth runs all checks concurrently and waits for them: each returns when its context ends.
func CheckHealth(ctx context.Context, checks []HealthCheck) HealthReport {
	ctx, cancel := context.WithTimeout(ctx, healthTimeout)
	defer cancel()
	r := HealthReport{Checks: make([]HealthResult, len(checks))}
	var wg sync.WaitGroup
	for i, c := range checks {
		wg.Go(func() {
			state, note := c.Run(ctx)
			r.Checks[i] = HealthResult{c.Name, state, note}
		})
	}
	wg.Wait()
	for _, c := range r.Checks {
		r.State = max(r.State, c.State)
	}
	return r
}

// String returns the state and the checks that are not healthy, in one line.
func (r HealthReport) String() string {
	if r.State == Healthy {
		return r.State.String()
	}
	var problems []string
	for _, c := range r.Checks {
		if c.State != Healthy {
			problems = append(problems, c.Name+": "+c.Note)
		}
	}
	return fmt.Sprintf("%s: %s", r.State, strings.Join(problems, "; "))
}

// HealthHandler responds with a report: 503 if it is Dead, else 200. The body is a line of text, or
// JSON with ?verbose or if the Accept header names application/json.
func HealthHandler(checks []HealthCheck) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		report := CheckHealth(context.WithoutCancel(r.Context()), checks) // the client may have half-closed
		status := http.StatusOK
		if report.State == Dead {
			status = http.StatusServiceUnavailable
		}
		body, contentType := []byte(report.String()), "text/plain; charset=utf-8"
		if r.URL.Query().Has("verbose") || strings.Contains(r.Header.Get("Accept"), "application/json") {
			body, _ = json.MarshalIndent(report, "", "  ") // cannot fail: only states and strings
			contentType = "application/json"
		}
		w.Header().Set("Content-Type", contentType)
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("X-Frame-Options", "DENY")
		w.WriteHeader(status)
		_, _ = w.Write(append(body, '\n'))
	})
}
