package auth

import (
	"fmt"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/graph/viewer"
	"gamedata/mongo/embedded"
	"gamedata/mongo/mongotest"
)

// fixture is accounts on a real store, with a clock that stands still.
type fixture struct {
	*Accounts
	t      testing.TB
	server *embedded.Server
	mu     sync.Mutex
	time   time.Time
	salted *model.Account
}

func newFixture(t testing.TB) *fixture {
	t.Helper()
	store, server := mongotest.Open(t)
	d := &fixture{t: t, server: server, time: time.Date(2026, 3, 20, 12, 0, 0, 0, time.UTC)}
	d.Accounts = New(store, Options{Now: d.clock, Pepper: "salt"})
	var err error
	if d.salted, err = d.Create(t.Context(), "Salted"); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{"p1", "p2"} {
		if err := store.LinkProfile(t.Context(), d.salted.ID, p); err != nil {
			t.Fatal(err)
		}
	}
	return d
}

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

// finds is how many finds the store was asked for.
func (d *fixture) finds() int64 { return d.server.Stats().Commands["find"] }

// bearer asks and tells the code of the refusal.
func (d *fixture) bearer(value string) (viewer.Viewer, graph.Code) {
	v, err := d.Bearer(d.t.Context(), value)
	if err != nil {
		return v, err.Code
	}
	return v, ""
}

func TestViewers(t *testing.T) {
	d := newFixture(t)
	value, token, err := d.CreateToken(t.Context(), d.salted.ID, "laptop", "", false)
	d.must(err)
	public, publicToken, err := d.CreateToken(t.Context(), d.salted.ID, "site", "", true)
	d.must(err)
	d.must(d.store.InsertApplication(t.Context(), &model.Application{ID: "board", Account: d.salted.ID}))
	grant := func(app, account string, life time.Duration) string {
		s := newSecret(accessToken)
		d.must(d.store.InsertAccessToken(t.Context(), &model.AccessToken{
			Digest: d.digest(s), Account: account, App: app,
			Scopes: []string{"main_access", "identify"}, Expires: d.time.Add(life),
		}))
		return s
	}
	signIn := func(account string, life time.Duration) string {
		s := newSecret(session)
		d.must(d.store.InsertSession(t.Context(), &model.Session{
			Digest: d.digest(s), Account: account,
			Expires: d.time.Add(life),
		}))
		return s
	}
	granted, signedIn := grant("board", d.salted.ID, time.Hour), signIn(d.salted.ID, time.Hour)
	id, profiles := d.salted.ID, []string{"p1", "p2"}
	for name, c := range map[string]struct {
		header, cookie string
		want           viewer.Viewer
		refused        graph.Code
	}{
		"token": {"Bearer " + value, "", viewer.Viewer{
			Kind: viewer.Token, Account: id, Token: token.ID,
			Profiles: profiles,
		}, ""},
		"any case, more spaces": {"bEARER   " + value, "", viewer.Viewer{
			Kind: viewer.Token, Account: id, Token: token.ID,
			Profiles: profiles,
		}, ""},
		"public token": {"Bearer " + public, "", viewer.Viewer{
			Kind: viewer.Token, Account: id,
			Token: publicToken.ID, Public: true,
		}, ""},
		"access token": {"Bearer " + granted, "", viewer.Viewer{
			Kind: viewer.OAuth, Account: id, App: "board",
			Scopes: []string{"identify", "main_access"}, Profiles: profiles,
		}, ""},
		"session": {"", signedIn, viewer.Viewer{
			Kind: viewer.Session, Account: id,
			Session: d.digest(signedIn), Profiles: profiles,
		}, ""},
		"unknown token":            {"Bearer " + newSecret(apiToken), "", viewer.Viewer{}, graph.InvalidToken},
		"unknown access token":     {"Bearer " + newSecret(accessToken), "", viewer.Viewer{}, graph.InvalidToken},
		"unknown session":          {"", newSecret(session), viewer.Viewer{}, graph.InvalidToken},
		"expired access token":     {"Bearer " + grant("board", id, 0), "", viewer.Viewer{}, graph.InvalidToken},
		"expired session":          {"", signIn(id, 0), viewer.Viewer{}, graph.InvalidToken},
		"application is gone":      {"Bearer " + grant("gone", id, time.Hour), "", viewer.Viewer{}, graph.InvalidToken},
		"account is gone":          {"Bearer " + grant("board", "gone", time.Hour), "", viewer.Viewer{}, graph.InvalidToken},
		"session account is gone":  {"", signIn("gone", time.Hour), viewer.Viewer{}, graph.InvalidToken},
		"session as bearer":        {"Bearer " + signedIn, "", viewer.Viewer{}, graph.InvalidToken},
		"token as session":         {"", value, viewer.Viewer{}, graph.InvalidToken},
		"application secret":       {"Bearer " + newSecret(appSecret), "", viewer.Viewer{}, graph.InvalidToken},
		"digest instead of secret": {"Bearer " + d.digest(value), "", viewer.Viewer{}, graph.InvalidToken},
		"no scheme":                {value, "", viewer.Viewer{}, graph.InvalidToken},
		"basic":                    {"Basic " + value, "", viewer.Viewer{}, graph.InvalidToken},
		"two values":               {"Bearer " + value + " " + value, "", viewer.Viewer{}, graph.InvalidToken},
		"empty":                    {"Bearer ", "", viewer.Viewer{}, graph.InvalidToken},
		"nothing":                  {"", "", viewer.Viewer{}, graph.InvalidToken},
	} {
		t.Run(name, func(t *testing.T) {
			ask, with := d.Bearer, c.header
			if c.cookie != "" {
				ask, with = d.Session, c.cookie
			}
			for range 2 { // from the store, then from memory
				got, err := ask(t.Context(), with)
				if diff := cmp.Diff(c.want, got, cmpopts.EquateComparable(netip.Addr{})); diff != "" ||
					(err == nil) != (c.refused == "") || err != nil && err.Code != c.refused {
					t.Errorf("refused %v, %s", err, diff)
				}
			}
		})
	}
}

