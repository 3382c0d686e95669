package account

import (
	"net/url"
	"strconv"
	"strings"
	"testing"

	"gamedata/internal/app/apptest"
)

// The authorize page reports errors by redirect as documented, but never redirects to an unregistered address.
func TestAuthorizePage(t *testing.T) {
	t.Parallel()
	p, _ := apptest.StartDemo(t, "--session-rate", "1000")
	user := signedUp(t, p, "Salted")
	private := user.register("private", "on", "redirectUris", redirectURI+"\n"+redirectURI+"?from=1", "scopes", "MAIN_ACCESS")
	public := user.register("scopes", "MAIN_ACCESS")
	whole := func(app string) url.Values {
		return url.Values{
			"response_type": {"code"}, "client_id": {app}, "redirect_uri": {redirectURI},
			"scope": {"identify main_access"}, "state": {"x7Qp"},
			"code_challenge": {rfcChallenge}, "code_challenge_method": {"S256"},
		}
	}
	for name, c := range map[string]struct {
		app, drop, set string // names and a query
		want           string // a status, or the error on the redirect
	}{
		"public":                      {public, "", "", "200"},
		"private":                     {private, "", "", "200"},
		"private without PKCE":        {private, "code_challenge code_challenge_method", "", "200"},
		"no scope":                    {public, "scope", "", "200"},
		"empty scope":                 {public, "", "scope=", "200"},
		"scope twice in the list":     {public, "", "scope=main_access+main_access", "200"},
		"no state":                    {public, "state", "", "200"},
		"unknown parameter":           {public, "", "nonce=1&nonce=2", "200"},
		"unknown client":              {public, "", "client_id=unknown", "400"},
		"client not UTF-8":            {public, "", "client_id=%ff", "400"},
		"no client":                   {public, "client_id", "", "400"},
		"client twice":                {public, "", "client_id=" + public + "&client_id=" + public, "400"},
		"no redirect_uri":             {public, "redirect_uri", "", "400"},
		"redirect_uri twice":          {public, "", "redirect_uri=" + redirectURI + "&redirect_uri=" + redirectURI, "400"},
		"redirect_uri of another":     {public, "", "redirect_uri=" + redirectURI + "?from=1", "400"},
		"redirect_uri before errors":  {public, "", "redirect_uri=https://other.example/&response_type=token", "400"},
		"no response_type":            {public, "response_type", "", "unsupported_response_type"},
		"token":                       {public, "", "response_type=token", "unsupported_response_type"},
		"unknown scope":               {public, "", "scope=identify+everything", "invalid_scope"},
		"scope in capitals":           {public, "", "scope=IDENTIFY", "invalid_scope"},
		"scope not registered":        {public, "", "scope=online_status", "invalid_scope"},
		"public without challenge":    {public, "code_challenge code_challenge_method", "", "invalid_request"},
		"method without challenge":    {private, "code_challenge", "", "invalid_request"},
		"challenge without method":    {private, "code_challenge_method", "", "invalid_request"},
		"plain":                       {public, "", "code_challenge_method=plain", "invalid_request"},
		"method in lower case":        {public, "", "code_challenge_method=s256", "invalid_request"},
		"response_type twice":         {public, "", "response_type=code&response_type=code", "invalid_request"},
		"scope twice":                 {public, "", "scope=identify&scope=identify", "invalid_request"},
		"state twice":                 {public, "", "state=a&state=b", "invalid_request"},
		"challenge twice":             {public, "", "code_challenge=" + rfcChallenge + "&code_challenge=" + rfcChallenge, "invalid_request"},
		"method twice":                {public, "", "code_challenge_method=S256&code_challenge_method=S256", "invalid_request"},
		"registered with a parameter": {private, "", "redirect_uri=" + redirectURI + "?from=1&scope=x", "invalid_scope"},
	} {
		q := whole(c.app)
		for name := range strings.FieldsSeq(c.drop) {
			q.Del(name)
		}
		set, err := url.ParseQuery(c.set)
		if err != nil {
			t.Fatal(err)
		}
		for name, values := range set {
			q[name] = values
		}
		for _, visitor := range []*webUser{user, newWebUser(t, p)} { // signed in and not
			visitor.open("/oauth/authorize?" + q.Encode())
			if status, err := strconv.Atoi(c.want); err == nil {
				visitor.expect(status)
				if visitor.response.Header.Get("Location") != "" {
					t.Errorf("%s: redirects", name)
				}
				continue
			}
			back, state := visitor.expect(302).redirected(), q["state"]
			if !strings.HasPrefix(visitor.response.Header.Get("Location"), q.Get("redirect_uri")) ||
				back.Get("error") != c.want || back.Get("error_description") == "" || back.Has("code") ||
				len(state) == 1 && back.Get("state") != state[0] || len(state) > 1 && back.Has("state") {
				t.Errorf("%s: got a redirect to %v, want the error %s", name, back, c.want)
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
		_, body := exchange(t, p, codeForm(public, user.redirected().Get("code")))
		if body["scope"] != want {
			t.Errorf("ticked %q: got %v, want the scope %q", ticked, body, want)
		}
	}
	user.open(here).submit("/oauth/authorize", "form", "x", "decision", "allow").expect(403)
	user.open(here)
	if csp := user.response.Header.Get("Content-Security-Policy"); strings.Contains(csp, "form-action") ||
		!strings.Contains(csp, "default-src 'none'") || !strings.Contains(csp, "frame-ancestors 'none'") {
		t.Errorf("got the policy %s, want none for the redirects of the application", csp)
	}
	user.headers.Set("Sec-Fetch-Site", "cross-site")
	user.open(here).expect(200).submit("/oauth/authorize", "decision", "allow").expect(403)

	// A guest signs in first and then returns to the same page.
	guest := newWebUser(t, p).open(here).expect(200, "Sign in")
	guest.submit("/account/sign-in", "name", "Salted", "password", "a long password").
		expect(200, "wants access to your gamedata account")
	if guest.url.RequestURI() != here {
		t.Errorf("after sign-in: got %s, want %s", guest.url, here)
	}
}
