package auth

import (
	"errors"
	"testing"
	"time"

	"gamedata/graph"
)

// accessTokenOf exchanges a code of the private application for an access token.
func (d *fixture) accessTokenOf(secret string) string {
	d.t.Helper()
	token, bad := d.redeem(TokenRequest{
		Client: "private", Secret: secret, Code: d.issue("private", ""), RedirectURI: back,
	})
	if bad != "" {
		d.t.Fatal(bad)
	}
	return token
}

// Every combination of client, secret and token: only the application of a token revokes it, and an authenticated
// client gets the same response for each token.
func TestRevocationMatrix(t *testing.T) {
	d := newFixture(t)
	secret := d.applications()
	apiToken, _ := d.createToken("laptop", false)
	token := d.accessTokenOf(secret)
	tokens := map[string]string{
		"valid": token, "unknown": newSecret(accessToken), "malformed": "x", "digest": d.digest(token), "API token": apiToken,
		"with a space": token + " ",
	}
	secrets := map[string]string{"none": "", "right": secret, "wrong": newSecret(appSecret)}
	for _, app := range []string{"unknown", "public", "private"} {
		for s, sent := range secrets {
			want := ""
			switch {
			case app == "unknown", app == "private" && s != "right":
				want = InvalidClient
			case app == "public" && s != "none":
				want = InvalidRequest
			}
			for name, value := range tokens {
				err := d.Grants.RevokeToken(t.Context(), RevocationRequest{Client: app, Secret: sent, Token: value})
				var bad *OAuthError
				if errors.As(err, &bad) && bad.Name != want || (err == nil) != (want == "") {
					t.Errorf("%s, secret %s, token %s: got %v, want %q", app, s, name, err, want)
				}
				_, code := d.bearer("Bearer " + token)
				revoked := app == "private" && s == "right" && name == "valid"
				if (code == graph.InvalidToken) != revoked {
					t.Errorf("%s, secret %s, token %s: the token is valid: %v", app, s, name, code == "")
				}
				if revoked {
					token = d.accessTokenOf(secret)
					tokens["valid"], tokens["digest"], tokens["with a space"] = token, d.digest(token), token+" "
				}
			}
		}
	}
	if _, code := d.bearer("Bearer " + apiToken); code != "" {
		t.Errorf("the API token: got %q, want it valid", code)
	}
}

// While 1,000 revocations of one token run on two instances, other tokens of the grant are valid. Afterwards the token
// is rejected, by each instance within 5 s although it was cached.
func TestRevocationAtOnce(t *testing.T) {
	d := newFixture(t)
	secret := d.applications()
	instances := []*Accounts{d.Accounts, New(d.store, Options{Now: d.clock, Pepper: "salt"})}
	token, other := d.accessTokenOf(secret), d.accessTokenOf(secret)
	for _, a := range instances {
		if _, bad := a.Credentials.Bearer(t.Context(), "Bearer "+token); bad != nil {
			t.Fatal(bad)
		}
	}
	d.concurrently(1000, nil, func(i int) error {
		a := instances[i%2]
		if _, bad := a.Credentials.Bearer(t.Context(), "Bearer "+other); bad != nil {
			t.Errorf("another token of the grant: %v", bad)
		}
		return a.Grants.RevokeToken(t.Context(), RevocationRequest{"private", secret, token})
	})
	d.wait(5 * time.Second)
	for i, a := range instances {
		if _, bad := a.Credentials.Bearer(t.Context(), "Bearer "+token); bad != graph.ErrInvalidToken {
			t.Errorf("instance %d: got %v, want %v", i+1, bad, graph.ErrInvalidToken)
		}
	}
}
