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

// serveDemo starts a service with a demo world of its own, in dir.
func serveDemo(t *testing.T, more ...string) (p *program, dir string) {
	t.Helper()
	dir = demoDir(t)
	return start(t, append(append(demoFlags[:len(demoFlags):len(demoFlags)], "--data-dir", dir), more...)...), dir
}

// A user signs up, links the player whose code the game shows, and manages tokens.
func TestAccountPages(t *testing.T) {
	t.Parallel()
	p, dir := serveDemo(t, "--log-level", "debug")
	v := newBrowser(t, p)
	v.open("/account").has(200, "Sign in")
	v.signUp("Veiled one").has(200, "Veiled one", "No linked players yet.")
	if v.at.Path != "/account" || v.cookies["__Host-session"] == "" || v.cookies["__Host-form"] != "" {
		t.Fatal(v.at, v.cookies)
	}
	code := linkCode(t, dir, "Veiled")
	v.fill("/account/players/link", "code", "AAAA-BBBB-CCCC").has(404, "The code is unknown, used or expired.")
	v.fill("/account/players/link", "code", strings.ToLower(code)).has(200, "Player linked.",
		"<strong>Veiled</strong>", "primary")

	v.fill("/account/tokens/create", "name", "laptop", "description", "for <b>the</b> bus").has(200,
		"for &lt;b&gt;the&lt;/b&gt; bus", "never used")
	token := v.value("created-secret")
	if _, body := asBearer(t, p, token, "/v3/player/"+castUUID("Veiled")); body["globalData"] == nil {
		t.Error("the token does not see its owner's player")
	}
	v.open("/account").has(200, token[:10]+"…", "last used ")
	if strings.Contains(v.text, token) {
		t.Error("the value is shown again")
	}
	v.fill("/account/tokens/create", "name", "laptop").has(409, "The account has a token of that name.")
	v.fill("/account/tokens/create", "name", " ").has(400, "1 to 40 characters")
	v.fill("/account/tokens/edit", "description", "for trains", "public", "on").has(200, "Token changed.",
		`value="for trains"`, "checked")
	v.fill("/account/tokens/edit", "id", "another", "description", "x").has(404, "no token of that name")
	for _, name := range []string{"phone", "clock"} {
		v.fill("/account/tokens/create", "name", name).has(200)
	}
	if strings.Contains(v.text, "/account/tokens/create") {
		t.Error("a fourth token is offered")
	}
	v.fill("/account/tokens/delete").has(200, "Token deleted.")
	v.fill("/account/tokens/delete").has(429, "Another token was deleted a short while ago, wait 1")
	if v.answer.Header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}

	v.fill("/account/players/unlink").has(200, "Player unlinked.", "No linked players yet.")
	session := v.cookies["__Host-session"]
	v.fill("/account/sign-out").has(200, "Sign in")
	v.cookies["__Host-session"] = session
	v.open("/account").has(200, "No account yet?")

	// Another session for every sign-in, and the one before ends.
	v.cookies = map[string]string{}
	v.open("/account/sign-in").fill("/account/sign-in", "name", "veiled ONE", "password", "a long password").has(200,
		"Veiled one")
	first := v.cookies["__Host-session"]
	v.open("/account/sign-in").fill("/account/sign-in", "name", "Veiled one", "password", "a long password").has(200)
	if first == session || v.cookies["__Host-session"] == first {
		t.Error("a session came back")
	}
	other := v.cookies["__Host-session"]
	v.fill("/account/password", "present", "another password", "password", "a new password", "again",
		"a new password").has(403, "The current password is wrong.")
	v.fill("/account/password", "present", "a long password", "password", "a new password", "again",
		"a newer password").has(400, "differ")
	v.fill("/account/password", "present", "a long password", "password", "short", "again", "short").has(400,
		"10 to 128 characters")
	v.fill("/account/password", "present", "a long password", "password", "a new password", "again",
		"a new password").has(200, "Password changed", "Veiled one")
	if v.cookies["__Host-session"] == other {
		t.Error("the session is the same")
	}
	v.cookies["__Host-session"] = first
	v.open("/account").has(200, "No account yet?")
	p.stop()
	cached, err := os.ReadFile(filepath.Join(dir, "gamedata.db"))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{session, first, token, "a long password", code} {
		if strings.Contains(p.stdout.String()+p.stderr.String(), s) || bytes.Contains(cached, []byte(s)) {
			t.Error("a secret stands in the log, or in the store")
		}
	}
}

