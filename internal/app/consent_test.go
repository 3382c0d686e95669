package app_test

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

func readAll(t *testing.T, r *http.Response) []byte {
	t.Helper()
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// The authorize page reports errors by redirect as documented, but never redirects to an unregistered address.
func TestAuthorizePage(t *testing.T) {
	t.Parallel()
	p, dir := serveDemo(t, "--guest-rate", "1000", "--session-rate", "1000")
	user := newWebUser(t, p)
	user.signUp("Salted").expect(200)
	private, _ := registerApplication(t, dir, "Salted",
		application{[]string{redirectURI, redirectURI + "?from=1"}, []string{"main_access"}, true})
	public, _ := registerApplication(t, dir, "Salted", application{[]string{redirectURI}, []string{"main_access"}, false})
	whole := func(app string) url.Values {
		return url.Values{
			"response_type": {"code"}, "client_id": {app}, "redirect_uri": {redirectURI},
			"scope": {"identify main_access"}, "state": {"x7Qp"},
			"code_challenge": {rfcChallenge}, "code_challenge_method": {"S256"},
		}
	}
	for name, c := range map[string]struct {
		app    string
		set    url.Values // nil drops the parameter
		status int
		error  string // on the redirect
	}{
		"public":                   {public, nil, 200, ""},
		"private":                  {private, nil, 200, ""},
		"private without PKCE":     {private, url.Values{"code_challenge": nil, "code_challenge_method": nil}, 200, ""},
		"no scope":                 {public, url.Values{"scope": nil}, 200, ""},
		"empty scope":              {public, url.Values{"scope": {""}}, 200, ""},
		"scope twice in the list":  {public, url.Values{"scope": {"main_access main_access"}}, 200, ""},
		"no state":                 {public, url.Values{"state": nil}, 200, ""},
		"unknown parameter":        {public, url.Values{"nonce": {"1", "2"}}, 200, ""},
		"unknown client":           {public, url.Values{"client_id": {"unknown"}}, 400, ""},
		"client not UTF-8":         {public, url.Values{"client_id": {"\xff"}}, 400, ""},
		"no client":                {public, url.Values{"client_id": nil}, 400, ""},
		"client twice":             {public, url.Values{"client_id": {public, public}}, 400, ""},
		"no redirect_uri":          {public, url.Values{"redirect_uri": nil}, 400, ""},
		"redirect_uri twice":       {public, url.Values{"redirect_uri": {redirectURI, redirectURI}}, 400, ""},
		"redirect_uri of another":  {public, url.Values{"redirect_uri": {redirectURI + "?from=1"}}, 400, ""},
		"redirect_uri below":       {public, url.Values{"redirect_uri": {redirectURI + "/"}}, 400, ""},
		"redirect_uri in capitals": {public, url.Values{"redirect_uri": {"https://BOARD.example/back"}}, 400, ""},
		"redirect_uri with a port": {public, url.Values{"redirect_uri": {"https://board.example:443/back"}}, 400, ""},
		"redirect_uri elsewhere":   {public, url.Values{"redirect_uri": {"https://other.example/back"}}, 400, ""},
		"redirect_uri before errors": {public, url.Values{
			"redirect_uri":  {"https://other.example/"},
			"response_type": {"token"},
		}, 400, ""},
		"no response_type":     {public, url.Values{"response_type": nil}, 302, "unsupported_response_type"},
		"token":                {public, url.Values{"response_type": {"token"}}, 302, "unsupported_response_type"},
		"unknown scope":        {public, url.Values{"scope": {"identify everything"}}, 302, "invalid_scope"},
		"scope in capitals":    {public, url.Values{"scope": {"IDENTIFY"}}, 302, "invalid_scope"},
		"scope not registered": {public, url.Values{"scope": {"online_status"}}, 302, "invalid_scope"},
		"public without challenge": {
			public,
			url.Values{"code_challenge": nil, "code_challenge_method": nil},
			302,
			"invalid_request",
		},
		"method without challenge": {private, url.Values{"code_challenge": nil}, 302, "invalid_request"},
		"challenge without method": {private, url.Values{"code_challenge_method": nil}, 302, "invalid_request"},
		"plain":                    {public, url.Values{"code_challenge_method": {"plain"}}, 302, "invalid_request"},
		"method in lower case":     {public, url.Values{"code_challenge_method": {"s256"}}, 302, "invalid_request"},
		"short challenge":          {public, url.Values{"code_challenge": {rfcChallenge[1:]}}, 302, "invalid_request"},
		"malformed challenge": {
			public,
			url.Values{"code_challenge": {"+" + rfcChallenge[1:]}},
			302,
			"invalid_request",
		},
		"response_type twice": {public, url.Values{"response_type": {"code", "code"}}, 302, "invalid_request"},
		"scope twice":         {public, url.Values{"scope": {"identify", "identify"}}, 302, "invalid_request"},
		"state twice":         {public, url.Values{"state": {"a", "b"}}, 302, "invalid_request"},
		"challenge twice": {
			public,
			url.Values{"code_challenge": {rfcChallenge, rfcChallenge}},
			302,
			"invalid_request",
		},
		"method twice": {
			public,
			url.Values{"code_challenge_method": {"S256", "S256"}},
			302,
			"invalid_request",
		},
		"registered with a parameter": {
			private,
			url.Values{"redirect_uri": {redirectURI + "?from=1"}, "scope": {"x"}},
			302,
			"invalid_scope",
		},
	} {
		q := whole(c.app)
		for k, values := range c.set {
			if q[k] = values; values == nil {
				q.Del(k)
			}
		}
		for _, visitor := range []*webUser{user, newWebUser(t, p)} { // signed in and not
			visitor.open("/oauth/authorize?" + q.Encode())
			to := visitor.response.Header.Get("Location")
			if visitor.response.StatusCode != c.status || (c.status == 302) != (to != "") {
				t.Errorf("%s: got %d to %q, want %d", name, visitor.response.StatusCode, to, c.status)
				continue
			}
			if c.status != 302 {
				continue
			}
			back, err := url.Parse(to)
			if err != nil || !strings.HasPrefix(to, q.Get("redirect_uri")) || back.Query().Get("error") != c.error ||
				back.Query().Get("error_description") == "" || back.Query().Has("code") {
				t.Errorf("%s: got a redirect to %s, want the error %s", name, to, c.error)
			}
			if want := q.Get("state"); len(q["state"]) == 1 && back.Query().Get("state") != want || len(q["state"]) > 1 &&
				back.Query().Has("state") {
				t.Errorf("%s: got a redirect to %s, want the state %q", name, to, want)
			}
		}
	}

	here := "/oauth/authorize?" + whole(public).Encode()
	user.open(here).submit("/oauth/authorize", "decision", "deny").expect(302)
	if got, want := user.response.Header.Get("Location"), redirectURI+
		"?error=access_denied&error_description=The+user+refused.&state=x7Qp"; got != want {
		t.Errorf("deny: got a redirect to %s, want %s", got, want)
	}
	user.open(here).submit("/oauth/authorize", "decision", "perhaps").expect(400)

	// The user takes scopes out of the grant, and cannot add any.
	user.open(here).expect(200, "by Salted", "statistics, playtime")
	for ticked, want := range map[string]string{
		"": "identify", "main_access": "identify main_access", "online_status": "identify", "identify": "identify",
	} {
		user.open(here).submit("/oauth/authorize", "decision", "allow", "scopes", ticked).expect(302)
		back, err := url.Parse(user.response.Header.Get("Location"))
		if err != nil {
			t.Fatal(err)
		}
		res, body := exchange(t, p, url.Values{
			"grant_type": {"authorization_code"}, "redirect_uri": {redirectURI}, "client_id": {public},
			"code": {back.Query().Get("code")}, "code_verifier": {rfcVerifier},
		})
		if body["scope"] != want {
			t.Errorf("ticked %q: got %d %v, want the scope %q", ticked, res.StatusCode, body, want)
		}
	}
	user.open(here).submit("/oauth/authorize", "form", "x", "decision", "allow").expect(403)
	user.open(here)
	if csp := user.response.Header.Get("Content-Security-Policy"); !strings.Contains(csp,
		"form-action 'self' https://board.example;") {
		t.Errorf("got the policy %s, want form-action with the application's origin", csp)
	}
	user.headers.Set("Sec-Fetch-Site", "cross-site")
	user.open(here).expect(200).submit("/oauth/authorize", "decision", "allow").expect(403)
	if user.response.Header.Get("Location") != "" || user.response.Header.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("%v", user.response.Header)
	}

	// A guest signs in first and then returns to the same page.
	guest := newWebUser(t, p)
	guest.open(here).expect(200, "Sign in")
	guest.submit("/account/sign-in", "name", "Salted", "password", "a long password").
		expect(200, "wants access to your gamedata account")
	if guest.url.RequestURI() != here {
		t.Errorf("after sign-in: got %s, want %s", guest.url, here)
	}
	for _, next := range []string{
		"https://other.example/", "//other.example/oauth/authorize?x", "/\\other.example",
		"/oauth/authorize\r\nX: y?", "/account/sign-out",
	} {
		guest.open("/account/sign-in?next="+url.QueryEscape(next)).submit("/account/sign-in", "name", "Salted", "password",
			"a long password")
		if guest.url.Host != strings.TrimPrefix(p.base, "http://") || guest.url.Path != "/account" {
			t.Errorf("next=%q: got %s, want /account", next, guest.url)
		}
	}
}
