package account

import (
	"bytes"
	"encoding/base64"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gamedata/internal/app/apptest"
	"gamedata/internal/auth/oauth"
)

// A private application by form and by HTTP Basic, and a public one, exchange a code for a token once, and revoke it.
// No secret is logged or stored.
func TestTokenExchange(t *testing.T) {
	t.Parallel()
	p, dir := apptest.StartDemo(t, "--log-level", "debug")
	veiled := apptest.CreateMember(t, dir, "Veiled")
	private := createApplication(t, dir, veiled, true, "main_access")
	public := createApplication(t, dir, veiled, false, "main_access")
	secrets := []string{private.secret, rfcVerifier}
	uncached := []string{
		"Cache-Control", "max-age=0, private, no-store", "Pragma", "no-cache", "Content-Type", "application/json",
		"Access-Control-Allow-Origin", "*", "RateLimit-Bucket", "SHARED",
	}
	basic := "Basic " + base64.StdEncoding.EncodeToString([]byte(private.id+":"+private.secret))
	for name, c := range map[string]struct {
		app, secret string
		header      []string
	}{
		"private":          {private.id, private.secret, nil},
		"private by Basic": {private.id, "", []string{"Authorization", basic}},
		"public":           {public.id, "", []string{"Authorization", "Bearer x", "Cookie", "__Host-session=x"}},
	} {
		t.Run(name, func(t *testing.T) {
			code := issueCode(t, dir, veiled, c.app, "identify", "main_access")
			form := codeForm(c.app, code)
			form.Set("client_secret", c.secret)
			res, body := exchange(t, p, form, c.header...)
			res.Expect(t, "exchange", 200, uncached...)
			token, _ := body["access_token"].(string)
			if d := cmp.Diff(map[string]any{
				"access_token": token, "token_type": "bearer", "expires_in": 2592000.0, "scope": "identify main_access",
			}, body); d != "" || !regexp.MustCompile(`^gd_[\w-]{43}$`).MatchString(token) {
				t.Fatal(d)
			}
			res, body = exchange(t, p, form, c.header...)
			res.Expect(t, "again", 400)
			if body["error"] != "invalid_grant" || body["error_description"] != body["detail"] || body["code"] != 400.0 {
				t.Errorf("again: %v", body)
			}
			secrets = append(secrets, code, token)

			// The application revokes its token, with the same credentials.
			res, _ = apptest.GetWithToken(t, p, token, "/v3/oauth/me")
			res.Expect(t, "with the token", 200, "Cache-Control", "max-age=0, private, no-store", "RateLimit-Bucket", "SHARED")
			form.Del("code")
			for _, value := range []string{token, token, "unknown"} {
				form.Set("token", value)
				res, body := postForm(t, p, oauth.RevokePath, form, c.header...)
				res.Expect(t, "revocation", 200, uncached...)
				if len(body) != 0 {
					t.Errorf("revocation: %v", body)
				}
			}
			res, _ = apptest.GetWithToken(t, p, token, "/v3/oauth/me")
			res.Expect(t, "with the revoked token", 401)
		})
	}
	const realm = `Basic realm="applications", charset="UTF-8"`
	for name, c := range map[string]struct {
		token, client, header, value string
		status                       int
		error, authenticate          string
	}{
		"no token":     {"", public.id, "Origin", "", 400, "invalid_request", ""},
		"no secret":    {"x", private.id, "Origin", "", 401, "invalid_client", ""},
		"wrong secret": {"x", "", "Authorization", basic[:len(basic)-8], 401, "invalid_client", realm},
		"not a form":   {"x", "", "Content-Type", "application/json", 415, "UnsupportedMediaType", ""},
	} {
		form := url.Values{"token": {c.token}, "client_id": {c.client}}
		res, body := postForm(t, p, oauth.RevokePath, form, c.header, c.value)
		res.Expect(t, "revocation, "+name, c.status, "WWW-Authenticate", c.authenticate)
		if body["error"] != c.error {
			t.Errorf("revocation, %s: got %v, want %s", name, body, c.error)
		}
	}
	apptest.Get(t, p.Base+oauth.RevokePath).Expect(t, "GET", 405, "Allow", "POST, OPTIONS")
	res, _ := exchange(t, p, url.Values{"a": {strings.Repeat("x", 70_000)}})
	res.Expect(t, "a large form", 413)
	p.Stop()
	stored := apptest.ReadFile(t, filepath.Join(dir, "gamedata.db"))
	for _, s := range secrets {
		if strings.Contains(p.Stdout.String()+p.Stderr.String(), s) || bytes.Contains(stored, []byte(s)) {
			t.Error("a secret is in the log or in the store")
		}
	}
}