// Forms from elsewhere do nothing, and bad input is told so.
func TestPagesRefuse(t *testing.T) {
	t.Parallel()
	p, _ := serveDemo(t, "--guest-rate", "1000", "--session-rate", "1000")
	v := newBrowser(t, p)
	v.signUp("Salted").has(200)
	other := newBrowser(t, p)
	other.signUp("Brindle").has(200)
	cookies, create := v.cookies, func() *person { return v.open("/account").fill("/account/tokens/create", "name", "x") }
	for name, c := range map[string]struct {
		change func()
		status int
	}{
		"another site":    {func() { v.headers.Set("Sec-Fetch-Site", "cross-site") }, 403},
		"a neighbour":     {func() { v.headers.Set("Sec-Fetch-Site", "same-site") }, 403},
		"another origin":  {func() { v.headers.Set("Origin", "https://other.example") }, 403},
		"an opaque one":   {func() { v.headers.Set("Origin", "null") }, 403},
		"nothing changed": {func() {}, 200},
	} {
		c.change()
		if create(); v.answer.StatusCode != c.status {
			t.Errorf("%s: %d", name, v.answer.StatusCode)
		}
		v.headers = http.Header{}
	}
	for name, pairs := range map[string][]string{
		"no form token": {"-form", ""}, "empty": {"form", ""}, "of nobody": {"form", strings.Repeat("A", 43)},
		"of another session": {"form", attribute(find(other.page, hidden), "value")},
	} {
		v.open("/account").fill("/account/tokens/create", append(pairs, "name", "y")...)
		if v.answer.StatusCode != 403 {
			t.Errorf("%s: %d", name, v.answer.StatusCode)
		}
	}
	v.cookies = map[string]string{}
	for _, c := range []struct {
		name, password, again string
		status                int
		says                  string
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
		v.open("/account/sign-up").fill("/account/sign-up", "name", c.name, "password", c.password, "again",
			c.again).has(c.status, c.says)
	}
	for _, c := range []struct{ name, password string }{
		{"Salted", "a wrong password"},
		{"nobody", "a long password"},
		{"Salted", ""},
		{"\xff", "\xff"},
	} {
		v.open("/account/sign-in").fill("/account/sign-in", "name", c.name, "password", c.password).has(403,
			"The name or the password is wrong.")
	}
	for range 10 {
		v.open("/account/sign-in").fill("/account/sign-in", "name", "Salted", "password", "a wrong password")
	}
	if v.has(429, "Try again in"); v.answer.Header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	v.open("/account/sign-in").fill("/account/sign-in", "name", "\u017fALTED", "password", "a wrong password").has(429,
		"Try again in") // folds to the same name
	v.cookies = cookies
	for header, status := range map[string]int{"Bearer gdt_wrong": 401, "Basic YTpi": 401} {
		v.headers.Set("Authorization", header)
		if v.open("/account").has(status, "not valid"); v.answer.Header.Get("WWW-Authenticate") == "" {
			t.Errorf("%s: no WWW-Authenticate", header)
		}
	}
	v.headers.Add("Authorization", "Bearer gdt_wrong")
	v.open("/account/sign-in").has(400, "Send one Authorization header.")
	v.headers = http.Header{}
	for path, status := range map[string]int{
		"/account/": 404, "/account/nothing": 404, "/account/tokens/create": 405,
		"/page.css": 200,
	} {
		if v.open(path); v.answer.StatusCode != status {
			t.Errorf("%s: %d", path, v.answer.StatusCode)
		}
	}
	if v.open("/account"); !strings.Contains(v.answer.Header.Get("Content-Security-Policy"), "default-src 'none'") ||
		v.answer.Header.Get("Access-Control-Allow-Origin") != "" ||
		!strings.Contains(v.answer.Header.Get("Cache-Control"), "no-store") || strings.Contains(v.text, "http://") ||
		strings.Contains(v.text, "https://") {
		t.Errorf("%v", v.answer.Header)
	}
}

