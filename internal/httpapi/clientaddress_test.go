package httpapi

import (
	"net/http"
	"net/netip"
	"testing"
)

func TestClientAddress(t *testing.T) {
	trusted := trustedProxies{
		netip.MustParsePrefix("10.0.0.0/8"),
		netip.MustParsePrefix("2001:db8:1::/48"),
	}
	cases := []struct {
		name, peer string
		forwarded  []string
		want       string
	}{
		{"no proxy", "198.51.100.7:4000", nil, "198.51.100.7"},
		{"header of an untrusted peer is ignored", "198.51.100.7:4000", []string{"203.0.113.9"}, "198.51.100.7"},
		{"one proxy", "10.0.0.1:4000", []string{"203.0.113.9"}, "203.0.113.9"},
		{"proxy without header", "10.0.0.1:4000", nil, "10.0.0.1"},
		{"forged left part", "10.0.0.1:4000", []string{"192.0.2.1, 203.0.113.9"}, "203.0.113.9"},
		{"forged garbage", "10.0.0.1:4000", []string{"<script>, 203.0.113.9"}, "203.0.113.9"},
		{"two proxies", "10.0.0.1:4000", []string{"203.0.113.9, 10.9.9.9"}, "203.0.113.9"},
		{"two header lines", "10.0.0.1:4000", []string{"192.0.2.1, 203.0.113.9", "10.9.9.9"}, "203.0.113.9"},
		{"all trusted", "10.0.0.1:4000", []string{"10.3.3.3, 10.9.9.9"}, "10.3.3.3"},
		{"malformed", "10.0.0.1:4000", []string{"203.0.113.9, unknown"}, "10.0.0.1"},
		{"malformed behind a proxy", "10.0.0.1:4000", []string{"somewhere, 10.9.9.9"}, "10.0.0.1"},
		{"empty", "10.0.0.1:4000", []string{""}, "10.0.0.1"},
		{"with port", "10.0.0.1:4000", []string{"203.0.113.9:55"}, "203.0.113.9"},
		{"IPv6 with port", "10.0.0.1:4000", []string{"[2001:db8:7::1]:55"}, "2001:db8:7::1"},
		{"IPv6 in brackets", "10.0.0.1:4000", []string{"[2001:db8:7::1]"}, "2001:db8:7::1"},
		{"IPv6 in quotes", "10.0.0.1:4000", []string{`"2001:db8:7::1"`}, "2001:db8:7::1"},
		{"IPv6 in both, with port", "10.0.0.1:4000", []string{"x,\t\"[2001:DB8:7::1%eth0]:55\" "}, "2001:db8:7::1"},
		{"mapped in brackets", "10.0.0.1:4000", []string{"[::ffff:203.0.113.9]"}, "203.0.113.9"},
		{"IPv6 proxy in brackets", "10.0.0.1:4000", []string{"203.0.113.9, [2001:db8:1::9]"}, "203.0.113.9"},
		{"IPv4 in quotes, with port", "10.0.0.1:4000", []string{`"203.0.113.9:55"`}, "203.0.113.9"},
		{"IPv6 proxy", "[2001:db8:1::9]:4000", []string{"2001:db8:7::1"}, "2001:db8:7::1"},
		{"mapped peer", "[::ffff:10.0.0.1]:4000", []string{"::ffff:203.0.113.9"}, "203.0.113.9"},
		{"zone", "[fe80::1%eth0]:4000", nil, "fe80::1"},
		{"no address", "@", []string{"203.0.113.9"}, "invalid IP"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := &http.Request{RemoteAddr: c.peer, Header: http.Header{"X-Forwarded-For": c.forwarded}}
			if got := trusted.client(r).String(); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestAddressKey(t *testing.T) {
	cases := map[string]string{
		"203.0.113.9":           "203.0.113.9",
		"2001:db8:7:8:9:a:b:c":  "2001:db8:7:8::",
		"2001:db8:7:8:ffff::1":  "2001:db8:7:8::",
		"2001:db8:7:9::1":       "2001:db8:7:9::",
		"fe80::1234:5678:9abc:": "",
	}
	for in, want := range cases {
		a, ok := parseAddress(in)
		if ok != (want != "") || ok && AddressKey(a) != want {
			t.Errorf("%s: key %s, want %s", in, AddressKey(a), want)
		}
	}
}

func TestCrossSite(t *testing.T) {
	cases := []struct {
		name   string
		header http.Header
		want   bool
	}{
		{"program", http.Header{}, false},
		{"own page", http.Header{"Sec-Fetch-Site": {"same-origin"}}, false},
		{"typed address", http.Header{"Sec-Fetch-Site": {"none"}}, false},
		{"other site", http.Header{"Sec-Fetch-Site": {"cross-site"}}, true},
		{"neighbour", http.Header{"Sec-Fetch-Site": {"same-site"}}, true},
		{"unknown word", http.Header{"Sec-Fetch-Site": {"soon"}}, true},
		{"empty word", http.Header{"Sec-Fetch-Site": {""}}, true},
		{"two words", http.Header{"Sec-Fetch-Site": {"same-origin", "cross-site"}}, true},
		{"fetch metadata first", http.Header{"Sec-Fetch-Site": {"same-origin"}, "Origin": {"https://other.example"}}, false},
		{"origin is the host", http.Header{"Origin": {"https://data.example"}}, false},
		{"origin in capitals", http.Header{"Origin": {"https://DATA.example:443"}}, false},
		{"origin on another port", http.Header{"Origin": {"https://data.example:8443"}}, true},
		{"other origin", http.Header{"Origin": {"https://other.example"}}, true},
		{"longer origin", http.Header{"Origin": {"https://data.example.other.example"}}, true},
		{"null", http.Header{"Origin": {"null"}}, true},
		{"malformed", http.Header{"Origin": {"https://%zz"}}, true},
		{"two origins", http.Header{"Origin": {"https://data.example", "https://other.example"}}, true},
	}
	for _, c := range cases {
		if got := crossSite(&http.Request{Host: "data.example", Header: c.header}); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
