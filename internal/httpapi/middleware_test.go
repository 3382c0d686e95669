package httpapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"gamedata/graph"
	"gamedata/graph/viewer"
	"gamedata/internal/httpapi"
	"gamedata/internal/httpapi/httpapitest"
)

// site is a small service: one endpoint in ITEMS, one without CORS, some that fail.
func site(api *httpapi.API) http.Handler {
	const allow = "GET, HEAD, OPTIONS"
	mux := http.NewServeMux()
	endpoint := func(path string, prepare func(http.Header), serve http.HandlerFunc) {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			prepare(w.Header())
			switch r.Method {
			case "GET", "HEAD":
				if api.Limits.Authorize(w, r, "ITEMS", 1) {
					serve(w, r)
				}
			case "OPTIONS":
				api.WriteOptions(w, r, "ITEMS", allow)
			default:
				api.MethodNotAllowed(w, r, allow)
			}
		})
	}
	none := func(http.Header) {}
	endpoint("/items", none, func(w http.ResponseWriter, r *http.Request) {
		httpapi.SetRoute(r.Context(), httpapi.APIREST, "/items", "Items")
		httpapi.WriteResponse(w, r, httpapi.Response{Body: []byte(`[]`), MaxAge: time.Hour, Scope: graph.Shared})
	})
	endpoint("/whoami", httpapi.NoCORS, func(w http.ResponseWriter, r *http.Request) {
		v := httpapi.ViewerFrom(r.Context())
		body, _ := json.Marshal(map[string]any{"address": v.Address, "crossSite": v.CrossSite, "kind": v.Kind})
		httpapi.WriteResponse(w, r, httpapi.Response{Body: body, Scope: graph.User})
	})
	endpoint("/down", none, func(w http.ResponseWriter, r *http.Request) { api.Errors.Write(w, r, graph.ErrUnavailable) })
	endpoint("/panic", none, func(http.ResponseWriter, *http.Request) { panic("salt") })
	endpoint("/late", none, func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte(`{"half": `))
		_ = http.NewResponseController(w).Flush()
		panic("salt")
	})
	endpoint("/silent", none, func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("/careless", func(w http.ResponseWriter, r *http.Request) { // checks no credential
		httpapi.SetRateHeaders(w, r, api.Limits.Charge(r.Context(), "ITEMS", 1))
		httpapi.WriteResponse(w, r, httpapi.Response{Body: []byte(`"guest view"`), Scope: graph.User})
	})
	mux.HandleFunc("/", api.NotFound)
	return mux
}

func TestEveryResponse(t *testing.T) {
	details := map[int][2]string{
		400: {"MalformedPayload", "Send one Authorization header."},
		401: {"InvalidTokenError", "The access token is missing or not valid."},
		404: {"NotFound", "Resource not found."},
		405: {"MethodNotAllowed", "This method is not allowed here."},
		414: {"URITooLong", "The request URI is too long."},
		500: {"InternalError", "Internal error."},
		503: {"ServiceUnavailable", "The service is not available right now."},
	}
	bearer := []string{"Authorization", "Bearer gd_x"}
	for name, c := range map[string]struct {
		method, path string
		headers      []string
		status       int
		bucket, left string
	}{
		"OK":            {"GET", "/items", nil, 200, "ITEMS", "49"},
		"HEAD":          {"HEAD", "/items", nil, 200, "ITEMS", "49"},
		"304":           {"GET", "/items", []string{"If-None-Match", "*"}, 304, "ITEMS", "49"},
		"OPTIONS":       {"OPTIONS", "/items", nil, 204, "ITEMS", "50"},
		"unknown path":  {"GET", "/nowhere", nil, 404, "SHARED", "49"},
		"wrong method":  {"PATCH", "/items", nil, 405, "SHARED", "49"},
		"unavailable":   {"GET", "/down", nil, 503, "ITEMS", "49"},
		"panic":         {"GET", "/panic", nil, 500, "ITEMS", "49"},
		"nothing":       {"GET", "/silent", nil, 200, "ITEMS", "49"},
		"long":          {"GET", "/" + strings.Repeat("a", 9000), nil, 414, "SHARED", "49"},
		"bearer":        {"GET", "/items", bearer, 401, "ITEMS", "49"},
		"empty":         {"GET", "/items", []string{"Authorization", ""}, 401, "ITEMS", "49"},
		"two":           {"GET", "/items", []string{"Authorization", "a", "Authorization", "b"}, 400, "ITEMS", "49"},
		"careless":      {"GET", "/careless", bearer, 401, "ITEMS", "49"},
		"path first":    {"GET", "/nowhere", bearer, 404, "SHARED", "49"},
		"NUL in a path": {"GET", "/%00", nil, 404, "SHARED", "49"},
	} {
		t.Run(name, func(t *testing.T) {
			g := httpapitest.Serve(t, nil, site).Do(c.method, c.path, "", c.headers...)
			g.HasCommonHeaders(t)
			g.Has(t, c.status, "RateLimit-Bucket", c.bucket, "RateLimit-Remaining", c.left, "RateLimit-Limit", "50",
				"Access-Control-Allow-Origin", "*")
			if e, failed := details[c.status]; failed {
				checkError(t, g, c.status, e[0], e[1])
			}
			if c.status == 401 {
				g.Has(t, 401, "WWW-Authenticate", `Bearer error="invalid_token"`)
			}
			if c.status == 405 || c.method == "OPTIONS" {
				g.Has(t, c.status, "Allow", "GET, HEAD, OPTIONS")
			} else {
				g.Has(t, c.status, "Allow", "")
			}
		})
	}
}