// A grant shows its user at /oauth/me and, of the user's own players, what its scopes allow. A session sees what its
// user sees. Both have their own rate limit.
func TestGrantScopesLimitFields(t *testing.T) {
	t.Parallel()
	p, dir := apptest.StartDemo(t, "--guest-rate", "50")
	veiled, okapi := apptest.CreateMember(t, dir, "Veiled"), apptest.CreateMember(t, dir, "Okapi")
	app := createApplication(t, dir, okapi, false, "main_access", "character_list_access").id
	user := signedUp(t, p, "Reader").link(dir, "Salted")
	cookie := "__Host-session=" + user.cookies["__Host-session"]
	grant := func(account string, scopes ...string) string {
		return "Bearer " + accessToken(t, dir, account, app, append(scopes, "identify")...)
	}
	for _, c := range []struct {
		name, header, value, player string
		stats                       bool
		characters                  int
		limit                       string
	}{
		{"guest", "Authorization", "", "Veiled", false, 403, "50"},
		{"identify", "Authorization", grant(veiled), "Veiled", false, 403, "120"},
		{"statistics", "Authorization", grant(veiled, "main_access"), "Veiled", true, 403, "120"},
		{"both", "Authorization", grant(veiled, "main_access", "character_list_access"), "Veiled", true, 200, "120"},
		{"another user", "Authorization", grant(okapi, "main_access", "character_list_access"), "Veiled", false, 403, "120"},
		{"session", "Cookie", cookie, "Veiled", false, 403, "120"},
		{"session, a friend", "Cookie", cookie, "Companion", true, 200, "120"},
		{"session, in the guild", "Cookie", cookie, "Hearthside", true, 200, "120"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := p.Base + "/v3/player/" + apptest.CastUUID(c.player)
			res := apptest.Get(t, path, c.header, c.value)
			res.Expect(t, path, 200, "RateLimit-Limit", c.limit)
			if res.Has(`"globalData":`) != c.stats {
				t.Errorf("shows the statistics: %v, want %v", !c.stats, c.stats)
			}
			apptest.Get(t, path+"/characters", c.header, c.value).Expect(t, "characters", c.characters)
		})
	}
	_, body := apptest.GetWithToken(t, p, accessToken(t, dir, veiled, app, "identify", "main_access"), "/v3/oauth/me")
	want := apptest.Decode[map[string]any](t, []byte(`{"application": {"client_id": "`+app+
		`", "scopes": ["identify", "main_access"]}, "profiles": {"`+apptest.CastUUID("Veiled")+`": {
		"username": "Veiled", "primary": true, "rank": "Player", "supportRank": null, "shortenedRank": "Player",
		"legacyRankColour": {"main": "#aaaaaa", "sub": "#ffffff"}, "rankBadge": "nextgen/badges/rank_player.svg",
		"accessRules": {"main_access": "private", "character_list_access": "private",
		"character_data_access": "private", "character_build_access": "private",
		"online_status": "private", "guild_history_access": "private", "weekly_access": "private"}}}}`))
	if d := cmp.Diff(want, body); d != "" {
		t.Error(d)
	}
	res, body := apptest.GetWithToken(t, p, apptest.CreateToken(t, dir, veiled), "/v3/oauth/me")
	res.Expect(t, "an API token", 401)
	if body["error"] != "InvalidTokenError" {
		t.Errorf("an API token: got %v", body)
	}
}

// The authorization server metadata (RFC 8414) uses the public URL of the settings.
func TestAuthorizationServerMetadata(t *testing.T) {
	t.Parallel()
	public := apptest.Start(t, "--public-url", "https://data.example/", "--data-dir", apptest.Dir(t))
	for p, issuer := range map[*apptest.Program]string{
		apptest.Shared(t): apptest.Shared(t).Base, public: "https://data.example",
	} {
		res := apptest.Get(t, p.Base+oauth.MetadataPath)
		res.Expect(t, issuer, 200, "Cache-Control", "max-age=3600, public")
		got := apptest.Decode[map[string]any](t, res.Body)
		for name, want := range map[string]string{
			"issuer": issuer, "token_endpoint": issuer + "/v3/oauth/token", "revocation_endpoint": issuer + "/oauth/revoke",
			"authorization_endpoint": issuer + "/oauth/authorize",
		} {
			if got[name] != want {
				t.Errorf("%s: got %v, want %s", name, got[name], want)
			}
		}
		apptest.Request(t, "POST", p.Base+oauth.MetadataPath, "").Expect(t, "POST", 405, "Allow", "GET, HEAD, OPTIONS")
	}
}
