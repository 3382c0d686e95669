// Package admin is what operators reach on a listener of its own, never on the public one:
// metrics, profiles, health and the few deeds an operator may order of a running service.
// What is measured and what a deed does is handed in; nobody asks for a credential here, so
// the listener belongs on loopback or a network of operators, and the guard keeps pages that
// a browser shows from driving it.
package admin

import (
	"fmt"
	"io"
	"net/http"
	"net/http/pprof"
	"strconv"
	"time"
)

// Options are the handlers behind the guard; one that is nil has no path.
type Options struct {
	// Hosts are the names, without a port, under which the listener may be asked besides
	// loopback and its own address.
	Hosts []string
	// Metrics answers GET /metrics.
	Metrics http.Handler
	// Live and Ready answer /livez and /readyz.
	Live, Ready http.Handler
	// Purge answers POST /cache/purge.
	Purge http.Handler
}

// Handler returns the listener's handler.
func Handler(o Options) http.Handler {
	mux := http.NewServeMux()
	offer := func(pattern string, h http.Handler) {
		if h != nil {
			mux.Handle(pattern, h)
		}
	}
	offer("GET /metrics", o.Metrics)
	offer("GET /livez", o.Live)
	offer("GET /readyz", o.Ready)
	offer("POST /cache/purge", o.Purge)
	mux.HandleFunc("GET /debug/pprof/", bounded(pprof.Index))
	mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("GET /debug/pprof/profile", bounded(pprof.Profile))
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("POST /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/trace", bounded(pprof.Trace))
	mux.HandleFunc("GET /{$}", index)
	return guard(o.Hosts, mux)
}

// index names what is here.
func index(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = io.WriteString(w, "GET  /metrics\nGET  /livez\nGET  /readyz?verbose\nGET  /debug/pprof/\nPOST /cache/purge\n")
}

// longestProfile is how long a profile or trace may be recorded.
const longestProfile = 5 * time.Minute

// bounded refuses to record for longer than that. Those who record have the server wait for them.
func bounded(record http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if text := r.URL.Query().Get("seconds"); text != "" {
			n, err := strconv.ParseFloat(text, 64)
			if err != nil || !(n > 0 && n <= longestProfile.Seconds()) {
				http.Error(w, fmt.Sprintf("seconds must be a number up to %.0f.", longestProfile.Seconds()), http.StatusBadRequest)
				return
			}
		}
		record(w, r)
	}
}

// Server returns the server of the handler.
func Server(h http.Handler) *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       15 * time.Second,
		WriteTimeout:      30 * time.Second,
		IdleTimeout:       75 * time.Second,
		MaxHeaderBytes:    16 << 10,
	}
}

// refuse answers a request the guard does not let in.
func refuse(w http.ResponseWriter, format string, args ...any) {
	http.Error(w, fmt.Sprintf(format, args...), http.StatusForbidden)
}
