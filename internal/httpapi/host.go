package httpapi

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"gamedata/graph"
)

// Hosts lets requests through that are meant for one of the names, whatever the port; those
// of the own machine always are. Others get 421: a page that gave its own name this address
// could otherwise read here what only its visitor may. Without names nothing is refused.
func (d *Door) Hosts(names []string, next http.Handler) http.Handler {
	if len(names) == 0 {
		return next
	}
	names = slices.Clone(names)
	for i, n := range names {
		names[i] = hostName(n)
	}
	refuse := d.Middleware(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		NoCORS(w.Header())
		d.refuse(w, r, graph.ErrMisdirected)
	}))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if host := hostName(r.Host); !slices.Contains(names, host) && !ownMachine(host) {
			refuse.ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// hostName is the name in a Host header as it is compared: without port and case.
func hostName(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	return strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
}

func ownMachine(host string) bool {
	addr, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && addr.IsLoopback()
}
