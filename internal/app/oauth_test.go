package app_test

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/auth"
	"gamedata/internal/demo/seed"
	"gamedata/mongo"
	"gamedata/mongo/conn"
	"gamedata/mongo/embedded"
)

// newSecret returns a new secret of a kind and the digest that the store has of it without a pepper.
func newSecret(kind string) (secret, digest string) {
	b := make([]byte, 28)
	_, _ = rand.Read(b)
	secret = kind + base64.RawURLEncoding.EncodeToString(binary.BigEndian.AppendUint32(b,
		crc32.ChecksumIEEE(append([]byte(kind), b...))))
	m := hmac.New(sha256.New, nil)
	m.Write([]byte(secret))
	return secret, base64.RawURLEncoding.EncodeToString(m.Sum(nil))
}

// An application sees of its user's players what its scopes allow, and of other players what a guest sees. A session
// sees what its user sees. Both have their own rate limit.
func TestApplicationsAndSessions(t *testing.T) {
	dir := demoDir(t)
	p := startService(t, "--demo", "--players", "60", "--seed-time", "2026-03-20T00:00:00Z", "--data-dir", dir)
	joined, err := embedded.Join(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	store, err := mongo.Open(t.Context(), mongo.Options{Options: conn.Options{
		URI: joined.URI(), Dialer: joined, Timeout: 20 * time.Second,
		ServerSelectionTimeout: 20 * time.Second,
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close(t.Context())
	uuids := map[string]string{}
	for _, m := range seed.Cast {
		uuids[m.Username] = m.UUID
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(store.Accounts.Insert(t.Context(), &model.Account{ID: "user", Name: "User", Profiles: []string{
		uuids["Veiled"],
		uuids["Salted"],
	}}))
	must(store.Applications.Insert(t.Context(), &model.Application{ClientID: "board", Name: "Moss board"}))
	expires := time.Now().Add(time.Hour)
	grant := func(scopes ...string) string {
		secret, digest := newSecret("gd_")
		must(store.Grants.InsertToken(t.Context(), &model.AccessToken{
			Digest: digest, Account: "user", App: "board",
			Scopes: scopes, Expires: expires,
		}))
		return "Bearer " + secret
	}
	cookie, digest := newSecret("gds_")
	must(store.Sessions.Insert(t.Context(), &model.Session{Digest: digest, Account: "user", Expires: expires}))
	main, none := grant("identify", "main_access"), grant("identify")

	for _, c := range []struct {
		name, header, value, player string
		main, online                bool
		left                        string
	}{
		{"guest", "X-Nothing", "", "Veiled", false, false, "49"},
		{"granted", "Authorization", main, "Veiled", true, false, "119"},
		{"nothing granted", "Authorization", none, "Veiled", false, false, "118"},
		{"another player, a friend of Salted", "Authorization", main, "Companion", false, false, "117"},
		{"session, own player", "Cookie", "__Host-session=" + cookie, "Veiled", true, true, "119"},
		{"session, a friend of Salted", "Cookie", "__Host-session=" + cookie, "Companion", true, true, "118"},
		{"session, in the guild of Salted", "Cookie", "__Host-session=" + cookie, "Hearthside", true, true, "117"},
		{"session, a hidden player", "Cookie", "__Host-session=" + cookie, "Shuttered", false, false, "116"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.base+"/v3/player/"+uuids[c.player], nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set(c.header, c.value)
			res := send(t, r, nil)
			body := decodeBody[struct {
				Online     bool
				GlobalData *struct{}
			}](t, res.body)
			if res.status != 200 || (body.GlobalData != nil) != c.main || body.Online != c.online ||
				res.header.Get("RateLimit-Remaining") != c.left {
				t.Errorf("got %d, main %v, online %v, %s remaining", res.status, body.GlobalData != nil, body.Online,
					res.header.Get("RateLimit-Remaining"))
			}
		})
	}
}

// An application learns where its user's players are only with the scope online_status, from whoami and player
// locations of both APIs as from everywhere else. No player is online from the address of the requests.
func TestPresenceNeedsTheScope(t *testing.T) {
	svc := newTestService(t)
	private, public := svc.createOwner("Veiled")
	account, err := svc.users.AccountByName(t.Context(), "owner of Veiled")
	if err != nil {
		t.Fatal(err)
	}
	app, _, err := svc.users.CreateApplication(t.Context(), account.ID, "Board", []string{redirectURI},
		model.ScopeNames[1:], false)
	if err != nil {
		t.Fatal(err)
	}
	grant := func(scopes []string) string {
		code, err := svc.users.IssueCode(t.Context(), auth.Grant{
			App: app.ClientID, Account: account.ID, RedirectURI: redirectURI, Scopes: scopes, Challenge: rfcChallenge,
		})
		if err != nil {
			t.Fatal(err)
		}
		token, _, err := svc.users.Redeem(t.Context(), auth.TokenRequest{
			Client: app.ClientID, Code: code, RedirectURI: redirectURI, Verifier: rfcVerifier,
		})
		if err != nil {
			t.Fatal(err)
		}
		return "Bearer " + token
	}
	others := slices.DeleteFunc(slices.Clone(model.ScopeNames), func(s string) bool { return s == "online_status" })
	for _, c := range []struct {
		name, credential string
		status           int
	}{
		{"guest", "", 403},
		{"token in Public Mode", public, 403},
		{"application, identify alone", grant([]string{"identify"}), 403},
		{"application, every other scope", grant(others), 403},
		{"application, online_status", grant([]string{"identify", "online_status"}), 200},
		{"token", private, 200},
	} {
		t.Run(c.name, func(t *testing.T) {
			headers := []string{"X-Forwarded-For", "203.0.113.9"}
			if c.credential != "" {
				headers = append(headers, "Authorization", c.credential)
			}
			for _, path := range []string{"/v3/player/whoami", "/v3/map/locations/player"} {
				res := svc.request(http.MethodGet, path, "", headers...)
				res.expect(t, path, c.status)
				if c.status == 403 {
					const want = `{"error":"Forbidden","detail":"No online player could be resolved for this request.","code":403}`
					if string(res.body) != want {
						t.Errorf("%s: got %s, want %s", path, res.body, want)
					}
				}
			}
			res := svc.request(http.MethodGet, "/graphql?query="+url.QueryEscape(
				`{ whoami { username } playerLocations { position { x } server characterUuid } viewer { profiles { online server } } }`), "",
				headers...)
			if shown := strings.Contains(string(res.body), "EU37"); shown != (c.status == 200) {
				t.Errorf("GraphQL: got %s", res.body)
			}
		})
	}
}
