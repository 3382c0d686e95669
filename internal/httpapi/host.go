package httpapi

import (
	"net"
	"net/http"
	"net/netip"
	"os"
	"regexp"
	"slices"
	"strings"

	"gamedata/graph"
)

// AllowedHost returns a check of the Host header, which ignores the port. It allows the names given and the names of
// the local machine: localhost, a loopback address, the host name, the address of the connection.
//
// Reject other names where the caller's network or browser is trusted: a page that resolves its own name to this
// address (DNS rebinding) has the same origin.
func AllowedHost(names []string) func(*http.Request) bool {
	allowed := make([]string, 0, len(names)+1)
	for _, n := range names {
		allowed = append(allowed, hostName(n))
	}
	if own, err := os.Hostname(); err == nil {
		allowed = append(allowed, hostName(own))
	}
	return func(r *http.Request) bool {
		name := hostName(r.Host)
		return slices.Contains(allowed, name) || isLocal(name) || isOwnAddress(r, name)
	}
}

// CheckHost returns middleware that rejects requests for hosts that are not allowed with 421.
func (a *API) CheckHost(allowed func(*http.Request) bool) func(http.Handler) http.Handler {
	reject := a.Middleware(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		NoCORS(w.Header())
		a.Reject(w, r, graph.ErrMisdirected)
	}))
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !allowed(r) {
				reject.ServeHTTP(w, r)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

// hostName returns the name in a Host header in lower case, without port, brackets, zone and final dot. An address has
// one spelling.
func hostName(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	host, _, _ = strings.Cut(host, "%")
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if addr, err := netip.ParseAddr(host); err == nil {
		return addr.Unmap().String()
	}
	return host
}

var dnsName = regexp.MustCompile(`^[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$`)

// IsHostName reports whether a Host header could have a name, with or without a port.
func IsHostName(s string) bool {
	name := hostName(s)
	_, err := netip.ParseAddr(name)
	return !strings.Contains(s, "/") && (err == nil || dnsName.MatchString(name))
}

func isLocal(host string) bool {
	addr, err := netip.ParseAddr(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || err == nil && addr.IsLoopback()
}

// isOwnAddress reports whether host is the address that the request's connection was made to.
func isOwnAddress(r *http.Request, host string) bool {
	addr, err := netip.ParseAddr(host)
	local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if err != nil || !ok {
		return false
	}
	own, ok := parseAddress(local.String())
	return ok && own == addr
}
