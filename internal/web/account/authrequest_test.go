package account

import (
	"net/url"
	"strings"
	"testing"

	"gamedata/graph/model"
)

// The response goes after the query that the redirect URI has already, and the state comes back
// unchanged.
func TestResponseURI(t *testing.T) {
	for _, c := range []struct{ uri, state, want string }{
		{"https://a.example/b", "", "https://a.example/b?code=c+d"},
		{"https://a.example/b", "x y&=%", "https://a.example/b?code=c+d&state=x+y%26%3D%25"},
		{"https://a.example/b?x=1", "s", "https://a.example/b?x=1&code=c+d&state=s"},
		{"https://a.example/b?", "", "https://a.example/b?code=c+d"},
		{"https://a.example/b?x=1&", "", "https://a.example/b?x=1&code=c+d"},
		{"com.a.app:/back", "s", "com.a.app:/back?code=c+d&state=s"},
	} {
		t.Run(c.uri, func(t *testing.T) {
			r := authorizationRequest{RedirectURI: c.uri, State: c.state}
			if got := r.responseURI("code", "c d"); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// The port of a loopback address is free for applications without a secret; everything else is compared byte for byte.
func TestRedirectURI(t *testing.T) {
	registered := []string{
		"http://127.0.0.1/back?a", "http://[::1]:8000", "http://localhost:80/", "https://a.example:444/", "http://127.0.0.2/",
	}
	for uri, matches := range map[string][2]bool{ // public, private
		"http://127.0.0.1/back?a": {true, true}, "http://127.0.0.1:49152/back?a": {true, false},
		"http://[::1]:8000": {true, true}, "http://[::1]": {true, false}, "http://[::1]:1": {true, false},
		"http://[::1]:65535": {true, false}, "http://[::1]:65536": {}, "http://[::1]:0": {}, "http://[::1]:08": {},
		"http://127.0.0.1:1/back": {}, "http://127.0.0.1:1/back?a#": {}, "http://127.0.0.1:x/back?a": {}, "http://[::1]/": {},
		"https://127.0.0.1:1/back?a": {}, "http://a@127.0.0.1:1/back?a": {}, "http://127.0.0.1:1@a.example/back?a": {},
		"http://127.0.0.1.a.example/back?a": {}, "http://localhost:81/": {}, "https://a.example:445/": {},
		"http://127.0.0.2:1/": {}, "http://127.0.0.1:1\n/back?a": {}, "": {},
	} {
		for i, app := range []*model.Application{{RedirectURIs: registered}, {RedirectURIs: registered, SecretDigest: "x"}} {
			if got := redirectURI(app, url.Values{"redirect_uri": {uri}}); (got == uri && uri != "") != matches[i] {
				t.Errorf("%q, private %t: got %q", uri, i == 1, got)
			}
		}
	}
}

func TestDestination(t *testing.T) {
	for uri, want := range map[string]string{
		"https://a.example/b": "https://a.example", "http://127.0.0.1:8000/b?c": "http://127.0.0.1:8000",
		"com.a.app:/back": "com.a.app:", "http://[::1]:80/": "http://[::1]:80",
	} {
		if got := destination(uri); got != want {
			t.Errorf("%s: got %q, want %q", uri, got, want)
		}
	}
}

func TestSafeNext(t *testing.T) {
	for next, want := range map[string]string{
		"": accountPath, "/account": accountPath, "/": accountPath, "/oauth/authorize": accountPath,
		"/oauth/authorize?a=b%20c":                "/oauth/authorize?a=b%20c",
		"//other.example/oauth/authorize?a":       accountPath,
		"https://other.example/oauth/authorize?a": accountPath,
		"/oauth/authorize?a\r\nX: y":              accountPath,
		"/oauth/authorize/../x?a":                 accountPath,
		"/oauth/authorize#?a":                     accountPath,
	} {
		if got := safeNext(next); got != want {
			t.Errorf("safeNext(%q): got %q, want %q", next, got, want)
		}
	}
}

func TestAllScopesAreDescribed(t *testing.T) {
	for _, s := range model.Scopes {
		if s.Consent == "" {
			t.Errorf("scope %s has no description", s.Name)
		}
	}
}

// Whatever an application sends, the browser goes to the registered URI only, and no scope is
// granted that was not requested.
func FuzzAuthorizationRequest(f *testing.F) {
	f.Add("response_type=code&redirect_uri=https%3A%2F%2Fa.example%2Fb&scope=identify+main_access&state=x", true)
	f.Add("response_type=code&redirect_uri=https%3A%2F%2Fa.example%2Fb&code_challenge="+strings.Repeat("A", 43)+
		"&code_challenge_method=S256", false)
	f.Fuzz(func(t *testing.T, query string, private bool) {
		q, err := url.ParseQuery(query)
		if err != nil {
			return
		}
		app := &model.Application{RedirectURIs: []string{"https://a.example/b"}, Scopes: []string{"identify", "main_access"}}
		if private {
			app.SecretDigest = "d"
		}
		if redirectURI(app, q) == "" {
			return
		}
		requested, bad := parseAuthorizationRequest(app, q)
		to := requested.responseURI("error", "x")
		back, err := url.Parse(to)
		if err != nil || !strings.HasPrefix(to, "https://a.example/b?") || len(q["state"]) == 1 &&
			back.Query().Get("state") != q.Get("state") {
			t.Errorf("got %s, %v", to, err)
		}
		if bad == nil && (len(requested.Scopes) == 0 || len(requested.Scopes) > 2 || !private && requested.Challenge == "") {
			t.Errorf("got %+v", requested)
		}
	})
}
