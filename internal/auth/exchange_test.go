package auth

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/mongo"
)

const back = "https://board.example/back"

// applications adds a private and a public application and returns the secret of the former.
func (d *fixture) applications() string {
	d.t.Helper()
	secret := newSecret(appSecret)
	d.must(d.store.InsertApplication(d.t.Context(), &model.Application{
		ID: "private", Account: d.salted.ID,
		SecretDigest: d.digest(secret),
	}))
	d.must(d.store.InsertApplication(d.t.Context(), &model.Application{ID: "public", Account: d.salted.ID}))
	return secret
}

func (d *fixture) issue(app, challenge string) string {
	d.t.Helper()
	code, err := d.IssueCode(d.t.Context(), Grant{
		Account: d.salted.ID, App: app, RedirectURI: back,
		Scopes: []string{"identify", "main_access"}, Challenge: challenge,
	})
	d.must(err)
	return code
}

// redeem tells the name of the refusal, empty when there is none.
func (d *fixture) redeem(x TokenRequest) (token, refused string) {
	d.t.Helper()
	token, _, err := d.Redeem(d.t.Context(), x)
	var bad *OAuthError
	if errors.As(err, &bad) {
		return "", bad.Name
	}
	d.must(err)
	return token, ""
}

// SECURITY.md: client kind × secret × verifier × challenge has one expected answer a row. The
// expectation is WIRE §5.3, read row by row.
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
						t.Errorf("%s, secret %s, challenge %s, verifier %s: %q, want %q", app, s, challenge, v, got, want)
					}
					if got != "" {
						continue
					}
					granted++
					if v, bad := d.Bearer(t.Context(), "Bearer "+token); bad != nil || v.Account != d.salted.ID || v.App != app ||
						len(v.Scopes) != 2 {
						t.Errorf("the token makes %+v, %v", v, bad)
					}
				}
			}
		}
	}
	if granted != 3 {
		t.Errorf("%d tokens were given, want 3", granted)
	}
}

// A code is bound to application and redirect URI, and ends to the millisecond.
func TestCodeIsBound(t *testing.T) {
	d := newFixture(t)
	secret := d.applications()
	for name, c := range map[string]struct {
		of      string
		wait    time.Duration
		uri     string
		refused string
	}{
		"in time": {"private", CodeLifetime - time.Millisecond, back, ""}, "too late": {"private", CodeLifetime, back, InvalidGrant},
		"much too late": {"private", time.Hour, back, InvalidGrant}, "another's": {"public", 0, back, InvalidGrant},
		"another URI": {"private", 0, back + "/", InvalidGrant}, "URI in capitals": {
			"private", 0,
			"https://BOARD.example/back", InvalidGrant,
		},
	} {
		code := d.issue(c.of, "")
		d.wait(c.wait)
		if _, refused := d.redeem(TokenRequest{
			Client: "private", Secret: secret, Code: code,
			RedirectURI: c.uri,
		}); refused != c.refused {
			t.Errorf("%s: %q, want %q", name, refused, c.refused)
		}
	}
	for _, code := range []string{"", "x", newSecret(authCode), d.digest(d.issue("private", ""))} {
		if _, refused := d.redeem(TokenRequest{
			Client: "private", Secret: secret, Code: code,
			RedirectURI: back,
		}); refused != InvalidGrant {
			t.Errorf("%q: %q", code, refused)
		}
	}
}

