package app_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gamedata/internal/auth"
	"gamedata/internal/auth/oauth"
)

// The redirect URI of the tests' applications, and PKCE of RFC 7636 appendix B.
const (
	redirectURI  = "https://board.example/back"
	rfcVerifier  = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
	rfcChallenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
)

// exchange posts a form to the token endpoint.
func exchange(t *testing.T, p *program, form url.Values, headers ...string) (*http.Response, map[string]any) {
	t.Helper()
	return postForm(t, p, "/v3/oauth/token", form, headers...)
}

// postForm posts a form to an endpoint for applications.
func postForm(t *testing.T, p *program, path string, form url.Values, headers ...string) (
	*http.Response, map[string]any,
) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.base+path, strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	res, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var body map[string]any
	if err := json.NewDecoder(res.Body).Decode(&body); err != nil {
		t.Fatal(err)
	}
	return res, body
}

// A private application by form and by HTTP Basic, and a public one, exchange a code for a token once. No secret is
// logged.
func TestTokenExchange(t *testing.T) {
	t.Parallel()
	dir := demoDir(t)
	p := startService(t, "--demo", "--demo-still", "--players", "60", "--seed-time", "2026-03-20T00:00:00Z", "--data-dir",
		dir,
		"--log-level", "debug")
	createMembers(t, dir, "Veiled")
	private, secret := registerApplication(t, dir, "Veiled",
		application{[]string{redirectURI}, []string{"main_access"}, true})
	public, _ := registerApplication(t, dir, "Veiled", application{[]string{redirectURI}, []string{"main_access"}, false})
	scopes := []string{"identify", "main_access"}
	secrets := []string{secret, rfcVerifier}
	for name, c := range map[string]struct {
		app    string
		form   url.Values
		header []string
	}{
		"private": {private, url.Values{
			"client_id": {private}, "client_secret": {secret},
			"code_verifier": {rfcVerifier},
		}, nil},
		"private by Basic": {private, url.Values{"code_verifier": {rfcVerifier}}, []string{"Authorization", "Basic " +
			basic(private, secret)}},
		"public": {
			public,
			url.Values{"client_id": {public}, "code_verifier": {rfcVerifier}},
			[]string{"Authorization", "Bearer x", "Cookie", "__Host-session=x"},
		},
	} {
		code := issueCode(t, dir, "Veiled", auth.Grant{
			App: c.app, RedirectURI: redirectURI, Scopes: scopes,
			Challenge: rfcChallenge,
		})
		c.form.Set("grant_type", "authorization_code")
		c.form.Set("redirect_uri", redirectURI)
		c.form.Set("code", code)
		res, body := exchange(t, p, c.form, c.header...)
		token, _ := body["access_token"].(string)
		if d := cmp.Diff(map[string]any{
			"access_token": token, "token_type": "bearer", "expires_in": 2592000.0,
			"scope": "identify main_access",
		}, body); d != "" || res.StatusCode != 200 {
			t.Fatal(name, res.StatusCode, body, d)
		}
		for header, want := range map[string]string{
			"Cache-Control": "max-age=0, private, no-store", "Pragma": "no-cache",
			"Content-Type":                "application/json",
			"Access-Control-Allow-Origin": "*", "RateLimit-Bucket": "SHARED", "RateLimit-Limit": "50",
		} {
			if got := res.Header.Get(header); got != want {
				t.Errorf("%s: got %s: %q, want %q", name, header, got, want)
			}
		}
		if !regexp.MustCompile(`^gd_[\w-]{43}$`).MatchString(token) {
			t.Errorf("%s: got the token %q", name, token)
		}
		if res, body := exchange(t, p, c.form, c.header...); res.StatusCode != 400 || body["error"] != "invalid_grant" ||
			body["error_description"] != body["detail"] || body["code"] != 400.0 {
			t.Errorf("%s: again %d %v", name, res.StatusCode, body)
		}
		secrets = append(secrets, code, token)

		// The application revokes its token, with the same credentials.
		if res, _ := getWithToken(t, p, token, "/v3/oauth/me"); res.StatusCode != 200 {
			t.Errorf("%s: with the token: got %d", name, res.StatusCode)
		}
		c.form.Del("code")
		for _, value := range []string{token, token, "unknown"} {
			c.form.Set("token", value)
			res, body := postForm(t, p, oauth.RevokePath, c.form, c.header...)
			if res.StatusCode != 200 || len(body) != 0 || res.Header.Get("Cache-Control") != "max-age=0, private, no-store" ||
				res.Header.Get("Pragma") != "no-cache" || res.Header.Get("RateLimit-Bucket") != "SHARED" ||
				res.Header.Get("Access-Control-Allow-Origin") != "*" {
				t.Errorf("%s: revocation: %d %v %v", name, res.StatusCode, body, res.Header)
			}
		}
		if res, _ := getWithToken(t, p, token, "/v3/oauth/me"); res.StatusCode != 401 {
			t.Errorf("%s: with the revoked token: got %d, want 401", name, res.StatusCode)
		}
	}
	for name, c := range map[string]struct {
		form   url.Values
		header []string
		status int
		error  string
	}{
		"no token":    {url.Values{"client_id": {private}, "client_secret": {secret}}, nil, 400, "invalid_request"},
		"no client":   {url.Values{"token": {"x"}}, nil, 400, "invalid_request"},
		"token twice": {url.Values{"token": {"x", "y"}, "client_id": {public}}, nil, 400, "invalid_request"},
		"no secret":   {url.Values{"token": {"x"}, "client_id": {private}}, nil, 401, "invalid_client"},
		"wrong secret": {
			url.Values{"token": {"x"}}, []string{"Authorization", "Basic " + basic(private, "x")}, 401, "invalid_client",
		},
		"not a form": {
			url.Values{"token": {"x"}}, []string{"Content-Type", "application/json"}, 415, "UnsupportedMediaType",
		},
		"a hint of another kind": {
			url.Values{"token": {"x"}, "client_id": {public}, "token_type_hint": {"refresh_token"}}, nil, 200, "",
		},
	} {
		res, body := postForm(t, p, oauth.RevokePath, c.form, c.header...)
		if got, _ := body["error"].(string); res.StatusCode != c.status || got != c.error ||
			strings.Contains(name, "wrong") != (res.Header.Get("WWW-Authenticate") != "") {
			t.Errorf("revocation, %s: got %d %v, want %d %s", name, res.StatusCode, body, c.status, c.error)
		}
	}
	if res, _ := get(t, p.base+oauth.RevokePath); res.StatusCode != 405 || res.Header.Get("Allow") != "POST, OPTIONS" {
		t.Errorf("GET of the revocation endpoint: %d %v", res.StatusCode, res.Header)
	}
	if res, body := exchange(t, p, url.Values{
		"grant_type": {"authorization_code"}, "code": {"x"},
		"redirect_uri": {redirectURI}, "client_id": {private},
	}); res.StatusCode != 401 ||
		!strings.Contains(body["detail"].(string), "client secret") || res.Header.Get("WWW-Authenticate") != "" {
		t.Errorf("without the secret: %d %v", res.StatusCode, body)
	}
	for name, form := range map[string]url.Values{
		"large":     {"a": {strings.Repeat("x", 70_000)}},
		"not UTF-8": {"grant_type": {"authorization_code"}, "client_id": {"\xff"}},
	} {
		if res, body := exchange(t, p, form); res.StatusCode != 413 && body["error"] != "invalid_request" ||
			body["error_description"] == nil {
			t.Errorf("%s: %d %v", name, res.StatusCode, body)
		}
	}
	p.stop()
	cached, err := os.ReadFile(filepath.Join(dir, "gamedata.db"))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range secrets {
		if strings.Contains(p.stdout.String()+p.stderr.String(), s) || bytes.Contains(cached, []byte(s)) {
			t.Error("a secret is in the log or in the store")
		}
	}
}