func TestRateLimit(t *testing.T) {
	h := httpapitest.Serve(t, nil, site)
	for range 50 {
		h.Do("GET", "/items", "", "If-None-Match", "*").Has(t, 304)
	}
	refused := h.Do("GET", "/items", "")
	refused.HasCommonHeaders(t)
	checkError(t, refused, 429, "TooManyRequest", "Too many requests, try again in 2 seconds.")
	refused.Has(t, 429, "Retry-After", "2", "RateLimit-Limit", "50", "RateLimit-Remaining", "0", "RateLimit-Reset", "60",
		"RateLimit-Bucket", "ITEMS")
	h.Do("OPTIONS", "/items", "").Has(t, 204, "RateLimit-Remaining", "0")
	h.Do("GET", "/nowhere", "").Has(t, 404)
	h.Advance(2 * time.Second)
	h.Do("GET", "/items", "").Has(t, 200, "RateLimit-Remaining", "0", "RateLimit-Reset", "60")
	h.Do("GET", "/items", "").Has(t, 429, "Retry-After", "1")
	h.Advance(time.Minute)
	h.Do("GET", "/items", "", "Authorization", "Bearer x").Has(t, 401, "RateLimit-Remaining", "49")
}

// register knows credentials by how they look: t.<id> is a token, p.<id> one in Public Mode,
// o.<app>.<user> an access token, s.<user> a session.
type register struct{}

func (register) Bearer(_ context.Context, authorization string) (viewer.Viewer, *graph.Error) {
	kind, id, _ := strings.Cut(strings.TrimPrefix(authorization, "Bearer "), ".")
	switch kind {
	case "t", "p":
		return viewer.Viewer{Kind: viewer.Token, Account: "salted", Token: id, Public: kind == "p"}, nil
	case "o":
		app, user, _ := strings.Cut(id, ".")
		return viewer.Viewer{Kind: viewer.OAuth, App: app, Account: user}, nil
	case "unsure":
		return viewer.Viewer{}, graph.ErrUnavailable
	case "forgotten": // a viewer without a kind
		return viewer.Viewer{}, nil
	}
	return viewer.Viewer{}, graph.ErrInvalidToken
}

func (register) Session(_ context.Context, cookie string) (viewer.Viewer, *graph.Error) {
	user, ok := strings.CutPrefix(cookie, "s.")
	if !ok {
		return viewer.Viewer{}, graph.ErrInvalidToken
	}
	return viewer.Viewer{Kind: viewer.Session, Account: user}, nil
}

