package auth

import (
	"errors"
	"testing"
	"time"

	"gamedata/graph"
	"gamedata/graph/model"
)

const back = "https://board.example/back"

// applications adds a private and a public application and returns the secret of the former.
func (d *fixture) applications() string {
	d.t.Helper()
	secret := newSecret(appSecret)
	for id, digest := range map[string]string{"private": d.digest(secret), "public": ""} {
		d.must(d.store.Applications.Insert(d.t.Context(), &model.Application{
			ClientID: id, Account: d.salted.ID, SecretDigest: digest,
		}))
	}
	return secret
}

func (d *fixture) issue(app, challenge string) string {
	d.t.Helper()
	code, err := d.Grants.IssueCode(d.t.Context(), Grant{
		Account: d.salted.ID, App: app, RedirectURI: back,
		Scopes: []string{"identify", "main_access"}, Challenge: challenge,
	})
	d.must(err)
	return code
}

// redeem returns the name of the OAuth2 error, "" for none.
func (d *fixture) redeem(x TokenRequest) (token, oauthErr string) {
	d.t.Helper()
	token, _, err := d.Grants.Redeem(d.t.Context(), x)
	var bad *OAuthError
	if errors.As(err, &bad) {
		return "", bad.Name
	}
	d.must(err)
	return token, ""
}

// Every combination of client kind, secret, verifier and challenge, with the result that
// docs/spec/wire.md, "5.3 POST /oauth/token" demands.
func TestExchangeMatrix(t *testing.T) {
	d := newFixture(t)
	secret := d.applications()
	expected := func(app, secret, challenge, verifier string) string {
		switch {
		case app == "unknown" || app == "private" && secret != "right":
			return InvalidClient
		case app == "public" && secret != "none" || app == "public" && verifier == "none":
			return InvalidRequest
		case challenge == "none" && verifier == "none" || challenge == "set" && verifier == "right":
			return ""
		}
		return InvalidGrant
	}
	secrets := map[string]string{
		"none": "", "right": secret, "wrong": newSecret(appSecret), "garbage": "x",
		"digest": d.digest(secret),
	}
	verifiers := map[string]string{"none": "", "right": rfcVerifier, "wrong": rfcVerifier[:42] + "l"}
	granted := 0
	for _, app := range []string{"private", "public", "unknown"} {
		for s, sent := range secrets {
			for challenge, set := range map[string]string{"none": "", "set": rfcChallenge} {
				for v, verifier := range verifiers {
					token, got := d.redeem(TokenRequest{
						Client: app, Secret: sent, Code: d.issue(app, set), RedirectURI: back,
						Verifier: verifier,
					})
					if want := expected(app, s, challenge, v); got != want {
						t.Errorf("%s, secret %s, challenge %s, verifier %s: got %q, want %q", app, s, challenge, v, got, want)
					}
					if got != "" {
						continue
					}
					granted++
					v, bad := d.Credentials.Bearer(t.Context(), "Bearer "+token)
					if bad != nil || v.Account != d.salted.ID || v.App != app || len(v.Scopes) != 2 {
						t.Errorf("the token authenticates %+v, %v", v, bad)
					}
				}
			}
		}
	}
	if granted != 3 {
		t.Errorf("got %d tokens, want 3", granted)
	}
}

// A code is bound to its application and redirect URI and expires to the millisecond.
func TestCodeIsBound(t *testing.T) {
	d := newFixture(t)
	secret := d.applications()
	for name, c := range map[string]struct {
		of       string
		wait     time.Duration
		uri      string
		oauthErr string
	}{
		"in time":             {"private", CodeLifetime - time.Millisecond, back, ""},
		"too late":            {"private", CodeLifetime, back, InvalidGrant},
		"much too late":       {"private", time.Hour, back, InvalidGrant},
		"another application": {"public", 0, back, InvalidGrant},
		"another URI":         {"private", 0, back + "/", InvalidGrant},
		"URI in capitals":     {"private", 0, "https://BOARD.example/back", InvalidGrant},
	} {
		code := d.issue(c.of, "")
		d.wait(c.wait)
		x := TokenRequest{Client: "private", Secret: secret, Code: code, RedirectURI: c.uri}
		if _, oauthErr := d.redeem(x); oauthErr != c.oauthErr {
			t.Errorf("%s: %q, want %q", name, oauthErr, c.oauthErr)
		}
	}
	for _, code := range []string{"", "x", newSecret(authCode), d.digest(d.issue("private", ""))} {
		x := TokenRequest{Client: "private", Secret: secret, Code: code, RedirectURI: back}
		if _, oauthErr := d.redeem(x); oauthErr != InvalidGrant {
			t.Errorf("%q: %q", code, oauthErr)
		}
	}
}