func basic(id, secret string) string {
	r := &http.Request{Header: http.Header{}}
	r.SetBasicAuth(url.QueryEscape(id), url.QueryEscape(secret))
	return strings.TrimPrefix(r.Header.Get("Authorization"), "Basic ")
}

// A grant shows its user at /oauth/me and, of the user's own players, what its scopes allow.
func TestGrantScopesLimitFields(t *testing.T) {
	t.Parallel()
	dir := demoDir(t)
	p := startService(t, "--demo", "--demo-still", "--players", "60", "--seed-time", "2026-03-20T00:00:00Z",
		"--data-dir", dir)
	createMembers(t, dir, "Veiled", "Salted")
	app, _ := registerApplication(
		t,
		dir,
		"Salted",
		application{[]string{redirectURI}, []string{"main_access", "character_list_access"}, false},
	)
	token := func(account string, scopes ...string) string {
		code := issueCode(t, dir, account, auth.Grant{
			App: app, RedirectURI: redirectURI, Scopes: scopes, Challenge: rfcChallenge,
		})
		_, body := exchange(t, p, url.Values{
			"grant_type": {"authorization_code"}, "redirect_uri": {redirectURI},
			"client_id": {app}, "code": {code}, "code_verifier": {rfcVerifier},
		})
		return body["access_token"].(string)
	}
	veiled := castUUID("Veiled")
	path := "/v3/player/" + veiled
	for _, c := range []struct {
		name, token       string
		stats, characters int
	}{
		{"guest", "", 0, 403},
		{"identify", token("Veiled", "identify"), 0, 403},
		{"statistics", token("Veiled", "identify",
			"main_access"), 1, 403},
		{"both", token("Veiled", "character_list_access", "identify", "main_access"), 1, 200},
		{"another user", token("Salted", "character_list_access", "identify", "main_access"), 0, 403},
	} {
		_, body := getWithToken(t, p, c.token, path)
		if _, shown := body["globalData"]; shown != (c.stats == 1) {
			t.Errorf("%s: got statistics: %v, want %v", c.name, shown, !shown)
		}
		if res, _ := getWithToken(t, p, c.token, path+"/characters"); res.StatusCode != c.characters {
			t.Errorf("%s: got %d for the characters, want %d", c.name, res.StatusCode, c.characters)
		}
	}
	res, body := getWithToken(t, p, token("Veiled", "identify", "main_access"), "/v3/oauth/me")
	if res.StatusCode != 200 || res.Header.Get("Cache-Control") != "max-age=0, private, no-store" ||
		res.Header.Get("RateLimit-Bucket") != "SHARED" {
		t.Errorf("%d %v", res.StatusCode, res.Header)
	}
	var want any
	if err := json.Unmarshal([]byte(`{"application": {"client_id": "`+app+
		`", "scopes": ["identify", "main_access"]}, "profiles": {"`+veiled+`": {
		"username": "Veiled", "primary": true, "rank": "Player", "supportRank": null, "shortenedRank": "Player",
		"legacyRankColour": {"main": "#aaaaaa", "sub": "#ffffff"}, "rankBadge": "nextgen/badges/rank_player.svg",
		"accessRules": {"main_access": "private", "character_list_access": "private",
		"character_data_access": "private", "character_build_access": "private",
		"online_status": "private", "guild_history_access": "private", "weekly_access": "private"}}}}`), &want); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, any(body)); d != "" {
		t.Error(d)
	}
	own := createToken(t, dir, "Veiled")
	if res, body := getWithToken(t, p, own, "/v3/oauth/me"); res.StatusCode != 401 ||
		body["error"] != "InvalidTokenError" {
		t.Errorf("an API token: got %d %v, want 401", res.StatusCode, body)
	}
}

