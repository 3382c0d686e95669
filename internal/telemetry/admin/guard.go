package admin

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// guard lets in who asks the listener by an address of its own, a name of loopback or one of
// hosts, and not for a page of another site. A page whose name was made to point here asks
// with that name (DNS rebinding), a page of another site is told of by the browser; programs
// send neither header of a page.
func guard(hosts []string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case !mayAsk(r, hosts):
			refuse(w, "This listener is not asked by that name; --admin-hosts may add it.")
		case foreign(r):
			refuse(w, "Pages of other sites may not ask here.")
		default:
			w.Header().Set("X-Content-Type-Options", "nosniff")
			w.Header().Set("Cache-Control", "no-store")
			next.ServeHTTP(w, r)
		}
	})
}

// mayAsk tells whether the request's Host is one of ours.
func mayAsk(r *http.Request, hosts []string) bool {
	name := bareHost(r.Host)
	if name == "localhost" || slices.ContainsFunc(hosts, func(h string) bool { return strings.EqualFold(h, name) }) {
		return true
	}
	address, err := netip.ParseAddr(name)
	if err != nil {
		return false
	}
	if address = address.Unmap(); address.IsLoopback() {
		return true
	}
	own, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if own == nil {
		return false
	}
	at, err := netip.ParseAddrPort(own.String())
	return err == nil && at.Addr().Unmap().WithZone("") == address
}

// bareHost is a host in lower case, without port, brackets and zone.
func bareHost(host string) string {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	host, _, _ = strings.Cut(strings.Trim(host, "[]"), "%")
	return strings.ToLower(strings.TrimSuffix(host, "."))
}

// foreign tells whether a page of another site made a browser ask. A click from elsewhere that
// opens a page here counts too: it may carry out nothing.
func foreign(r *http.Request) bool {
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
