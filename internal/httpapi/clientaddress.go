package httpapi

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"gamedata/graph/viewer"
)

// clientAddress makes the caller a guest of their address until they are authenticated.
func (a *API) clientAddress(next http.Handler) http.Handler {
	trusted := trustedProxies(a.o.TrustedProxies)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		RequestInfoFrom(r.Context()).Viewer = viewer.Viewer{
			Kind: viewer.Guest, Address: trusted.client(r), CrossSite: crossSite(r),
		}
		next.ServeHTTP(w, r)
	})
}

// trustedProxies are the networks whose X-Forwarded-For is trusted.
type trustedProxies []netip.Prefix

func (t trustedProxies) contain(a netip.Addr) bool {
	return slices.ContainsFunc(t, func(p netip.Prefix) bool { return p.Contains(a) })
}

// client returns the address of the caller: the peer of the connection or, when that is a trusted
// proxy, the right-most address in X-Forwarded-For that is not one. What is left of it was written
// by clients and is not read. When a part that counts does not parse, the peer's address is returned.
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
// becomes IPv4, so that one client has one spelling; zones mean nothing outside of their machine.
func parseAddress(s string) (netip.Addr, bool) {
	if peer, err := netip.ParseAddrPort(s); err == nil { // as net/http writes it
		return peer.Addr().Unmap().WithZone(""), true
	}
	a, err := netip.ParseAddr(hostName(strings.Trim(s, "\" \t")))
	return a, err == nil
}

// AddressKey is the rate limiter's key of an address: IPv6 by /64, because one subscriber has at
// least that many addresses.
func AddressKey(a netip.Addr) string {
	if a.Is6() {
		a = netip.PrefixFrom(a, 64).Masked().Addr()
	}
	return a.String()
}