// What is malformed is refused without a question to the store; what is asked for is asked
// once in a while, however many want to know.
func TestQuestionsToTheStore(t *testing.T) {
	d := newFixture(t)
	value, _, err := d.CreateToken(t.Context(), d.salted.ID, "laptop", "", false)
	d.must(err)
	before := d.finds()
	for i := range 1000 {
		if _, code := d.bearer(fmt.Sprintf("Bearer gdt_%043d", i)); code != graph.InvalidToken {
			t.Fatal(code)
		}
	}
	if n := d.finds() - before; n != 0 {
		t.Errorf("malformed tokens asked the store %d times", n)
	}
	for _, secret := range []string{value, newSecret(apiToken)} {
		before = d.finds()
		var group sync.WaitGroup
		for range 1000 {
			group.Go(func() { d.bearer("Bearer " + secret) })
		}
		group.Wait()
		if n := d.finds() - before; n != 1 {
			t.Errorf("1,000 requests with one token asked the store %d times", n)
		}
	}
}

// SECURITY.md: what is revoked is refused within 5 s, and at once where it was revoked. It is
// accepted before, so the memory works.
func TestRevokedWithinFiveSeconds(t *testing.T) {
	d := newFixture(t)
	value, token, err := d.CreateToken(t.Context(), d.salted.ID, "laptop", "", false)
	d.must(err)
	d.must(d.store.InsertApplication(t.Context(), &model.Application{ID: "board"}))
	s := newSecret(accessToken)
	d.must(d.store.InsertAccessToken(t.Context(), &model.AccessToken{
		Digest: d.digest(s), Account: d.salted.ID,
		App: "board", Expires: d.time.Add(time.Hour),
	}))
	other := New(d.store, Options{Now: d.clock, Pepper: "salt"})
	ask := func(want graph.Code, instances ...*Accounts) {
		t.Helper()
		for _, secret := range []string{value, s} {
			for _, instance := range instances {
				_, bad := instance.Bearer(t.Context(), "Bearer "+secret)
				if (bad == nil) != (want == "") || bad != nil && bad.Code != want {
					t.Errorf("%s: %v, want %q", secret[:4], bad, want)
				}
			}
		}
	}
	ask("", d.Accounts, other)
	d.must(d.DeleteToken(t.Context(), d.salted.ID, token.ID, TokenDeletionInterval))
	d.must(d.RevokeGrant(t.Context(), d.salted.ID, "board"))
	ask(graph.InvalidToken, d.Accounts)
	ask("", other)
	d.wait(5*time.Second - time.Millisecond)
	ask(graph.InvalidToken, d.Accounts, other)
}