// Each credential has the counter that WIRE §1.2 gives it, whatever address it comes from.
func TestRateLimitByViewer(t *testing.T) {
	h := httpapitest.Serve(t, func(o *httpapi.Options) {
		o.Authenticator = register{}
		o.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	}, site)
	for i, c := range []struct{ header, value, from, left string }{
		{"Authorization", "Bearer t.one", "203.0.113.1", "119"},
		{"Authorization", "Bearer t.one", "203.0.113.2", "118"},
		{"Authorization", "Bearer t.two", "203.0.113.1", "119"},
		{"Authorization", "Bearer p.three", "203.0.113.1", "119"},
		{"Cookie", "__Host-session=s.salted", "203.0.113.1", "119"},
		{"Cookie", "__Host-session=s.salted", "203.0.113.3", "118"},
		{"Cookie", "__Host-session=s.brindle", "203.0.113.1", "119"},
		{"Authorization", "Bearer o.board.salted", "203.0.113.1", "119"},
		{"Authorization", "Bearer o.board.salted", "203.0.113.1", "118"},
		{"Authorization", "Bearer o.board.brindle", "203.0.113.1", "119"},
		{"Authorization", "Bearer o.map.salted", "203.0.113.1", "119"},
		{"X-Nothing", "", "203.0.113.1", "49"},
		{"Authorization", "Bearer bad", "203.0.113.1", "48"},
		{"Cookie", "__Host-session=bad", "203.0.113.1", "47"},
		{"Authorization", "Bearer bad", "203.0.113.4", "49"},
	} {
		g := h.Do("GET", "/items", "", c.header, c.value, "X-Forwarded-For", c.from)
		if left := g.Header.Get("RateLimit-Remaining"); left != c.left {
			t.Errorf("request %d, %s: %s remain, want %s", i, c.value, left, c.left)
		}
	}
}

