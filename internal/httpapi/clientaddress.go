package httpapi

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"gamedata/graph/viewer"
)

// clientAddress resolves the caller's address and makes them a guest until they are authenticated.
func (a *API) clientAddress(next http.Handler) http.Handler {
	trusted := trustedProxies(a.o.TrustedProxies)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		RequestInfoFrom(r.Context()).Viewer = viewer.Viewer{
			Kind: viewer.Guest, Address: trusted.client(r), CrossSite: crossSite(r),
		}
		next.ServeHTTP(w, r)
	})
}

// trustedProxies lists the networks whose X-Forwarded-For is trusted.
type trustedProxies []netip.Prefix

func (t trustedProxies) contain(a netip.Addr) bool {
	return slices.ContainsFunc(t, func(p netip.Prefix) bool { return p.Contains(a) })
}

// client returns the caller's address: the peer of the connection or, behind trusted proxies, the right-most untrusted
// address in X-Forwarded-For. Clients can forge everything to the left of it, so that is not read. If an address that
// counts does not parse, client returns the peer's address.
//
// The zero Addr means that even the peer has no address (a Unix socket).
func (t trustedProxies) client(r *http.Request) netip.Addr {
	peer, ok := parseAddress(r.RemoteAddr)
	forwarded := r.Header["X-Forwarded-For"]
	if !ok || len(forwarded) == 0 || !t.contain(peer) {
		return peer
	}
	hops := strings.Split(strings.Join(forwarded, ","), ",")
	client := peer
	for _, hop := range slices.Backward(hops) {
		address, ok := parseAddress(hop)
		if !ok {
			return peer
		}
		client = address
		if !t.contain(address) {
			break
		}
	}
	return client
}

// parseAddress parses an address with or without quotes, brackets and a port, as proxies write it. IPv4 inside IPv6
// becomes IPv4, which gives each client one spelling. Zones are dropped: they mean nothing on other machines.
func parseAddress(s string) (netip.Addr, bool) {
	if peer, err := netip.ParseAddrPort(s); err == nil { // the format of net/http
		return peer.Addr().Unmap().WithZone(""), true
	}
	a, err := netip.ParseAddr(hostName(strings.Trim(s, "\" \t")))
	return a, err == nil
}

// AddressKey returns the rate limiter's key of an address. IPv6 counts by /64, because a subscriber has at least that
// many addresses.
func AddressKey(a netip.Addr) string {
	if a.Is6() {
		a = netip.PrefixFrom(a, 64).Masked().Addr()
	}
	return a.String()
}
