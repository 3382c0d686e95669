package httpapi

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"gamedata/graph"
)

// CheckHost returns middleware that rejects requests for other hosts with 421, whatever the port;
// names of the local machine are always accepted. Otherwise a page that resolves its own name to this
// address could read what only its visitor may. Without names every host is accepted.
func (a *API) CheckHost(names []string) func(http.Handler) http.Handler {
	allowed := make([]string, len(names))
	for i, n := range names {
		allowed[i] = hostName(n)
	}
	reject := a.Middleware(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		NoCORS(w.Header())
		a.Reject(w, r, graph.ErrMisdirected)
	}))
	return func(next http.Handler) http.Handler {
		if len(allowed) == 0 {
			return next
		}
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if host := hostName(r.Host); !slices.Contains(allowed, host) && !isLocal(host) {
				reject.ServeHTTP(w, r)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

// hostName returns the name in a Host header without port, in lower case.
func hostName(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	return strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
}

func isLocal(host string) bool {
	addr, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && addr.IsLoopback()
}
