package app_test

import (
	"bytes"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/oauth2"
)

// serveDemo starts a service with its own demo world in dir.
func serveDemo(t *testing.T, more ...string) (p *program, dir string) {
	t.Helper()
	dir = demoDir(t)
	return startService(t, append(append(demoFlags[:len(demoFlags):len(demoFlags)], "--data-dir", dir), more...)...), dir
}

// A user signs up, links the player whose code the game shows, and manages tokens.
func TestAccountPages(t *testing.T) {
	t.Parallel()
	p, dir := serveDemo(t, "--log-level", "debug")
	user := newWebUser(t, p)
	user.open("/account").expect(200, "Sign in")
	user.signUp("Veiled one").expect(200, "Veiled one", "Welcome!", "link your player")
	if user.url.Path != "/account" || user.cookies["__Host-session"] == "" || user.cookies["__Host-form"] != "" {
		t.Fatal(user.url, user.cookies)
	}
	code := linkCode(t, dir, "Veiled")
	user.open("/account/players").expect(200, "No linked players yet.")
	user.submit("/account/players/link", "code", "AAAA-BBBB-CCCC").expect(404, "The code is unknown, used or expired.")
	user.submit("/account/players/link", "code", strings.ToLower(code)).expect(200, "Player linked.",
		"Unlink Veiled", "primary", "All privacy settings are restricted")

	user.open("/account/tokens").submit("/account/tokens/create", "name", "laptop", "description", "for <b>the</b> bus",
		"days", "30").expect(200, "for &lt;b&gt;the&lt;/b&gt; bus", "never used", "<dt>Expires</dt><dd><time")
	token := user.fieldValue("created-secret")
	if _, body := getWithToken(t, p, token, "/v3/player/"+castUUID("Veiled")); body["globalData"] == nil {
		t.Error("the token does not see its owner's player")
	}
	user.open("/account/tokens").expect(200, token[:10]+"…", "<dt>Last used</dt><dd><time", "Player 1")
	if strings.Contains(user.text, token) {
		t.Error("the token is shown again")
	}
	user.submit("/account/tokens/create", "name", "laptop").expect(409, "The account has a token of that name.")
	user.submit("/account/tokens/create", "name", " ").expect(400, "1 to 40 characters")
	user.submit("/account/tokens/create", "name", "x", "days", "31").expect(400)
	user.open("/account/tokens")
	user.submit("/account/tokens/edit", "description", "for trains", "public", "on").expect(200, "Token changed.",
		`value="for trains"`, "checked")
	user.submit("/account/tokens/edit", "id", "another", "description", "x").expect(404, "no token of that name")
	for _, name := range []string{"phone", "clock"} {
		user.submit("/account/tokens/create", "name", name).expect(200)
	}
	if strings.Contains(user.text, "/account/tokens/create") {
		t.Error("got a form for a fourth token, want none")
	}
	user.confirm("/account/tokens/delete").expect(200, "Token deleted.")
	user.confirm("/account/tokens/delete").expect(429, "Another token was deleted a short while ago, wait 1")
	if user.response.Header.Get("Retry-After") == "" {
		t.Error("got no Retry-After")
	}

	user.open("/account/players").
		confirm("/account/players/unlink").expect(200, "Player unlinked.", "No linked players yet.")
	session := user.cookies["__Host-session"]
	user.submit("/account/sign-out").expect(200, "Sign in")
	user.cookies["__Host-session"] = session
	user.open("/account").expect(200, "No account yet?")
	user.open("/account/tokens").expect(200, "No account yet?")

	// Every sign-in creates a new session and ends the one before.
	user.cookies = map[string]string{}
	user.signIn("veiled ONE", "a long password").expect(200, "Veiled one")
	first := user.cookies["__Host-session"]
	user.signIn("Veiled one", "a long password").expect(200)
	if first == session || user.cookies["__Host-session"] == first {
		t.Error("the session is reused")
	}
	other := user.cookies["__Host-session"]
	user.open("/account/security")
	user.submit("/account/security/password", "password", "another password", "newPassword", "a new password", "again",
		"a new password").expect(403, "The current password is wrong.")
	user.submit("/account/security/password", "password", "a long password", "newPassword", "a new password", "again",
		"a newer password").expect(400, "differ")
	user.submit("/account/security/password", "password", "a long password", "newPassword", "short", "again",
		"short").expect(400, "10 to 128 characters")
	user.submit("/account/security/password", "password", "a long password", "newPassword", "a new password", "again",
		"a new password").expect(200, "Password changed", "Veiled one")
	if user.cookies["__Host-session"] == other {
		t.Error("the session is the same")
	}
	user.cookies["__Host-session"] = first
	user.open("/account").expect(200, "No account yet?")
	p.stop()
	cached, err := os.ReadFile(filepath.Join(dir, "gamedata.db"))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{session, first, token, "a long password", code} {
		if strings.Contains(p.stdout.String()+p.stderr.String(), s) || bytes.Contains(cached, []byte(s)) {
			t.Error("a secret is in the log or in the store")
		}
	}
}

