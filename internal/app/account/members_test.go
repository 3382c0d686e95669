package account

import (
	"context"
	"net/http"
	"net/url"
	"os"
	"testing"

	"gamedata/internal/app/apptest"
	"gamedata/internal/auth"
)

func TestMain(m *testing.M) { os.Exit(apptest.Main(m)) }

type application struct{ id, secret string }

// The redirect URI of the tests' applications, and PKCE of RFC 7636 appendix B.
const (
	redirectURI  = "https://board.example/back"
	rfcVerifier  = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
	rfcChallenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
)

func createApplication(t testing.TB, dir, account string, private bool, scopes ...string) application {
	t.Helper()
	return apptest.InStore(t, dir, func(ctx context.Context, a *auth.Accounts) (application, error) {
		created, secret, err := a.Applications.Create(ctx, account, "Moss board", []string{redirectURI}, scopes, private)
		return application{created.ClientID, secret}, err
	})
}

// issueCode issues a code as if the user of an account had agreed.
func issueCode(t testing.TB, dir, account, app string, scopes ...string) string {
	t.Helper()
	return apptest.InStore(t, dir, func(ctx context.Context, a *auth.Accounts) (string, error) {
		return a.Grants.IssueCode(ctx, auth.Grant{
			Account: account, App: app, RedirectURI: redirectURI, Scopes: scopes, Challenge: rfcChallenge,
		})
	})
}

// accessToken returns a token of a public application with scopes of an account.
func accessToken(t testing.TB, dir, account, app string, scopes ...string) string {
	t.Helper()
	code := issueCode(t, dir, account, app, scopes...)
	return apptest.InStore(t, dir, func(ctx context.Context, a *auth.Accounts) (string, error) {
		token, _, err := a.Grants.Redeem(ctx, auth.TokenRequest{
			Client: app, Code: code, RedirectURI: redirectURI, Verifier: rfcVerifier,
		})
		return token, err
	})
}

// codeForm is the form with which a public application exchanges a code.
func codeForm(app, code string) url.Values {
	return url.Values{
		"grant_type": {"authorization_code"}, "redirect_uri": {redirectURI}, "client_id": {app}, "code": {code},
		"code_verifier": {rfcVerifier},
	}
}

func postForm(t *testing.T, p *apptest.Program, path string, form url.Values, headers ...string) (
	apptest.Response, map[string]any,
) {
	t.Helper()
	headers = append([]string{"Content-Type", "application/x-www-form-urlencoded"}, headers...)
	res := apptest.Request(t, http.MethodPost, p.Base+path, form.Encode(), headers...)
	return res, apptest.Decode[map[string]any](t, res.Body)
}

func exchange(t *testing.T, p *apptest.Program, form url.Values, headers ...string) (apptest.Response, map[string]any) {
	t.Helper()
	return postForm(t, p, "/v3/oauth/token", form, headers...)
}