// The authorization server metadata (RFC 8414) uses the public URL of the settings.
func TestAuthorizationServerMetadata(t *testing.T) {
	dir := dataDir(t)
	for _, c := range []struct {
		args   []string
		issuer string
	}{{nil, ""}, {[]string{"--public-url", "https://data.example/"}, "https://data.example"}} {
		p := startService(t, append(c.args, "--data-dir", dir)...)
		if c.issuer == "" {
			c.issuer = p.base
		}
		r, body := get(t, p.base+oauth.MetadataPath)
		var got map[string]any
		if err := json.Unmarshal([]byte(body), &got); err != nil {
			t.Fatal(err)
		}
		if r.StatusCode != 200 || got["issuer"] != c.issuer || got["token_endpoint"] != c.issuer+"/v3/oauth/token" ||
			got["revocation_endpoint"] != c.issuer+"/oauth/revoke" ||
			got["authorization_endpoint"] != c.issuer+"/oauth/authorize" ||
			cmp.Diff(got["code_challenge_methods_supported"], []any{"S256"}) != "" ||
			r.Header.Get("Cache-Control") != "max-age=3600, public" {
			t.Errorf("%d %v %s", r.StatusCode, r.Header, body)
		}
		res, err := http.Post(p.base+oauth.MetadataPath, "text/plain", nil)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, res.Body)
		_ = res.Body.Close()
		if res.StatusCode != 405 || res.Header.Get("Allow") != "GET, HEAD, OPTIONS" {
			t.Errorf("POST: %d %v", res.StatusCode, res.Header)
		}
		p.stop()
	}
}