// Forms from other sites are rejected, and invalid input gets an error message.
func TestAccountPagesRejectInvalidRequests(t *testing.T) {
	t.Parallel()
	p, _ := serveDemo(t, "--guest-rate", "1000", "--session-rate", "1000")
	user := newWebUser(t, p)
	user.signUp("Salted").expect(200)
	other := newWebUser(t, p)
	other.signUp("Brindle").expect(200)
	cookies := user.cookies
	create := func() { user.open("/account/tokens").submit("/account/tokens/create", "name", "x") }
	for name, c := range map[string]struct {
		change func()
		status int
	}{
		"another site":    {func() { user.headers.Set("Sec-Fetch-Site", "cross-site") }, 403},
		"a neighbour":     {func() { user.headers.Set("Sec-Fetch-Site", "same-site") }, 403},
		"another origin":  {func() { user.headers.Set("Origin", "https://other.example") }, 403},
		"an opaque one":   {func() { user.headers.Set("Origin", "null") }, 403},
		"nothing changed": {func() {}, 200},
	} {
		c.change()
		if create(); user.response.StatusCode != c.status {
			t.Errorf("%s: %d", name, user.response.StatusCode)
		}
		user.headers = http.Header{}
	}
	for name, pairs := range map[string][]string{
		"no form token": {"-form", ""}, "empty": {"form", ""}, "of no session": {"form", strings.Repeat("A", 43)},
		"of another session": {"form", attribute(find(other.page, hidden), "value")},
	} {
		user.open("/account/tokens").submit("/account/tokens/create", append(pairs, "name", "y")...)
		if user.response.StatusCode != 403 {
			t.Errorf("%s: %d", name, user.response.StatusCode)
		}
	}
	user.cookies = map[string]string{}
	for _, c := range []struct {
		name, password, again string
		status                int
		want                  string
	}{
		{"Okapi", "too short", "too short", 400, "10 to 128 characters"},
		{
			"Okapi", strings.Repeat("x", 129),
			strings.Repeat("x", 129), 400, "10 to 128 characters",
		},
		{"Okapi", "long enough", "long enough!", 400, "differ"},
		{
			"", "long enough", "long enough", 400,
			"1 to 40 characters",
		},
		{"a\x00b", "long enough", "long enough", 400, "1 to 40 characters"},
		{
			"\xff", "long enough", "long enough", 400,
			"1 to 40 characters",
		},
		{"sALTED", "long enough", "long enough", 400, "Another account has that name."},
	} {
		user.open("/account/sign-up").submit("/account/sign-up", "name", c.name, "password", c.password, "again",
			c.again).expect(c.status, c.want)
	}
	for _, c := range []struct{ name, password string }{
		{"Salted", "a wrong password"},
		{"Unknown", "a long password"},
		{"Salted", ""},
		{"\xff", "\xff"},
	} {
		user.signIn(c.name, c.password).expect(403, "The name or the password is wrong.")
	}
	for range 10 {
		user.signIn("Salted", "a wrong password")
	}
	if user.expect(429, "Try again in"); user.response.Header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	user.signIn("\u017fALTED", "a wrong password").expect(429, "Try again in") // the same name after case folding
	user.cookies = cookies
	for header, status := range map[string]int{"Bearer gdt_wrong": 401, "Basic YTpi": 401} {
		user.headers.Set("Authorization", header)
		if user.open("/account").expect(status, "not valid"); user.response.Header.Get("WWW-Authenticate") == "" {
			t.Errorf("%s: got no WWW-Authenticate", header)
		}
	}
	user.headers.Add("Authorization", "Bearer gdt_wrong")
	user.open("/account/sign-in").expect(400, "Send one Authorization header.")
	user.headers = http.Header{}
	for path, status := range map[string]int{
		"/account/": 404, "/account/nothing": 404, "/account/tokens/create": 200, "/account/tokens/delete?id=x": 404,
		"/page.css": 200,
	} {
		if user.open(path); user.response.StatusCode != status {
			t.Errorf("%s: %d", path, user.response.StatusCode)
		}
	}
	if user.open("/account"); !strings.Contains(user.response.Header.Get("Content-Security-Policy"),
		"default-src 'none'") ||
		user.response.Header.Get("Access-Control-Allow-Origin") != "" ||
		!strings.Contains(user.response.Header.Get("Cache-Control"), "no-store") || strings.Contains(user.text, "http://") ||
		strings.Contains(user.text, "https://") {
		t.Errorf("%v", user.response.Header)
	}
}

