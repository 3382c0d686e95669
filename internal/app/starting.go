package app

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"gamedata/internal/httpapi"
	"gamedata/internal/telemetry"
)

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
	routes.Handle("/", httpapi.Unavailable(note))
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
