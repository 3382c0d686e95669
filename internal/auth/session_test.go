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

// A sign-in ends the previous session, and sessions expire to the millisecond.
func TestSessions(t *testing.T) {
	d := newFixture(t)
	user, err := d.SignUp(t.Context(), "Brindle", password)
	d.must(err)
	if !strings.HasPrefix(user.Password, "$argon2id$v=19$m=19456,t=2,p=1$") || strings.Contains(user.Password, password) {
		t.Errorf("stored password: got %s, want an Argon2id hash", user.Password)
	}
	check := func(secret string, want graph.Code) {
		t.Helper()
		v, bad := d.Credentials.Session(t.Context(), secret)
		if code := graph.Code(""); bad != nil {
			code = bad.Code
			if code != want {
				t.Errorf("got code %s, want %q", code, want)
			}
		} else if want != "" || v.Account != user.ID {
			t.Errorf("got viewer %+v, want code %q", v, want)
		}
	}
	first, err := d.Sessions.SignIn(t.Context(), "bRINDLE", password, "", "")
	d.must(err)
	check(first, "")
	second, err := d.Sessions.SignIn(t.Context(), "Brindle", password, first, "")
	d.must(err)
	check(first, graph.InvalidToken) // at once, although it was cached
	check(second, "")
	d.wait(SessionLifetime - time.Millisecond)
	check(second, "")
	d.wait(time.Millisecond)
	check(second, graph.InvalidToken)
	third, err := d.Sessions.SignIn(t.Context(), "Brindle", password, "nonsense", "")
	d.must(err)
	d.must(d.Sessions.SignOut(t.Context(), third))
	check(third, graph.InvalidToken)
}

