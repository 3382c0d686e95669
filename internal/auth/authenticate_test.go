package auth

import (
	"errors"
	"fmt"
	"net/netip"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/graph/viewer"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// fixture is Accounts on a real store, with a clock that moves only by wait. Its time is in the future: the store
// deletes what has expired by its own clock.
type fixture struct {
	*Accounts
	t      testing.TB
	server *mongotest.Server
	mu     sync.Mutex
	time   time.Time
	salted *model.Account
}

func newFixture(t testing.TB, changes ...func(*mongo.Options)) *fixture {
	t.Helper()
	store, server := mongotest.Open(t, changes...)
	d := &fixture{t: t, server: server, time: time.Date(2126, 3, 20, 12, 0, 0, 0, time.UTC)}
	d.Accounts = New(store, Options{Now: d.clock, Pepper: "salt"})
	var err error
	if d.salted, err = d.Create(t.Context(), "Salted"); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{"p1", "p2"} {
		if err := store.Accounts.Edit(t.Context(), d.salted.ID, func(a *model.Account) error {
			a.Profiles = append(a.Profiles, p)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	return d
}

// failSoon makes operations fail quickly once the server is closed.
var failSoon = mongotest.WithSelectionTimeout(200 * time.Millisecond)

func (d *fixture) clock() time.Time {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.time
}

func (d *fixture) wait(w time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.time = d.time.Add(w)
}

func (d *fixture) must(err error) {
	d.t.Helper()
	if err != nil {
		d.t.Fatal(err)
	}
}

// finds returns how many find commands the store has run.
func (d *fixture) finds() int64 { return d.server.Stats().Commands["find"] }

// bearer authenticates and returns the error code, "" for none.
func (d *fixture) bearer(value string) (viewer.Viewer, graph.Code) {
	v, err := d.Credentials.Bearer(d.t.Context(), value)
	if err != nil {
		return v, err.Code
	}
	return v, ""
}

// createToken creates an API token that does not expire.
func (d *fixture) createToken(name string, public bool) (value string, token *model.APIToken) {
	d.t.Helper()
	value, token, err := d.Tokens.Create(d.t.Context(), d.salted.ID, name, "", public, nil)
	d.must(err)
	return value, token
}

// grant stores an access token of an application.
func (d *fixture) grant(app, account string, life time.Duration) string {
	d.t.Helper()
	s := newSecret(accessToken)
	d.must(d.store.Grants.Insert(d.t.Context(), &model.AccessToken{
		Digest: d.digest(s), Account: account, App: app, Scopes: []string{"main_access", "identify"},
		Expires: d.time.Add(life),
	}))
	return s
}

func TestViewers(t *testing.T) {
	d := newFixture(t)
	value, token := d.createToken("laptop", false)
	public, publicToken := d.createToken("site", true)
	d.must(d.store.Applications.Insert(t.Context(), &model.Application{ClientID: "board", Account: d.salted.ID}))
	signIn := func(account string, life time.Duration) string {
		s := newSecret(session)
		d.must(d.store.Sessions.Insert(t.Context(), &model.Session{
			Digest: d.digest(s), Account: account, ExpiresAt: d.time.Add(life),
		}))
		return s
	}
	id := d.salted.ID
	ofDeletedApp, ofDeletedAccount := d.grant("deleted", id, time.Hour), d.grant("board", "deleted", time.Hour)
	granted, signedIn := d.grant("board", id, time.Hour), signIn(id, time.Hour)
	linked := viewer.Viewer{Account: id, Profiles: []string{"p1", "p2"}}
	byToken, byGrant, bySession := linked, linked, linked
	byToken.Kind, byToken.Token = viewer.Token, token.Key
	byGrant.Kind, byGrant.App, byGrant.Scopes = viewer.OAuth, "board", []string{"identify", "main_access"}
	bySession.Kind, bySession.Session = viewer.Session, d.digest(signedIn)
	inPublic := viewer.Viewer{Kind: viewer.Token, Account: id, Token: publicToken.Key, Public: true}
	for name, c := range map[string]struct {
		header, cookie string
		want           viewer.Viewer
		code           graph.Code
	}{
		"token":                        {"Bearer " + value, "", byToken, ""},
		"any case, more spaces":        {"bEARER   " + value, "", byToken, ""},
		"public token":                 {"Bearer " + public, "", inPublic, ""},
		"access token":                 {"Bearer " + granted, "", byGrant, ""},
		"session":                      {"", signedIn, bySession, ""},
		"unknown token":                {"Bearer " + newSecret(apiToken), "", viewer.Viewer{}, graph.InvalidToken},
		"unknown access token":         {"Bearer " + newSecret(accessToken), "", viewer.Viewer{}, graph.InvalidToken},
		"unknown session":              {"", newSecret(session), viewer.Viewer{}, graph.InvalidToken},
		"expired access token":         {"Bearer " + d.grant("board", id, 0), "", viewer.Viewer{}, graph.InvalidToken},
		"expired session":              {"", signIn(id, 0), viewer.Viewer{}, graph.InvalidToken},
		"deleted application":          {"Bearer " + ofDeletedApp, "", viewer.Viewer{}, graph.InvalidToken},
		"deleted account":              {"Bearer " + ofDeletedAccount, "", viewer.Viewer{}, graph.InvalidToken},
		"session of a deleted account": {"", signIn("deleted", time.Hour), viewer.Viewer{}, graph.InvalidToken},
		"session as bearer":            {"Bearer " + signedIn, "", viewer.Viewer{}, graph.InvalidToken},
		"token as session":             {"", value, viewer.Viewer{}, graph.InvalidToken},
		"application secret":           {"Bearer " + newSecret(appSecret), "", viewer.Viewer{}, graph.InvalidToken},
		"digest instead of secret":     {"Bearer " + d.digest(value), "", viewer.Viewer{}, graph.InvalidToken},
		"no scheme":                    {value, "", viewer.Viewer{}, graph.InvalidToken},
		"basic":                        {"Basic " + value, "", viewer.Viewer{}, graph.InvalidToken},
		"two values":                   {"Bearer " + value + " " + value, "", viewer.Viewer{}, graph.InvalidToken},
		"empty":                        {"Bearer ", "", viewer.Viewer{}, graph.InvalidToken},
		"nothing":                      {"", "", viewer.Viewer{}, graph.InvalidToken},
	} {
		t.Run(name, func(t *testing.T) {
			authenticate, secret := d.Credentials.Bearer, c.header
			if c.cookie != "" {
				authenticate, secret = d.Credentials.Session, c.cookie
			}
			for range 2 { // from the store, then from the cache
				got, err := authenticate(t.Context(), secret)
				if diff := cmp.Diff(c.want, got, cmpopts.EquateComparable(netip.Addr{})); diff != "" ||
					(err == nil) != (c.code == "") || err != nil && err.Code != c.code {
					t.Errorf("got error %v, want code %q; viewer: %s", err, c.code, diff)
				}
			}
		})
	}
}

// Malformed credentials are rejected without reading the store; 1,000 concurrent requests with one
// credential read it once.
func TestCachedCredentials(t *testing.T) {
	d := newFixture(t)
	value, _ := d.createToken("laptop", false)
	before := d.finds()
	for i := range 1000 {
		if _, code := d.bearer(fmt.Sprintf("Bearer gdt_%043d", i)); code != graph.InvalidToken {
			t.Fatal(code)
		}
	}
	if n := d.finds() - before; n != 0 {
		t.Errorf("malformed tokens read the store %d times, want 0", n)
	}
	for _, secret := range []string{value, newSecret(apiToken)} {
		before = d.finds()
		var group sync.WaitGroup
		for range 1000 {
			group.Go(func() { d.bearer("Bearer " + secret) })
		}
		group.Wait()
		if n := d.finds() - before; n != 1 {
			t.Errorf("1,000 requests with one token read the store %d times, want 1", n)
		}
	}
}

// A revoked credential is rejected at once by the instance that revoked it and within 5 seconds by
// others. The other instance accepts it until then, which shows that it caches.
func TestRevokedWithinFiveSeconds(t *testing.T) {
	d := newFixture(t)
	value, token := d.createToken("laptop", false)
	d.must(d.store.Applications.Insert(t.Context(), &model.Application{ClientID: "board"}))
	s := d.grant("board", d.salted.ID, time.Hour)
	other := New(d.store, Options{Now: d.clock, Pepper: "salt"})
	check := func(want graph.Code, instances ...*Accounts) {
		t.Helper()
		for _, secret := range []string{value, s} {
			for _, instance := range instances {
				_, bad := instance.Credentials.Bearer(t.Context(), "Bearer "+secret)
				if (bad == nil) != (want == "") || bad != nil && bad.Code != want {
					t.Errorf("%s: got %v, want code %q", secret[:4], bad, want)
				}
			}
		}
	}
	check("", d.Accounts, other)
	d.must(d.Tokens.Delete(t.Context(), d.salted.ID, token.Key, TokenDeletionInterval))
	d.must(d.Grants.Revoke(t.Context(), d.salted.ID, "board"))
	check(graph.InvalidToken, d.Accounts)
	check("", other)
	d.wait(5*time.Second - time.Millisecond)
	check(graph.InvalidToken, d.Accounts, other)
}

// An access token expires to the millisecond, although its lookup is cached.
func TestExpiryIsExact(t *testing.T) {
	d := newFixture(t)
	d.must(d.store.Applications.Insert(t.Context(), &model.Application{ClientID: "board"}))
	s := d.grant("board", d.salted.ID, time.Second)
	for _, c := range []struct {
		wait time.Duration
		code graph.Code
	}{{0, ""}, {999 * time.Millisecond, ""}, {time.Millisecond, graph.InvalidToken}} {
		d.wait(c.wait)
		if _, code := d.bearer("Bearer " + s); code != c.code {
			t.Errorf("after %s: got code %q, want %q", c.wait, code, c.code)
		}
	}
}

// An API token expires to the millisecond, cached or not. An expiry is an hour to five years away.
func TestTokenExpiry(t *testing.T) {
	d := newFixture(t)
	at := func(life time.Duration) *time.Time { return new(d.clock().Add(life)) }
	for _, life := range []time.Duration{-time.Hour, 0, time.Hour - time.Millisecond, 6 * 366 * 24 * time.Hour} {
		_, _, err := d.Tokens.Create(t.Context(), d.salted.ID, "x", "", false, at(life))
		if !errors.Is(err, ErrInvalidExpiry) {
			t.Errorf("expiry after %s: got %v, want ErrInvalidExpiry", life, err)
		}
	}
	value, token, err := d.Tokens.Create(t.Context(), d.salted.ID, "laptop", "", false, at(time.Hour))
	d.must(err)
	d.wait(time.Hour - time.Millisecond)
	if _, code := d.bearer("Bearer " + value); code != "" || d.Tokens.Expired(token) {
		t.Errorf("just before: got %q", code)
	}
	d.wait(time.Millisecond)
	for range 2 {
		if _, code := d.bearer("Bearer " + value); code != graph.InvalidToken || !d.Tokens.Expired(token) {
			t.Errorf("at its expiry: got %q, want %s", code, graph.InvalidToken)
		}
		d.wait(credentialMaxAge)
	}
	// A change of the description does not change the expiry.
	if _, err := d.Tokens.Edit(t.Context(), d.salted.ID, token.Key, new("old"), nil); err != nil {
		t.Error(err)
	}
	if _, code := d.bearer("Bearer " + value); code != graph.InvalidToken {
		t.Errorf("after a change: got %q, want %s", code, graph.InvalidToken)
	}
	// It gives way to another of its name.
	if _, _, err := d.Tokens.Create(t.Context(), d.salted.ID, "laptop", "", false, nil); err != nil {
		t.Error(err)
	}
}

// While the store fails, requests get 503, never a guest's view or an invalid credential, and nothing is reported as
// done; cached credentials still work.
func TestStoreFails(t *testing.T) {
	t.Parallel() // waits for a closed server
	d := newFixture(t, failSoon)
	known, _ := d.createToken("laptop", false)
	feed, err := d.FeedTokens.Create(t.Context(), "eu-1")
	d.must(err)
	secret := d.applications()
	x := TokenRequest{Client: "private", Secret: secret, Code: d.issue("private", ""), RedirectURI: back}
	granted := d.accessTokenOf(secret)
	if _, code := d.bearer("Bearer " + known); code != "" {
		t.Fatal(code)
	}
	d.must(d.server.Close())
	_, _, exchange := d.Grants.Redeem(t.Context(), x)
	_, signIn := d.Sessions.SignIn(t.Context(), "Salted", password, "", "")
	revocation := d.Grants.RevokeToken(t.Context(), RevocationRequest{"private", secret, granted})
	for name, err := range map[string]error{"exchange": exchange, "sign-in": signIn, "revocation": revocation} {
		if !errors.Is(err, mongo.ErrUnavailable) {
			t.Errorf("%s: got %v, want ErrUnavailable", name, err)
		}
	}
	if _, bad := d.FeedTokens.Sender(t.Context(), "Bearer "+feed); bad == nil || bad.Code != graph.ServiceUnavailable {
		t.Errorf("a feed token: got %v, want SERVICE_UNAVAILABLE", bad)
	}
	for _, c := range []struct {
		value string
		wait  time.Duration
		code  graph.Code
	}{
		{known, 0, ""},
		{newSecret(apiToken), 0, graph.ServiceUnavailable},
		{newSecret(accessToken), 0, graph.ServiceUnavailable},
		{"gdt_malformed", 0, graph.InvalidToken},
		{known, credentialMaxAge, graph.ServiceUnavailable},
	} {
		d.wait(c.wait)
		if v, code := d.bearer("Bearer " + c.value); code != c.code {
			t.Errorf("%.6s: got %+v with code %q, want %q", c.value, v, code, c.code)
		}
	}
}

// The cache is bounded, however many credentials are tried.
func TestCredentialCacheIsBounded(t *testing.T) {
	c, now := newCredentialCache(), time.Now()
	for i := range 3 * maxCredentials {
		c.put(fmt.Sprint(i), lookup{at: now}, c.currentGeneration())
	}
	if n := c.entries.Len(); n > maxCredentials {
		t.Errorf("got %d entries, want at most %d", n, maxCredentials)
	}
	last := fmt.Sprint(3*maxCredentials - 1)
	if _, ok := c.get(last, now); !ok {
		t.Error("the last lookup is not cached")
	}
	if _, ok := c.get(last, now.Add(-time.Second)); ok {
		t.Error("a lookup from the future is returned, so a clock set back would keep it too long")
	}
}
