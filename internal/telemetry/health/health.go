// Package health tells whether an instance should be sent requests: it is well, it works
// but something wants looking after, or it cannot answer. What is checked is handed in.
package health

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"
)

// State is how something is; a higher one is worse.
type State int

// The states. Requests should be sent to an instance that is OK or Degraded.
const (
	OK State = iota
	Degraded
	Dead
)

var names = [...]string{"ok", "degraded", "dead"}

// String is the state as answers name it.
func (s State) String() string { return names[s] }

// MarshalText writes the name.
func (s State) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Check looks at one thing. Its context ends after a second; note says what is wrong, or how
// things are.
type Check struct {
	Name string
	Run  func(ctx context.Context) (state State, note string)
}

// Found is what a check found.
type Found struct {
	Name  string `json:"name"`
	State State  `json:"state"`
	Note  string `json:"note,omitempty"`
}

// Report is what all checks found; its state is the worst of theirs.
type Report struct {
	State  State   `json:"status"`
	Checks []Found `json:"checks"`
}

// patience bounds the checks of one report.
const patience = time.Second

// Look runs all checks at once and waits for all: each comes back when its context ends.
func Look(ctx context.Context, checks []Check) Report {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	r := Report{Checks: make([]Found, len(checks))}
	var all sync.WaitGroup
	for i, c := range checks {
		all.Go(func() {
			f := Found{Name: c.Name}
			f.State, f.Note = c.Run(ctx)
			r.Checks[i] = f
		})
	}
	all.Wait()
	for _, f := range r.Checks {
		r.State = max(r.State, f.State)
	}
	return r
}

// Handler answers with a report: 503 when it is dead, else 200. A line of text by default, JSON
// with ?verbose or when Accept asks for it.
func Handler(checks []Check) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		report := Look(r.Context(), checks)
		status := http.StatusOK
		if report.State == Dead {
			status = http.StatusServiceUnavailable
		}
		body, kind := []byte(report.line()), "text/plain; charset=utf-8"
		if r.URL.Query().Has("verbose") || strings.Contains(r.Header.Get("Accept"), "application/json") {
			// States and texts always marshal.
			body, _ = json.MarshalIndent(report, "", "  ")
			body, kind = append(body, '\n'), "application/json"
		}
		w.Header().Set("Content-Type", kind)
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("X-Frame-Options", "DENY")
		w.WriteHeader(status)
		_, _ = w.Write(body)
	})
}

// line is the report in one line: the state, and what is not well.
func (r Report) line() string {
	if r.State == OK {
		return "ok\n"
	}
	var wrong []string
	for _, f := range r.Checks {
		if f.State != OK {
			wrong = append(wrong, fmt.Sprintf("%s: %s", f.Name, f.Note))
		}
	}
	return fmt.Sprintf("%s: %s\n", r.State, strings.Join(wrong, "; "))
}

// Every has a check look at most once in a while, for what is dear to look at.
func Every(d time.Duration, now func() time.Time, c Check) Check {
	var mu sync.Mutex
	var at time.Time
	var state State
	var note string
	look := c.Run
	c.Run = func(ctx context.Context) (State, string) {
		mu.Lock()
		defer mu.Unlock()
		if at.IsZero() || now().Sub(at) >= d {
			state, note = look(ctx)
			if ctx.Err() == nil {
				at = now()
			}
		}
		return state, note
	}
	return c
}
