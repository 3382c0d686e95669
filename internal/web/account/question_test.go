package account

import (
	"net/url"
	"strings"
	"testing"

	"gamedata/graph/model"
	"gamedata/graph/viewer"
)

// An answer stands behind what the redirect URI has already, and the state comes back unchanged.
func TestAnswered(t *testing.T) {
	for _, c := range []struct{ uri, state, want string }{
		{"https://a.example/b", "", "https://a.example/b?code=c+d"},
		{
			"https://a.example/b", "x y&=%",
			"https://a.example/b?code=c+d&state=x+y%26%3D%25",
		},
		{"https://a.example/b?x=1", "s", "https://a.example/b?x=1&code=c+d&state=s"},
		{
			"https://a.example/b?", "",
			"https://a.example/b?code=c+d",
		},
		{"https://a.example/b?x=1&", "", "https://a.example/b?x=1&code=c+d"},
		{
			"com.a.app:/back", "s",
			"com.a.app:/back?code=c+d&state=s",
		},
	} {
		if got := (question{RedirectURI: c.uri, State: c.state}).answered("code", "c d"); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

func TestDestination(t *testing.T) {
	for uri, want := range map[string][2]string{
		"https://a.example/b":       {"https://a.example", "https://a.example"},
		"http://127.0.0.1:8000/b?c": {"http://127.0.0.1:8000", "http://127.0.0.1:8000"},
		"com.a.app:/back":           {"com.a.app:", "com.a.app:"}, "http://[::1]:80/": {"http://[::1]:80", "http:"},
		"https://a;script-src/b": {"https://a;script-src", "https:"}, "https://*/b": {"https://*", "https:"},
	} {
		if shown, source := destination(uri); shown != want[0] || source != want[1] {
			t.Errorf("%s: %q and %q, want %q", uri, shown, source, want)
		}
	}
}

func TestInside(t *testing.T) {
	for next, want := range map[string]string{
		"": home, "/account": home, "/": home, "/oauth/authorize": home,
		"/oauth/authorize?a=b%20c": "/oauth/authorize?a=b%20c", "//other.example/oauth/authorize?a": home,
		"https://other.example/oauth/authorize?a": home, "/oauth/authorize?a\r\nX: y": home, "/oauth/authorize/../x?a": home,
		"/oauth/authorize#?a": home,
	} {
		if got := inside(next); got != want {
			t.Errorf("%q: %q, want %q", next, got, want)
		}
	}
}

// Every scope that can be granted is explained.
func TestScopesAreExplained(t *testing.T) {
	for _, s := range explained(viewer.AllScopes) {
		if s.Text == "" {
			t.Errorf("%s is not explained", s.Name)
		}
	}
}

// Whatever an application sends: nobody is led elsewhere, and what is granted was asked for.
func FuzzAsk(f *testing.F) {
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
		if returnTo(app, q) == "" {
			return
		}
		asked, bad := ask(app, q)
		to := asked.answered("error", "x")
		back, err := url.Parse(to)
		if err != nil || !strings.HasPrefix(to, "https://a.example/b?") || len(q["state"]) == 1 &&
			back.Query().Get("state") != q.Get("state") {
			t.Errorf("%s, %v", to, err)
		}
		if bad == nil && (len(asked.Scopes) == 0 || len(asked.Scopes) > 2 || !private && asked.Challenge == "") {
			t.Errorf("%+v", asked)
		}
	})
}