// oauthConfig returns the configuration of a standard client.
func oauthConfig(p *program, id, secret string, scopes ...string) *oauth2.Config {
	return &oauth2.Config{
		ClientID: id, ClientSecret: secret, RedirectURL: redirectURI, Scopes: scopes,
		Endpoint: oauth2.Endpoint{AuthURL: p.base + "/oauth/authorize", TokenURL: p.base + "/v3/oauth/token"},
	}
}

// localPath returns a URL of the service without its origin.
func localPath(p *program, address string) string { return strings.TrimPrefix(address, p.base) }

// A standard client (golang.org/x/oauth2, PKCE) gets a token through the consent page, as a private application by HTTP
// Basic and by form, and as a public one. With the token it sees what the user granted of their own player. It loses
// access within 5 seconds after the user revoked it.
func TestStandardOAuthClient(t *testing.T) {
	t.Parallel()
	p, dir := serveDemo(t, "--guest-rate", "1000")
	createMembers(t, dir, "Shuttered")
	owner := newWebUser(t, p)
	owner.signUp("Owner").expect(200)
	user := newWebUser(t, p)
	user.signUp("Veiled one")
	code := linkCode(t, dir, "Veiled")
	user.open("/account/players").submit("/account/players/link", "code", code).expect(200)
	register := func(kind string) (id, secret string) {
		owner.open("/account/applications").submit("/account/applications/create", "name", "Moss board", "private",
			map[string]string{"private": "on"}[kind], "redirectUris", redirectURI, "scopes", "MAIN_ACCESS").expect(200)
		if id = owner.fieldValue("created-id"); kind == "private" {
			secret = owner.fieldValue("created-secret")
		}
		return id, secret
	}
	for name, c := range map[string]struct {
		kind  string
		style oauth2.AuthStyle
	}{
		"private by Basic": {"private", oauth2.AuthStyleInHeader}, "private by form": {"private", oauth2.AuthStyleInParams},
		"public":                  {"public", oauth2.AuthStyleInParams},
		"private, whatever works": {"private", oauth2.AuthStyleAutoDetect},
	} {
		t.Run(name, func(t *testing.T) {
			user.t, owner.t = t, t
			id, secret := register(c.kind)
			o := oauthConfig(p, id, secret, "main_access")
			o.Endpoint.AuthStyle = c.style
			verifier := oauth2.GenerateVerifier()
			user.open(localPath(p, o.AuthCodeURL("x7Qp &ü", oauth2.S256ChallengeOption(verifier)))).
				expect(200, "Moss board", "Veiled one", "statistics, playtime", "linked to your account", "https://board.example")
			user.submit("/oauth/authorize", "decision", "allow").expect(302)
			back, err := url.Parse(user.response.Header.Get("Location"))
			if err != nil || !strings.HasPrefix(back.String(), redirectURI+"?code=") ||
				back.Query().Get("state") != "x7Qp &ü" ||
				len(back.Query()) != 2 {
				t.Fatal(back, err)
			}
			token, err := o.Exchange(t.Context(), back.Query().Get("code"), oauth2.VerifierOption(verifier))
			if err != nil {
				t.Fatal(err)
			}
			if token.TokenType != "bearer" || token.Extra("scope") != "identify main_access" || token.RefreshToken != "" {
				t.Errorf("%+v", token)
			}
			for path, want := range map[string]bool{castUUID("Veiled"): true, castUUID("Shuttered"): false} {
				r, err := o.Client(t.Context(), token).Get(p.base + "/v3/player/" + path)
				if err != nil {
					t.Fatal(err)
				}
				body := decodeBody[map[string]any](t, readAll(t, r))
				if _, shown := body["globalData"]; r.StatusCode != 200 || shown != want {
					t.Errorf("%s: got %d, statistics %v, want 200, %v", path, r.StatusCode, shown, want)
				}
			}
			if _, me := getWithToken(t, p, token.AccessToken,
				"/v3/oauth/me"); me["application"].(map[string]any)["client_id"] != id {
				t.Errorf("/v3/oauth/me: got %v, want the client %s", me, id)
			}
			user.open("/account/access").expect(200, "Moss board", "statistics, playtime")
			user.confirm("/account/access/revoke").expect(200, "Access revoked.", "No application has access")
			if c.kind != "public" { // waiting once is enough
				return
			}
			revoked := time.Now()
			for poll := time.NewTicker(100 * time.Millisecond); ; <-poll.C {
				elapsed := time.Since(revoked)
				if r, _ := getWithToken(t, p, token.AccessToken, "/v3/oauth/me"); r.StatusCode == 401 {
					break
				}
				if elapsed > 5*time.Second {
					t.Fatal("the token is still valid after 5 s")
				}
			}
		})
	}
}
