package httpapi

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// clientAddress is the address of whoever asks: the peer of the connection, or, when
// that is a configured proxy, the right-most address in X-Forwarded-For that is not
// one. What stands left of it was written by strangers and is not read. When a part
// that counts does not parse, the peer's address is all that is known for sure.
//
// The zero Addr means that even the peer has no address (a Unix socket).
func (d *Door) clientAddress(r *http.Request) netip.Addr {
	peer, ok := peerOf(r)
	forwarded := r.Header["X-Forwarded-For"]
	if !ok || len(forwarded) == 0 || !d.trusted(peer) {
		return peer
	}
	hops := strings.Split(strings.Join(forwarded, ","), ",")
	client := peer
	for _, hop := range slices.Backward(hops) {
		address, ok := parseAddress(strings.TrimSpace(hop))
		if !ok {
			return peer
		}
		client = address
		if !d.trusted(address) {
			break
		}
	}
	return client
}

// peer is the other end of a connection, read once for all of its requests.
type peer struct {
	remote  string // as http.Request tells it
	address netip.Addr
	ok      bool
}

type peerKey struct{}

// withPeer remembers the peer of a connection in the context of its requests.
func withPeer(ctx context.Context, c net.Conn) context.Context {
	p := &peer{remote: c.RemoteAddr().String()}
	p.address, p.ok = parseAddress(p.remote)
	return context.WithValue(ctx, peerKey{}, p)
}

// peerOf is the address of the peer that a request came from.
func peerOf(r *http.Request) (netip.Addr, bool) {
	if p, _ := r.Context().Value(peerKey{}).(*peer); p != nil && p.remote == r.RemoteAddr {
		return p.address, p.ok
	}
	return parseAddress(r.RemoteAddr)
}

func (d *Door) trusted(a netip.Addr) bool {
	return slices.ContainsFunc(d.o.TrustedProxies, func(p netip.Prefix) bool { return p.Contains(a) })
}

// parseAddress reads an address with or without a port. IPv4 inside IPv6 is IPv4, so
// that one client has one spelling; a zone means nothing outside its own machine.
func parseAddress(s string) (netip.Addr, bool) {
	p, err := netip.ParseAddrPort(s)
	a := p.Addr()
	if err != nil {
		if a, err = netip.ParseAddr(s); err != nil {
			return netip.Addr{}, false
		}
	}
	return a.Unmap().WithZone(""), true
}

// AddressKey is the limiter's key of an address: IPv6 by /64, because one subscriber
// has at least that many addresses.
func AddressKey(a netip.Addr) string { return addressKey("", a) }

// addressKey is AddressKey after a prefix.
func addressKey(prefix string, a netip.Addr) string {
	if !a.IsValid() {
		return prefix + a.String()
	}
	if a.Is6() {
		a = netip.PrefixFrom(a, 64).Masked().Addr()
	}
	var room [64]byte
	return string(a.AppendTo(append(room[:0], prefix...)))
}