// config is an application as a standard client knows it.
func oauthConfig(p *program, id, secret string, scopes ...string) *oauth2.Config {
	return &oauth2.Config{
		ClientID: id, ClientSecret: secret, RedirectURL: boardBack, Scopes: scopes,
		Endpoint: oauth2.Endpoint{AuthURL: p.base + "/oauth/authorize", TokenURL: p.base + "/v3/oauth/token"},
	}
}

// local is an address of the service without its origin.
func local(p *program, address string) string { return strings.TrimPrefix(address, p.base) }

// A standard client (golang.org/x/oauth2, PKCE) gets a token through the real page, as a private
// application by HTTP Basic and by form, and as a public one. With the token it sees what its
// user granted of the user's own player, and loses it within 5 seconds when he withdraws.
func TestStandardClient(t *testing.T) {
	t.Parallel()
	p, dir := serveDemo(t, "--guest-rate", "1000")
	members(t, dir, "Shuttered")
	owner := newBrowser(t, p)
	owner.signUp("Owner").has(200)
	v := newBrowser(t, p)
	v.signUp("Veiled one")
	code := linkCode(t, dir, "Veiled")
	v.fill("/account/players/link", "code", code).has(200)
	register := func(kind string) (id, secret string) {
		owner.open("/account").fill("/account/applications/create", "name", "Moss board", "private",
			map[string]string{"private": "on"}[kind], "redirectUris", boardBack, "scopes", "main_access").has(200)
		if id = owner.value("created-id"); kind == "private" {
			secret = owner.value("created-secret")
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
			v.t, owner.t = t, t
			id, secret := register(c.kind)
			o := oauthConfig(p, id, secret, "main_access")
			o.Endpoint.AuthStyle = c.style
			verifier := oauth2.GenerateVerifier()
			v.open(local(p, o.AuthCodeURL("x7Qp &ü", oauth2.S256ChallengeOption(verifier)))).
				has(200, "Moss board", "Veiled one", "statistics, playtime", "linked to your account", "https://board.example")
			v.fill("/oauth/authorize", "decision", "allow").has(302)
			back, err := url.Parse(v.answer.Header.Get("Location"))
			if err != nil || !strings.HasPrefix(back.String(), boardBack+"?code=") || back.Query().Get("state") != "x7Qp &ü" ||
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
					t.Errorf("%s: %d, shown %v", path, r.StatusCode, shown)
				}
			}
			if _, me := asBearer(t, p, token.AccessToken,
				"/v3/oauth/me"); me["application"].(map[string]any)["client_id"] != id {
				t.Errorf("%v", me)
			}
			v.open("/account").has(200, "Moss board")
			v.fill("/account/grants/revoke").has(200, "Access revoked.", "None.")
			if c.kind != "public" { // waiting once is enough
				return
			}
			withdrawn := time.Now()
			for again := time.NewTicker(100 * time.Millisecond); ; <-again.C {
				asked := time.Since(withdrawn)
				if r, _ := asBearer(t, p, token.AccessToken, "/v3/oauth/me"); r.StatusCode == 401 {
					break
				}
				if asked > 5*time.Second {
					t.Fatal("the token lives on")
				}
			}
		})
	}
}