func TestInvalidSignInAndSignUp(t *testing.T) {
	d := newFixture(t)
	_, err := d.SignUp(t.Context(), "Brindle", password)
	d.must(err)
	for name, c := range map[string]struct{ name, password string }{
		"wrong": {"Brindle", password + "!"}, "other case": {"Brindle", strings.ToUpper(password)}, "none": {"Brindle", ""},
		"unknown": {"Okapi", password}, "no name": {"", password}, "of an operator": {"Salted", ""},
		"of an operator, a guess": {"Salted", password},
	} {
		secret, err := d.Sessions.SignIn(t.Context(), c.name, c.password, "", "")
		if !errors.Is(err, ErrSignInFailed) || secret != "" {
			t.Errorf("%s: got %v, want ErrSignInFailed", name, err)
		}
	}
	for _, c := range []struct {
		name, password string
		want           error
	}{
		{"Okapi", "123456789", ErrInvalidPassword},
		{"Okapi", strings.Repeat("ä", 129), ErrInvalidPassword},
		{"Okapi", "long enough\xff", ErrInvalidPassword},
		{" Okapi", password, ErrInvalidName},
		{"oPERATOR", password, ErrAccountNameTaken},
		{"brindle", password, ErrAccountNameTaken},
		{"Okapi", strings.Repeat("ä", 128), nil},
		{"Okapi two", "1234567890", nil},
	} {
		if _, err := d.SignUp(t.Context(), c.name, c.password); !errors.Is(err, c.want) || (c.want == nil) != (err == nil) {
			t.Errorf("sign up %q: got %v, want %v", c.name, err, c.want)
		}
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	d.must(d.passwords.running.Acquire(t.Context(), maxHashing))
	if _, err := d.passwords.matches(cancelled, password, ""); !errors.Is(err, context.Canceled) ||
		errors.Is(err, mongo.ErrUnavailable) {
		t.Errorf("no free slot: got %v, want context.Canceled alone", err)
	}
}

// Names and passwords are compared in one normal form: one device composes accents, another does not.
func TestNormalForms(t *testing.T) {
	d := newFixture(t)
	const composed, decomposed = "Gr\u00fc\u00dfe-\u00e9-lang-1", "Gru\u0308\u00dfe-e\u0301-lang-1"
	user, err := d.SignUp(t.Context(), "Ren\u00e9", composed)
	d.must(err)
	if _, err := d.SignUp(t.Context(), "Rene\u0301", composed); !errors.Is(err, ErrAccountNameTaken) {
		t.Errorf("the same name: got %v", err)
	}
	_, err = d.Sessions.SignIn(t.Context(), "RENE\u0301", decomposed, "", "")
	d.must(err)
	d.must(d.ChangePassword(t.Context(), user.ID, decomposed, decomposed))
	_, err = d.Sessions.SignIn(t.Context(), "ren\u00e9", composed, "", "")
	d.must(err)
}

// SetPassword ends existing sessions and invalidates the previous password.
func TestSetPassword(t *testing.T) {
	d := newFixture(t)
	user, err := d.SignUp(t.Context(), "Brindle", password)
	d.must(err)
	open, err := d.Sessions.SignIn(t.Context(), "Brindle", password, "", "")
	d.must(err)
	for _, c := range []struct {
		account, password string
		want              error
	}{
		{user.ID, "short", ErrInvalidPassword},
		{"unknown", "another password", ErrNoAccount},
		{user.ID, "another password", nil},
	} {
		if err := d.SetPassword(t.Context(), c.account, c.password); !errors.Is(err, c.want) {
			t.Errorf("set %q of %s: got %v, want %v", c.password, c.account, err, c.want)
		}
	}
	if _, bad := d.Credentials.Session(t.Context(), open); bad == nil {
		t.Error("the session is still valid")
	}
	for pass, want := range map[string]error{password: ErrSignInFailed, "another password": nil} {
		if _, err := d.Sessions.SignIn(t.Context(), "Brindle", pass, "", ""); !errors.Is(err, want) {
			t.Errorf("sign in with %q: got %v, want %v", pass, err, want)
		}
	}
}

// A sign-in with the old password during a change of password fails: the change could not end its
// session, which did not exist yet.
func TestSignInDuringSetPassword(t *testing.T) {
	d := newFixture(t)
	user, err := d.SignUp(t.Context(), "Brindle", password)
	d.must(err)
	d.must(d.passwords.running.Acquire(t.Context(), maxHashing)) // the sign-in waits after reading the account
	before, result := d.finds(), make(chan error, 1)
	go func() {
		_, err := d.Sessions.SignIn(t.Context(), "Brindle", password, "", "")
		result <- err
	}()
	for again := time.NewTicker(time.Millisecond); d.finds() == before; <-again.C {
	}
	d.must(d.store.Accounts.Edit(t.Context(), user.ID, func(a *model.Account) error {
		a.Password = "another hash"
		return nil
	}))
	d.must(d.store.Sessions.DeleteOf(t.Context(), user.ID, ""))
	d.passwords.running.Release(maxHashing)
	if err := <-result; !errors.Is(err, ErrSignInFailed) {
		t.Errorf("got %v, want ErrSignInFailed", err)
	}
}

// A form token is valid for one cookie only.
func TestFormToken(t *testing.T) {
	d := newFixture(t)
	one := d.Sessions.FormToken("one")
	for name, c := range map[string]struct {
		cookie, token string
		want          bool
	}{
		"own": {"one", one, true}, "another's": {"two", one, false}, "no cookie": {"", d.Sessions.FormToken(""), false},
		"no token":          {"one", "", false},
		"the stored digest": {"one", d.digest("one"), false}, "the cookie": {"one", "one", false},
	} {
		if got := d.Sessions.IsFormToken(c.cookie, c.token); got != c.want {
			t.Errorf("%s: got valid %v, want %v", name, got, c.want)
		}
	}
}

// Grants combines valid tokens by application, without tokens of other users and deleted applications.
func TestGrants(t *testing.T) {
	d := newFixture(t)
	d.applications()
	for i, g := range []struct {
		account, app string
		scopes       []string
		life         time.Duration
	}{
		{d.salted.ID, "private", []string{"identify", "online_status"}, time.Hour},
		{d.salted.ID, "private", []string{"identify", "main_access"}, 2 * time.Hour},
		{d.salted.ID, "public", []string{"identify"}, 0},
		{d.salted.ID, "deleted", []string{"identify"}, time.Hour},
		{"another user", "public", []string{"identify"}, time.Hour},
	} {
		d.must(d.store.Grants.Insert(t.Context(), &model.AccessToken{
			Digest: string(rune('a' + i)), Account: g.account, App: g.app, Scopes: g.scopes,
			Created: d.time.Add(time.Duration(-i) * time.Minute), Expires: d.time.Add(g.life),
		}))
	}
	got, err := d.Grants.Of(t.Context(), d.salted.ID)
	d.must(err)
	if len(got) != 1 || got[0].Application.ClientID != "private" {
		t.Fatalf("%+v", got)
	}
	if diff := cmp.Diff([]string{"identify", "main_access", "online_status"}, got[0].Scopes); diff != "" ||
		!got[0].GrantedAt.Equal(d.time.Add(-time.Minute)) || !got[0].ExpiresAt.Equal(d.time.Add(2*time.Hour)) {
		t.Errorf("%+v %s", got[0], diff)
	}
	d.must(d.Grants.Revoke(t.Context(), d.salted.ID, "private"))
	if got, err := d.Grants.Of(t.Context(), d.salted.ID); err != nil || len(got) != 0 {
		t.Errorf("revoked: got %+v and error %v, want none", got, err)
	}
}

// Only the owner can rotate a secret, and only of a private application.
func TestRotateSecret(t *testing.T) {
	d := newFixture(t)
	d.applications()
	for app, account := range map[string]string{"private": "another user", "public": d.salted.ID, "deleted": d.salted.ID} {
		if _, _, err := d.Applications.RotateSecret(t.Context(), account, app); !errors.Is(err, ErrNoApplication) {
			t.Errorf("%s: got %v, want ErrNoApplication", app, err)
		}
	}
	_, secret, err := d.Applications.RotateSecret(t.Context(), d.salted.ID, "private")
	d.must(err)
	d.accessTokenOf(secret)
}
