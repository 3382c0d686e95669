package app

import (
	"context"
	"fmt"
	"html/template"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"gamedata/internal/httpapi"
	"gamedata/internal/telemetry"
	"gamedata/internal/web"
)

// startingPage is what browsers show. It has its style in itself: no style sheet is served yet.
var startingPage = template.Must(template.New("").Parse(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="2">
<title>Starting</title>
<style>
:root { color-scheme: light dark; font: 1.125rem/1.5 system-ui, sans-serif }
body { margin: 30vh auto 0; max-width: 36rem; padding: 0 1rem }
</style>
<h1>Starting</h1>
<p>{{.}}
<p>This page opens as soon as it is ready.
`))

// starting responds while the service starts: the store may take half a minute to respond, and creating a demo world
// takes minutes. /livez succeeds; everything else returns 503 and names the current step.
type starting struct {
	step  atomic.Pointer[string]
	stops []func()
}

// report notes the progress of a step; a total of 0 is unknown.
func (s *starting) report(step string, done, total int) {
	if total > 0 {
		step = fmt.Sprintf("%s, %d%%", step, 100*min(done, total)/total)
	}
	s.step.Store(&step)
}

// serve serves on a listener until stop, which leaves it open.
func (s *starting) serve(listener net.Listener, log *slog.Logger) {
	note := func() string { return "The service starts: " + *s.step.Load() + "." }
	routes := http.NewServeMux()
	routes.Handle("/livez", readOnly(http.HandlerFunc(live)))
	routes.Handle("/readyz", readOnly(telemetry.HealthHandler([]telemetry.HealthCheck{{
		Name: "start", Run: func(context.Context) (telemetry.Health, string) { return telemetry.Dead, note() },
	}})))
	unavailable := httpapi.Unavailable(note)
	routes.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		if !httpapi.PrefersHTML(r.Header) {
			unavailable.ServeHTTP(w, r)
			return
		}
		h := w.Header()
		h.Set("Content-Type", web.HTMLType)
		h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
		h.Set("Cache-Control", "no-store")
		h.Set("Retry-After", "5")
		w.WriteHeader(http.StatusServiceUnavailable)
		_ = startingPage.Execute(w, note()) // fails only if the client has left
	})
	server, ended := httpapi.NewServer(routes, log), make(chan struct{})
	server.SetKeepAlivesEnabled(false) // connections would outlive this server
	go func() { defer close(ended); _ = server.Serve(keptOpen{listener.(*net.TCPListener)}) }()
	s.stops = append(s.stops, func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		if server.Shutdown(ctx) != nil {
			_ = server.Close()
		}
		<-ended
		_ = listener.(*net.TCPListener).SetDeadline(time.Time{})
	})
}

// stop ends the servers. New connections wait for the next server of their listener.
func (s *starting) stop() {
	for _, stop := range s.stops {
		stop()
	}
	s.stops = nil
}

// keptOpen is a listener whose Close only ends Accept.
type keptOpen struct{ *net.TCPListener }

// Close ends Accept.
func (l keptOpen) Close() error { return l.SetDeadline(time.Unix(1, 0)) }
