package telemetry

import (
	"fmt"
	"io"
	"net/http"
	"net/http/pprof"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// AdminOptions configure the admin listener. A nil handler gets no route.
type AdminOptions struct {
	// AllowedHost reports whether a request's Host header is allowed.
	AllowedHost func(*http.Request) bool
	// Metrics serves GET /metrics, Live GET /livez, Ready GET /readyz, Purge POST /cache/purge.
	Metrics, Live, Ready, Purge http.Handler
}

// AdminHandler serves metrics, profiles, health and cache purging to operators. It checks no credentials: serve it on a
// separate listener, on loopback or the operators' network. It rejects requests that web pages make browsers send.
func AdminHandler(o AdminOptions) http.Handler {
	mux := http.NewServeMux()
	handle := func(pattern string, h http.Handler) {
		if h != nil {
			mux.Handle(pattern, h)
		}
	}
	handle("GET /metrics", o.Metrics)
	handle("GET /livez", o.Live)
	handle("GET /readyz", o.Ready)
	handle("POST /cache/purge", o.Purge)
	mux.HandleFunc("GET /debug/pprof/", limitSeconds(pprof.Index))
	mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("GET /debug/pprof/profile", limitSeconds(pprof.Profile))
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("POST /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/trace", limitSeconds(pprof.Trace))
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = io.WriteString(w,
			"GET  /metrics\nGET  /livez\nGET  /readyz?verbose\nGET  /debug/pprof/\nPOST /cache/purge\n")
	})
	return rejectPages(o.AllowedHost, mux)
}

const maxProfile = 5 * time.Minute

// limitSeconds rejects profiles and traces longer than maxProfile: a recording delays the server's shutdown.
func limitSeconds(record http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if text := r.URL.Query().Get("seconds"); text != "" {
			n, err := strconv.ParseFloat(text, 64)
			if err != nil || !(n > 0 && n <= maxProfile.Seconds()) {
				http.Error(w, fmt.Sprintf("seconds must be a number up to %.0f.", maxProfile.Seconds()), http.StatusBadRequest)
				return
			}
		}
		record(w, r)
	}
}

// rejectPages rejects requests that web pages make browsers send. A page whose host name resolves to this listener (DNS
// rebinding) sends that name as Host; for pages of other sites, browsers send Origin or Sec-Fetch-Site. Programs send
// neither. http.CrossOriginProtection is not enough here: it allows GET, and a GET can record a profile.
func rejectPages(allowedHost func(*http.Request) bool, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case !allowedHost(r):
			http.Error(w, "Unknown host name. Allow it with --allowed-hosts.", http.StatusForbidden)
		case crossSite(r):
			http.Error(w, "Requests from pages of other sites are not allowed.", http.StatusForbidden)
		default:
			w.Header().Set("X-Content-Type-Options", "nosniff")
			w.Header().Set("Cache-Control", "no-store")
			next.ServeHTTP(w, r)
		}
	})
}

// crossSite reports whether a page of another site caused the request, by a script, a form or a link.
func crossSite(r *http.Request) bool {
	for _, site := range r.Header["Sec-Fetch-Site"] {
		if site != "same-origin" && site != "none" {
			return true
		}
	}
	for _, origin := range r.Header["Origin"] {
		u, err := url.Parse(origin)
		if err != nil || u.Host == "" || !strings.EqualFold(u.Host, r.Host) {
			return true
		}
	}
	return false
}