// SECURITY.md: replay revokes only for the rightful client, and only later than 10 s.
func TestReplay(t *testing.T) {
	d := newFixture(t)
	secret := d.applications()
	for name, c := range map[string]struct {
		wait  time.Duration
		again TokenRequest
		lives bool
	}{
		"at once": {0, TokenRequest{Client: "private", Secret: secret, RedirectURI: back, Verifier: rfcVerifier}, true},
		"10 s later": {10 * time.Second, TokenRequest{
			Client: "private", Secret: secret, RedirectURI: back,
			Verifier: rfcVerifier,
		}, true},
		"later": {10*time.Second + time.Millisecond, TokenRequest{
			Client: "private", Secret: secret, RedirectURI: back,
			Verifier: rfcVerifier,
		}, false},
		"days later": {72 * time.Hour, TokenRequest{
			Client: "private", Secret: secret, RedirectURI: back,
			Verifier: rfcVerifier,
		}, false},
		"wrong secret": {
			time.Minute,
			TokenRequest{Client: "private", Secret: "x", RedirectURI: back, Verifier: rfcVerifier},
			true,
		},
		"another client": {time.Minute, TokenRequest{Client: "public", RedirectURI: back, Verifier: rfcVerifier}, true},
		"another URI": {time.Minute, TokenRequest{
			Client: "private", Secret: secret, RedirectURI: back + "?",
			Verifier: rfcVerifier,
		}, true},
		"wrong verifier": {time.Minute, TokenRequest{
			Client: "private", Secret: secret, RedirectURI: back,
			Verifier: rfcVerifier[:42] + "l",
		}, true},
		"missing verifier": {time.Minute, TokenRequest{Client: "private", Secret: secret, RedirectURI: back}, true},
	} {
		code := d.issue("private", rfcChallenge)
		token, refused := d.redeem(TokenRequest{
			Client: "private", Secret: secret, Code: code, RedirectURI: back,
			Verifier: rfcVerifier,
		})
		if refused != "" {
			t.Fatal(name, refused)
		}
		d.wait(c.wait)
		c.again.Code = code
		if _, refused := d.redeem(c.again); refused == "" {
			t.Errorf("%s: a second token", name)
		}
		d.wait(credentialMaxAge)
		if _, bad := d.bearer("Bearer " + token); (bad == "") != c.lives || bad != "" && bad != graph.InvalidToken {
			t.Errorf("%s: the first token is refused with %q", name, bad)
		}
	}
}

// SECURITY.md: of 1,000 who redeem one code at once, at two instances, exactly one gets a
// token, and the store holds one.
func TestCodeAtOnce(t *testing.T) {
	d := newFixture(t)
	secret := d.applications()
	for range 3 {
		d.redeemAtOnce(secret)
	}
}

// BenchmarkCodeAtOnce is the same for as many rounds as wanted: -benchtime 100x is the promise.
func BenchmarkCodeAtOnce(b *testing.B) {
	d := newFixture(b)
	secret := d.applications()
	for b.Loop() {
		d.redeemAtOnce(secret)
	}
}

func (d *fixture) redeemAtOnce(secret string) {
	d.t.Helper()
	instances := []*Accounts{d.Accounts, New(d.store, Options{Now: d.clock, Pepper: "salt"})}
	const at = 1000
	x := TokenRequest{
		Client: "private", Secret: secret, Code: d.issue("private", rfcChallenge), RedirectURI: back,
		Verifier: rfcVerifier,
	}
	var got, refused atomic.Int64
	var group sync.WaitGroup
	for i := range at {
		group.Go(func() {
			_, _, err := instances[i%2].Redeem(d.t.Context(), x)
			switch {
			case err == nil:
				got.Add(1)
			case errors.Is(err, ErrInvalidCode):
				refused.Add(1)
			default:
				d.t.Error(err)
			}
		})
	}
	group.Wait()
	if got.Load() != 1 || refused.Load() != at-1 {
		d.t.Errorf("%d got a token, %d were refused", got.Load(), refused.Load())
	}
	stored, err := d.store.AccessTokensByAccount(d.t.Context(), []string{d.salted.ID})
	d.must(err)
	if len(stored[0]) != 1 {
		d.t.Errorf("%d tokens are stored", len(stored[0]))
	}
	d.must(d.store.RevokeGrant(d.t.Context(), d.salted.ID, "private"))
}

// A withdrawn grant takes the codes that nobody redeemed yet.
func TestWithdrawnCode(t *testing.T) {
	d := newFixture(t)
	secret := d.applications()
	code := d.issue("private", "")
	d.must(d.store.RevokeGrant(t.Context(), d.salted.ID, "private"))
	if _, refused := d.redeem(TokenRequest{
		Client: "private", Secret: secret, Code: code,
		RedirectURI: back,
	}); refused != InvalidGrant {
		t.Errorf("a withdrawn code: %q", refused)
	}
}

// A store that fails refuses nobody: it cannot tell.
func TestExchangeWithoutStore(t *testing.T) {
	t.Parallel() // it waits for a server that is gone
	d := newFixture(t)
	secret := d.applications()
	x := TokenRequest{Client: "private", Secret: secret, Code: d.issue("private", ""), RedirectURI: back}
	d.must(d.server.Close())
	if _, _, err := d.Redeem(t.Context(), x); !errors.Is(err, mongo.ErrUnavailable) {
		t.Errorf("redeeming: %v", err)
	}
	if _, err := d.SignIn(t.Context(), "Salted", password, ""); !errors.Is(err, mongo.ErrUnavailable) {
		t.Errorf("signing in: %v", err)
	}
}
