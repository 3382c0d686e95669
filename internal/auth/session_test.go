package auth

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/mongo"
)

const password = "a long password"

// Signing in makes a session that the old one does not survive, and which ends in time.
func TestSessions(t *testing.T) {
	d := newFixture(t)
	user, err := d.SignUp(t.Context(), "Brindle", password)
	d.must(err)
	if !strings.HasPrefix(user.Password, "$argon2id$v=19$m=19456,t=2,p=1$") || strings.Contains(user.Password, password) {
		t.Errorf("the store gets %s", user.Password)
	}
	seen := func(secret string, want graph.Code) {
		t.Helper()
		v, bad := d.Session(t.Context(), secret)
		if code := graph.Code(""); bad != nil {
			if code = bad.Code; code != want {
				t.Errorf("refused with %s, want %q", code, want)
			}
		} else if want != "" || v.Account != user.ID {
			t.Errorf("%+v, want %q", v, want)
		}
	}
	first, err := d.SignIn(t.Context(), "bRINDLE", password, "")
	d.must(err)
	seen(first, "")
	second, err := d.SignIn(t.Context(), "Brindle", password, first)
	d.must(err)
	seen(first, graph.InvalidToken) // at once, although it was remembered
	seen(second, "")
	d.wait(SessionLifetime - time.Millisecond)
	seen(second, "")
	d.wait(time.Millisecond)
	seen(second, graph.InvalidToken)
	third, err := d.SignIn(t.Context(), "Brindle", password, "nonsense")
	d.must(err)
	d.must(d.SignOut(t.Context(), third))
	seen(third, graph.InvalidToken)
}

func TestSignInRefuses(t *testing.T) {
	d := newFixture(t)
	_, err := d.SignUp(t.Context(), "Brindle", password)
	d.must(err)
	for name, c := range map[string]struct{ name, password string }{
		"wrong": {"Brindle", password + "!"}, "other case": {"Brindle", strings.ToUpper(password)}, "none": {"Brindle", ""},
		"unknown": {"Okapi", password}, "no name": {"", password}, "of an operator": {"Salted", ""},
		"of an operator, a guess": {"Salted", password},
	} {
		if secret, err := d.SignIn(t.Context(), c.name, c.password, ""); !errors.Is(err, ErrSignInFailed) || secret != "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, c := range []struct {
		name, password string
		want           error
	}{
		{"Okapi", "123456789", ErrInvalidPassword},
		{"Okapi", strings.Repeat("ä", 129), ErrInvalidPassword},
		{
			"Okapi", "long enough\xff",
			ErrInvalidPassword,
		},
		{" Okapi", password, ErrInvalidName},
		{"oPERATOR", password, ErrAccountNameTaken},
		{"brindle", password, ErrAccountNameTaken},
		{"Okapi", strings.Repeat("ä", 128), nil},
		{"Okapi two", "1234567890", nil},
	} {
		if _, err := d.SignUp(t.Context(), c.name, c.password); !errors.Is(err, c.want) || (c.want == nil) != (err == nil) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for range maxHashing {
		d.hashing <- struct{}{} // all are at work
	}
	if _, err := d.passwordMatches(ended, password, ""); !errors.Is(err, mongo.ErrUnavailable) {
		t.Errorf("a queue that does not move: %v", err)
	}
}

// Another password ends what the one before opened.
func TestSetPassword(t *testing.T) {
	d := newFixture(t)
	before, err := d.SignUp(t.Context(), "Brindle", password)
	d.must(err)
	open, err := d.SignIn(t.Context(), "Brindle", password, "")
	d.must(err)
	for _, c := range []struct {
		account, password string
		want              error
	}{{before.ID, "short", ErrInvalidPassword}, {"nobody", "another password", ErrNoAccount}, {
		before.ID, "another password",
		nil,
	}} {
		if err := d.SetPassword(t.Context(), c.account, c.password); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", c.account, err)
		}
	}
	if _, bad := d.Session(t.Context(), open); bad == nil {
		t.Error("the session lives on")
	}
	for pass, want := range map[string]error{password: ErrSignInFailed, "another password": nil} {
		if _, err := d.SignIn(t.Context(), "Brindle", pass, ""); !errors.Is(err, want) {
			t.Errorf("%s: %v", pass, err)
		}
	}
}

