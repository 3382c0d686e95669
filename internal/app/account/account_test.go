package account

import (
	"bytes"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/oauth2"

	"gamedata/internal/app/apptest"
)

// A user signs up, links the player whose code the game shows, and manages tokens.
func TestAccountPages(t *testing.T) {
	t.Parallel()
	p, dir := apptest.StartDemo(t, "--log-level", "debug")
	user := newWebUser(t, p).open("/account").expect(200, "Sign in")
	user.signUp("Veiled one").expect(200, "Veiled one", "Welcome!", "link your player")
	if user.url.Path != "/account" || user.cookies["__Host-session"] == "" || user.cookies["__Host-form"] != "" {
		t.Fatal(user.url, user.cookies)
	}
	code := apptest.LinkCode(t, dir, "Veiled")
	user.open("/account/players").expect(200, "No linked players yet.")
	user.submit("/account/players/link", "code", "AAAA-BBBB-CCCC").
		rejected(404, "code", "The code is unknown, used or expired.", `value="AAAA-BBBB-CCCC"`)
	user.submit("/account/players/link", "code", strings.ToLower(code)).expect(200, "Player linked.",
		"Unlink <bdi>Veiled</bdi>", "primary", "All privacy settings are restricted")

	user.open("/account/tokens").submit("/account/tokens/create", "name", "laptop", "description", "for <b>the</b> bus",
		"days", "30").expect(200, "for &lt;b&gt;the&lt;/b&gt; bus", "<dt>Last used</dt><dd>never", "<dt>Expires</dt><dd><time")
	token := user.fieldValue("created-secret")
	if _, body := apptest.GetWithToken(t, p, token, "/v3/player/"+apptest.CastUUID("Veiled")); body["globalData"] == nil {
		t.Error("the token does not see its owner's player")
	}
	user.open("/account/tokens").expect(200, token[:10]+"…", "<dt>Last used</dt><dd><time", "Player 1")
	if strings.Contains(user.text, token) {
		t.Error("the token is shown again")
	}
	user.submit("/account/tokens/create", "name", "laptop", "description", "trams", "days", "90", "public", "on").
		rejected(409, "name", "The account has a token of that name.", `value="laptop"`, `value="trams"`,
			`value="90" selected`)
	user.submit("/account/tokens/create", "name", "x", "days", "31").expect(400)
	user.open("/account/tokens")
	user.submit("/account/tokens/edit", "description", "for trains", "public", "on").expect(200, "Token changed.",
		`value="for trains"`, "checked")
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
	user.submit("/account/security/password", "password", "a long password", "newPassword", "a new password", "again",
		"a new password").expect(200, "Password changed", "Veiled one")
	if user.cookies["__Host-session"] == other {
		t.Error("the session is the same")
	}
	user.cookies["__Host-session"] = first
	user.open("/account").expect(200, "No account yet?")
	p.Stop()
	cached := apptest.ReadFile(t, filepath.Join(dir, "gamedata.db"))
	for _, s := range []string{session, first, token, "a long password", code} {
		if strings.Contains(p.Stdout.String()+p.Stderr.String(), s) || bytes.Contains(cached, []byte(s)) {
			t.Error("a secret is in the log or in the store")
		}
	}
}

