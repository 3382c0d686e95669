package rest

import (
	"log/slog"
	"testing"
)

// Every response links to its explanation, whatever its status, and a query cannot inject into it.
func TestLink(t *testing.T) {
	base, _ := serve(t, 100, slog.New(slog.DiscardHandler))
	for _, c := range []struct{ method, path, token, link string }{
		{"GET", "/classes", "", `</explain/v3/classes>; rel="alternate"`},
		{"HEAD", "/classes?static", "", `</explain/v3/classes?static>; rel="alternate"`},
		{"OPTIONS", "/player/Salted", "", `</explain/v3/player/Salted>; rel="alternate"`},
		{"GET", "/player/Salted?fullResult", "bad", `</explain/v3/player/Salted?fullResult>; rel="alternate"`},
		{"GET", "/player/a%3E%22b?x=%3E", "", `</explain/v3/player/a%3E%22b?x=%3E>; rel="alternate"`},
		{"GET", `/player/x?fullResult=">;rel=next`, "", `</explain/v3/player/x>; rel="alternate"`},
		{"DELETE", "/item/search?page=0", "", `</explain/v3/item/search?page=0>; rel="alternate"`},
		{"POST", "/oauth/token", "", `</explain/v3/oauth/token>; rel="alternate"`},
		{"GET", "/nothing", "", `</v3/openapi.json>; rel="service-desc"; type="application/json"`},
	} {
		resp, _ := send(t, c.method, base+Prefix+c.path, c.token, "")
		if got := resp.Header["Link"]; len(got) != 1 || got[0] != c.link {
			t.Errorf("%s %s: %q", c.method, c.path, got)
		}
	}
}