// An access token ends to the millisecond, although the answer is remembered.
func TestExpiryIsExact(t *testing.T) {
	d := newFixture(t)
	d.must(d.store.InsertApplication(t.Context(), &model.Application{ID: "board"}))
	s := newSecret(accessToken)
	d.must(d.store.InsertAccessToken(t.Context(), &model.AccessToken{
		Digest: d.digest(s), Account: d.salted.ID,
		App: "board", Expires: d.time.Add(time.Second),
	}))
	for _, c := range []struct {
		wait time.Duration
		code graph.Code
	}{{0, ""}, {999 * time.Millisecond, ""}, {time.Millisecond, graph.InvalidToken}} {
		d.wait(c.wait)
		if _, code := d.bearer("Bearer " + s); code != c.code {
			t.Errorf("after %s: %q", c.wait, code)
		}
	}
}

// A store that fails is no refusal and no guest: 503, and what is remembered goes on to work.
func TestStoreFails(t *testing.T) {
	t.Parallel() // it waits for a server that is gone
	d := newFixture(t)
	known, _, err := d.CreateToken(t.Context(), d.salted.ID, "laptop", "", false)
	d.must(err)
	if _, code := d.bearer("Bearer " + known); code != "" {
		t.Fatal(code)
	}
	d.must(d.server.Close())
	for _, c := range []struct {
		value string
		wait  time.Duration
		code  graph.Code
	}{
		{known, 0, ""},
		{newSecret(apiToken), 0, graph.ServiceUnavailable},
		{
			newSecret(accessToken), 0,
			graph.ServiceUnavailable,
		},
		{"gdt_malformed", 0, graph.InvalidToken},
		{known, remembered, graph.ServiceUnavailable},
	} {
		d.wait(c.wait)
		if v, code := d.bearer("Bearer " + c.value); code != c.code {
			t.Errorf("%.6s: %+v, %q, want %q", c.value, v, code, c.code)
		}
	}
}

// The memory is bounded, however many credentials are tried.
func TestMemoryIsBounded(t *testing.T) {
	m, now := newMemory(), time.Now()
	for i := range 5 * generation {
		m.put(fmt.Sprint(i), answer{asked: now}, m.begins())
	}
	if m.size() > 2*generation {
		t.Errorf("%d answers are held", m.size())
	}
	if _, ok := m.get(fmt.Sprint(5*generation-1), now); !ok {
		t.Error("the last answer is forgotten")
	}
	if _, ok := m.get(fmt.Sprint(5*generation-1), now.Add(-time.Second)); ok {
		t.Error("an answer from the future is given, so a clock set back would keep it for ever")
	}
}

// What a request with a credential costs more than one without, while it is remembered.
func BenchmarkBearer(b *testing.B) {
	store, _ := mongotest.Open(b)
	a := New(store, Options{Pepper: "salt"})
	of, err := a.Create(b.Context(), "Salted")
	if err != nil {
		b.Fatal(err)
	}
	value, _, err := a.CreateToken(b.Context(), of.ID, "laptop", "", false)
	if err != nil {
		b.Fatal(err)
	}
	for name, header := range map[string]string{"good": "Bearer " + value, "malformed": "Bearer " +
		strings.ToLower(value)} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				a.Bearer(b.Context(), header)
			}
		})
	}
}

// size is how many answers are held.
func (m *memory) size() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.young) + len(m.old)
}