func TestViewer(t *testing.T) {
	trust := func(o *httpapi.Options) { o.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")} }
	member := func(o *httpapi.Options) { o.Authenticator = register{} }
	forwarded := []string{"X-Forwarded-For", "203.0.113.9"}
	for name, c := range map[string]struct {
		configure func(*httpapi.Options)
		headers   []string
		status    int
		kind      viewer.Kind
	}{
		"guest":        {nil, forwarded, 200, viewer.Guest},
		"behind proxy": {trust, forwarded, 200, viewer.Guest},
		"cross-site":   {nil, []string{"Origin", "https://other.example"}, 200, viewer.Guest},
		"token":        {member, []string{"Authorization", "Bearer t.one"}, 200, viewer.Token},
		"unknown":      {member, []string{"Authorization", "Bearer unsure"}, 503, ""},
		"bad":          {member, []string{"Authorization", "Bearer bad"}, 401, ""},
		"no kind":      {member, []string{"Authorization", "Bearer forgotten"}, 500, ""},
		"cookie":       {member, []string{"Cookie", "other=1; __Host-session=s.salted"}, 200, viewer.Session},
		"bad cookie":   {member, []string{"Cookie", "__Host-session=stale"}, 200, viewer.Guest},
		"two cookies":  {member, []string{"Cookie", "__Host-session=s.salted; __Host-session=s.salted"}, 200, viewer.Guest},
		"no such name": {member, []string{"Cookie", "session=s.salted"}, 200, viewer.Guest},
		"header first": {member, []string{"Cookie", "__Host-session=s.salted", "Authorization", "Bearer bad"}, 401, ""},
		"both": {
			member, []string{"Cookie", "__Host-session=stale", "Authorization", "Bearer t.one"}, 200, viewer.Token,
		},
	} {
		t.Run(name, func(t *testing.T) {
			g := httpapitest.Serve(t, c.configure, site).Do("GET", "/whoami", "", c.headers...)
			g.HasCommonHeaders(t)
			limit, address := "120", map[bool]string{true: "203.0.113.9", false: "127.0.0.1"}[name == "behind proxy"]
			if c.kind == viewer.Guest || c.kind == "" {
				limit = "50"
			}
			g.Has(t, c.status, "RateLimit-Limit", limit, "Access-Control-Allow-Origin", "", "Access-Control-Expose-Headers", "")
			want := fmt.Sprintf(`{"address":%q,"crossSite":%t,"kind":%q}`, address, name == "cross-site", c.kind)
			if c.status == 200 && g.Text != want {
				t.Errorf("body %s, want %s", g.Text, want)
			}
		})
	}
}

// Callers of one IPv6 /64 share a counter; others do not.
func TestRateLimitByNetwork(t *testing.T) {
	h := httpapitest.Serve(t, func(o *httpapi.Options) {
		o.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	}, site)
	for _, c := range []struct{ from, left string }{
		{"2001:db8:7:8::1", "49"},
		{"2001:db8:7:8:ffff::2", "48"},
		{"2001:db8:7:9::1", "49"},
		{"203.0.113.9", "49"},
		{"::ffff:203.0.113.9", "48"},
	} {
		h.Do("GET", "/items", "", "X-Forwarded-For", c.from).Has(t, 200, "RateLimit-Remaining", c.left)
	}
}

func TestPreflight(t *testing.T) {
	h := httpapitest.Serve(t, nil, site)
	preflight := []string{
		"Origin", "https://other.example", "Access-Control-Request-Method", "GET",
		"Access-Control-Request-Headers", "authorization",
	}
	g := h.Do("OPTIONS", "/items", "", preflight...)
	g.HasCommonHeaders(t)
	g.Has(t, 204, "Access-Control-Allow-Origin", "*", "Access-Control-Allow-Methods", "GET, HEAD, OPTIONS",
		"Access-Control-Allow-Headers", "Authorization, Content-Type, If-None-Match", "Access-Control-Allow-Credentials", "",
		"Content-Type", "")
	g.Has(t, 204, "Access-Control-Max-Age", "86400", "Access-Control-Allow-Private-Network", "")
	private := append(slices.Clone(preflight), "Access-Control-Request-Private-Network", "true")
	h.Do("OPTIONS", "/items", "", private...).Has(t, 204, "Access-Control-Allow-Private-Network", "true")
	h.Do("OPTIONS", "/whoami", "", private...).Has(t, 204, "Access-Control-Allow-Private-Network", "")
	g = h.Do("OPTIONS", "/whoami", "", preflight...)
	g.Has(t, 204, "Access-Control-Allow-Origin", "", "Access-Control-Allow-Methods", "", "Allow", "GET, HEAD, OPTIONS")
	h.Do("GET", "/items", "").Has(t, 200, "Access-Control-Expose-Headers", "")
	exposed := h.Do("GET", "/items", "", preflight[:2]...).Header.Get("Access-Control-Expose-Headers")
	for _, name := range []string{
		"RateLimit-Limit", "RateLimit-Bucket", "Retry-After", "Version", "Expires", "Age",
		"ETag", "territorylasttick", "Link",
	} {
		if !strings.Contains(exposed, name) {
			t.Errorf("%s is not exposed", name)
		}
	}
}

// A panic is one 500 and one log line; one in the middle of a body breaks the connection off.
func TestPanic(t *testing.T) {
	h := httpapitest.Serve(t, nil, site)
	checkError(t, h.Do("GET", "/panic", ""), 500, "InternalError", "Internal error.")
	if n := strings.Count(h.Log.String(), `"msg":"handler panicked"`); n != 1 {
		t.Errorf("logged %d times", n)
	}
	r, err := httpapitest.Client.Get(h.URL + "/late")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Body.Close() }()
	if half, err := io.ReadAll(r.Body); err == nil {
		t.Errorf("half a body, %q, ended like a complete one", half)
	}
	h.Do("GET", "/items", "").Has(t, 200)
}

// Only HTML has the headers against framing and referrers.
func TestHTMLHeaders(t *testing.T) {
	h := httpapitest.Serve(t, nil, func(*httpapi.API) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/page" {
				w.Header().Set("Content-Type", "text/html; charset=utf-8")
			}
		})
	})
	h.Do("GET", "/page", "").Has(t, 200, "X-Frame-Options", "DENY", "Referrer-Policy", "same-origin",
		"Cross-Origin-Opener-Policy", "same-origin")
	h.Do("GET", "/json", "").Has(t, 200, "X-Frame-Options", "", "Referrer-Policy", "", "Cross-Origin-Opener-Policy", "")
}

// checkError checks an error.
func checkError(t *testing.T, g httpapitest.Response, status int, name, detail string) {
	t.Helper()
	g.Has(t, status, "Cache-Control", "max-age=0, private, no-store", "Expires", g.Header.Get("Date"), "ETag", "")
	var body struct {
		Error, Detail string
		Code          int
	}
	if err := json.Unmarshal([]byte(g.Text), &body); err != nil {
		t.Fatalf("%v in %s", err, g.Text)
	}
	if body.Error != name || body.Detail != detail || body.Code != status {
		t.Errorf("body %s, want %s %q", g.Text, name, detail)
	}
}