// A second use of a code revokes its token only if the same client sends it later than 10 seconds.
func TestReplay(t *testing.T) {
	d := newFixture(t)
	secret := d.applications()
	for name, c := range map[string]struct {
		wait   time.Duration
		change func(*TokenRequest)
		lives  bool
	}{
		"at once":          {0, func(*TokenRequest) {}, true},
		"10 s later":       {10 * time.Second, func(*TokenRequest) {}, true},
		"later":            {10*time.Second + time.Millisecond, func(*TokenRequest) {}, false},
		"days later":       {72 * time.Hour, func(*TokenRequest) {}, false},
		"wrong secret":     {time.Minute, func(x *TokenRequest) { x.Secret = "x" }, true},
		"another client":   {time.Minute, func(x *TokenRequest) { x.Client, x.Secret = "public", "" }, true},
		"another URI":      {time.Minute, func(x *TokenRequest) { x.RedirectURI += "?" }, true},
		"wrong verifier":   {time.Minute, func(x *TokenRequest) { x.Verifier = rfcVerifier[:42] + "l" }, true},
		"missing verifier": {time.Minute, func(x *TokenRequest) { x.Verifier = "" }, true},
	} {
		x := TokenRequest{
			Client: "private", Secret: secret, Code: d.issue("private", rfcChallenge), RedirectURI: back, Verifier: rfcVerifier,
		}
		token, oauthErr := d.redeem(x)
		if oauthErr != "" {
			t.Fatal(name, oauthErr)
		}
		d.wait(c.wait)
		c.change(&x)
		if _, oauthErr := d.redeem(x); oauthErr == "" {
			t.Errorf("%s: a second token", name)
		}
		d.wait(credentialMaxAge)
		if _, bad := d.bearer("Bearer " + token); (bad == "") != c.lives || bad != "" && bad != graph.InvalidToken {
			t.Errorf("%s: the first token is oauthErr with %q", name, bad)
		}
	}
}

// Of 1,000 concurrent exchanges of one code on two instances exactly one gets a token, and the store
// has one.
func TestCodeAtOnce(t *testing.T) {
	d := newFixture(t)
	secret := d.applications()
	instances := []*Accounts{d.Accounts, New(d.store, Options{Now: d.clock, Pepper: "salt"})}
	for range 3 {
		x := TokenRequest{
			Client: "private", Secret: secret, Code: d.issue("private", rfcChallenge), RedirectURI: back, Verifier: rfcVerifier,
		}
		got := d.concurrently(1000, ErrInvalidCode, func(i int) error {
			_, _, err := instances[i%2].Grants.Redeem(t.Context(), x)
			return err
		})
		stored, err := d.store.Grants.Of(t.Context(), d.salted.ID)
		d.must(err)
		if got != 1 || len(stored) != 1 {
			t.Errorf("got %d tokens, %d stored, want 1", got, len(stored))
		}
		d.must(d.store.Grants.Revoke(t.Context(), d.salted.ID, "private"))
	}
}

// Revoking a grant deletes its unused codes.
func TestRevokedCode(t *testing.T) {
	d := newFixture(t)
	secret := d.applications()
	code := d.issue("private", "")
	d.must(d.store.Grants.Revoke(t.Context(), d.salted.ID, "private"))
	x := TokenRequest{Client: "private", Secret: secret, Code: code, RedirectURI: back}
	if _, oauthErr := d.redeem(x); oauthErr != InvalidGrant {
		t.Errorf("revoked code: got %q, want %q", oauthErr, InvalidGrant)
	}
}