// Whoever signs in while the password is changed does so with the one before: that session, which
// the change could not see yet, ends too.
func TestSignInBesideSetPassword(t *testing.T) {
	d := newFixture(t)
	user, err := d.SignUp(t.Context(), "Brindle", password)
	d.must(err)
	for range maxHashing {
		d.hashing <- struct{}{} // the sign-in waits with the account that it read
	}
	before, refused := d.finds(), make(chan error, 1)
	go func() {
		_, err := d.SignIn(t.Context(), "Brindle", password, "")
		refused <- err
	}()
	for again := time.NewTicker(time.Millisecond); d.finds() == before; <-again.C {
	}
	d.must(d.store.SetPassword(t.Context(), user.ID, "another hash"))
	d.must(d.store.DeleteSessionsOf(t.Context(), user.ID))
	for range maxHashing {
		<-d.hashing
	}
	if err := <-refused; !errors.Is(err, ErrSignInFailed) {
		t.Errorf("signed in by the password before: %v", err)
	}
}

// A form's token belongs to one cookie.
func TestFormToken(t *testing.T) {
	d := newFixture(t)
	one := d.FormToken("one")
	for name, c := range map[string]struct {
		cookie, token string
		want          bool
	}{
		"own": {"one", one, true}, "another's": {"two", one, false}, "no cookie": {"", d.FormToken(""), false},
		"no token":                        {"one", "", false},
		"the digest that the store keeps": {"one", d.digest("one"), false}, "the cookie": {"one", "one", false},
	} {
		if got := d.IsFormToken(c.cookie, c.token); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// What a user granted is told by application; other users', expired tokens' and lost
// applications' grants are not in it.
func TestGrants(t *testing.T) {
	d := newFixture(t)
	d.applications()
	for i, g := range []struct {
		account, app string
		scopes       []string
		life         time.Duration
	}{
		{d.salted.ID, "private", []string{"identify", "online_status"}, time.Hour},
		{
			d.salted.ID, "private",
			[]string{"identify", "main_access"},
			2 * time.Hour,
		},
		{d.salted.ID, "public", []string{"identify"}, 0},
		{d.salted.ID, "gone", []string{"identify"}, time.Hour},
		{"somebody", "public", []string{"identify"}, time.Hour},
	} {
		d.must(d.store.InsertAccessToken(t.Context(), &model.AccessToken{
			Digest: string(rune('a' + i)), Account: g.account,
			App: g.app, Scopes: g.scopes,
			Created: d.time.Add(time.Duration(-i) * time.Minute), Expires: d.time.Add(g.life),
		}))
	}
	got, err := d.Grants(t.Context(), d.salted.ID)
	d.must(err)
	if len(got) != 1 || got[0].Application.ID != "private" {
		t.Fatalf("%+v", got)
	}
	if diff := cmp.Diff([]string{"identify", "main_access", "online_status"}, got[0].Scopes); diff != "" ||
		!got[0].Since.Equal(d.time.Add(-time.Minute)) || !got[0].Expires.Equal(d.time.Add(2*time.Hour)) {
		t.Errorf("%+v %s", got[0], diff)
	}
	d.must(d.RevokeGrant(t.Context(), d.salted.ID, "private"))
	if got, err := d.Grants(t.Context(), d.salted.ID); err != nil || len(got) != 0 {
		t.Errorf("withdrawn: %+v, %v", got, err)
	}
}

// A secret can be replaced by its owner alone, and only where there is one.
func TestRotateSecret(t *testing.T) {
	d := newFixture(t)
	d.applications()
	for _, c := range []struct{ account, app string }{{"somebody", "private"}, {d.salted.ID, "public"}, {
		d.salted.ID,
		"gone",
	}} {
		if _, err := d.RotateSecret(t.Context(), c.account, c.app); !errors.Is(err, ErrNoApplication) {
			t.Errorf("%v: %v", c, err)
		}
	}
	secret, err := d.RotateSecret(t.Context(), d.salted.ID, "private")
	d.must(err)
	if _, refused := d.redeem(TokenRequest{
		Client: "private", Secret: secret, Code: d.issue("private", ""),
		RedirectURI: back,
	}); refused != "" {
		t.Errorf("the new secret: %s", refused)
	}
}