// Forms from other sites are rejected, and invalid input gets an error message.
func TestAccountPagesRejectInvalidRequests(t *testing.T) {
	t.Parallel()
	p, _ := apptest.StartDemo(t)
	user, other := signedUp(t, p, "Salted"), signedUp(t, p, "Brindle")
	for name, c := range map[string]struct {
		header, value string
		fields        []string
		status        int
	}{
		"another site":       {"Sec-Fetch-Site", "cross-site", nil, 403},
		"an opaque origin":   {"Origin", "null", nil, 403},
		"no form token":      {"", "", []string{"-form", ""}, 403},
		"of no session":      {"", "", []string{"form", strings.Repeat("A", 43)}, 403},
		"of another session": {"", "", []string{"form", attribute(find(other.page, hidden), "value")}, 403},
		"nothing changed":    {"", "", nil, 200},
	} {
		t.Run(name, func(t *testing.T) {
			user.open("/account/tokens")
			if c.header != "" {
				user.headers.Set(c.header, c.value)
			}
			user.submit("/account/tokens/create", append(c.fields, "name", "x")...)
			user.headers = (http.Header{})
			if user.response.StatusCode != c.status {
				t.Errorf("got %d, want %d", user.response.StatusCode, c.status)
			}
		})
	}
	cookies := user.cookies
	user.cookies = map[string]string{}
	for name, want := range map[string]string{"Okapi": "differ", "sALTED": "Another account has that name."} {
		again := map[bool]string{true: "long enough!", false: "long enough"}[name == "Okapi"]
		user.open("/account/sign-up").
			submit("/account/sign-up", "name", name, "password", "long enough", "again", again).expect(400, want)
	}
	user.signIn("\xff", "\xff").expect(403, "The name or the password is wrong.")
	user.cookies = cookies
	for header, status := range map[string]int{"Bearer gdt_wrong": 401, "Basic YTpi": 401} {
		user.headers.Set("Authorization", header)
		user.open("/account").expect(status, "not valid")
		if user.response.Header.Get("WWW-Authenticate") == "" {
			t.Errorf("%s: got no WWW-Authenticate", header)
		}
	}
	user.headers = http.Header{}
	for path, status := range map[string]int{
		"/account/": 404, "/account/nothing": 404, "/account/tokens/create": 200, "/account/tokens/delete?id=x": 404,
		"/page.css": 200,
	} {
		user.open(path)
		if user.response.StatusCode != status {
			t.Errorf("%s: %d", path, user.response.StatusCode)
		}
	}
	h := user.open("/account").response.Header
	if !strings.Contains(h.Get("Content-Security-Policy"), "default-src 'none'") ||
		h.Get("Access-Control-Allow-Origin") != "" || !strings.Contains(h.Get("Cache-Control"), "no-store") ||
		strings.Contains(user.text, "http://") || strings.Contains(user.text, "https://") {
		t.Errorf("%v", h)
	}
}

// A standard client (golang.org/x/oauth2, PKCE) of a private application gets a token through the consent page. With
// the token it sees what the user granted of their own player. It loses access when the user revokes it.
func TestStandardOAuthClient(t *testing.T) {
	t.Parallel()
	p, dir := apptest.StartDemo(t)
	owner, user := signedUp(t, p, "Owner"), signedUp(t, p, "Veiled one").link(dir, "Veiled")
	o := &oauth2.Config{
		ClientID: owner.register("private", "on", "scopes", "MAIN_ACCESS"), ClientSecret: owner.fieldValue("created-secret"),
		RedirectURL: redirectURI, Scopes: []string{"main_access"},
		Endpoint: oauth2.Endpoint{AuthURL: p.Base + "/oauth/authorize", TokenURL: p.Base + "/v3/oauth/token"},
	}
	verifier := oauth2.GenerateVerifier()
	user.open(strings.TrimPrefix(o.AuthCodeURL("x7Qp &ü", oauth2.S256ChallengeOption(verifier)), p.Base)).
		expect(200, "Moss board", "Veiled one", "statistics, playtime", "linked to your account", "https://board.example")
	user.submit("/oauth/authorize", "decision", "allow").expect(302)
	back := user.redirected()
	if back.Get("state") != "x7Qp &ü" || len(back) != 2 {
		t.Fatal(back)
	}
	token, err := o.Exchange(t.Context(), back.Get("code"), oauth2.VerifierOption(verifier))
	if err != nil {
		t.Fatal(err)
	}
	if token.TokenType != "bearer" || token.Extra("scope") != "identify main_access" || token.RefreshToken != "" {
		t.Errorf("%+v", token)
	}
	for player, want := range map[string]bool{"Veiled": true, "Shuttered": false} {
		res, err := o.Client(t.Context(), token).Get(p.Base + "/v3/player/" + apptest.CastUUID(player))
		if err != nil {
			t.Fatal(err)
		}
		if r := apptest.Read(t, res); r.Status != 200 || r.Has(`"globalData":`) != want {
			t.Errorf("%s: got %d, want statistics: %v", player, r.Status, want)
		}
	}
	user.open("/account/access").expect(200, "Moss board", "statistics, playtime")
	user.confirm("/account/access/revoke").expect(200, "Access revoked.", "No application has access")
	res, _ := apptest.GetWithToken(t, p, token.AccessToken, "/v3/oauth/me")
	res.Expect(t, "a revoked token", 401)
}
