package app_test

import (
	"bytes"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"gamedata/graph/model"
	"gamedata/internal/app"
	"gamedata/internal/auth"
	"gamedata/internal/config"
	"gamedata/internal/ratelimit"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// instance is one of several services on one store.
type instance struct {
	url   string
	users *auth.Accounts
}

// startInstance starts a service on a store with the given clock.
func startInstance(t *testing.T, store *mongo.Store, now func() time.Time, flags ...string) instance {
	t.Helper()
	var c config.Service
	set := pflag.NewFlagSet("serve", pflag.ContinueOnError)
	c.Add(set)
	if err := set.Parse(append([]string{"--request-timeout", "2m", "--queue-wait", "1m"}, flags...)); err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	users := auth.New(store, auth.Options{Pepper: "of a test, long enough for one", Now: now, Log: log})
	s, err := app.NewService(&c, app.Dependencies{
		Store: store, Accounts: users, Counters: &app.Counters{Counters: ratelimit.New(ratelimit.Options{Now: now})},
		Now: now, Log: log,
	})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(nil)
	server.Config = s.Server()
	server.Start()
	t.Cleanup(func() {
		server.Close()
		s.Close()
	})
	return instance{server.URL, users}
}

// A credential revoked on one instance is rejected by all within 5 s, a session by its own instance at once. All
// instances share the limit of token deletions.
func TestRevokedOnEveryInstance(t *testing.T) {
	t.Parallel()
	store, server := mongotest.Open(t)
	far := mongotest.OpenOn(t, server)
	var passed atomic.Int64
	begun := time.Now()
	now := func() time.Time { return begun.Add(time.Duration(passed.Load())) }
	one, two := startInstance(t, store, now, "--guest-rate", "1000"), startInstance(t, far, now, "--guest-rate", "1000")
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	status := func(at instance, header, value string) int { // 401 for a guest too
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, at.url+"/graphql?query={viewer{kind}}", nil)
		must(err)
		r.Header.Set(header, value)
		res := send(t, r, nil)
		if bytes.Contains(res.body, []byte(`"GUEST"`)) {
			return 401
		}
		return res.status
	}
	const password = "correct horse, battery staple"
	user, err := one.users.SignUp(t.Context(), "Reader", password)
	must(err)
	value, token, err := one.users.Tokens.Create(t.Context(), user.ID, "laptop", "", false, nil)
	must(err)
	_, spare, err := one.users.Tokens.Create(t.Context(), user.ID, "desk", "", false, nil)
	must(err)
	session, err := one.users.Sessions.SignIn(t.Context(), "Reader", password, "", "")
	must(err)
	must(store.Applications.Insert(t.Context(), &model.Application{ClientID: "board", Name: "Moss board"}))
	code, err := one.users.Grants.IssueCode(t.Context(), auth.Grant{
		Account: user.ID, App: "board", RedirectURI: redirectURI,
		Scopes: []string{"identify"}, Challenge: rfcChallenge,
	})
	must(err)
	access, _, err := two.users.Grants.Redeem(t.Context(), auth.TokenRequest{
		Client: "board", Code: code, RedirectURI: redirectURI,
		Verifier: rfcVerifier,
	})
	must(err)

	for _, c := range []struct {
		name, header, value string
		revoke              func() error
	}{
		{"token", "Authorization", "Bearer " + value, func() error {
			return one.users.Tokens.Delete(t.Context(), user.ID,
				token.Key, 2*time.Minute)
		}},
		{"session", "Cookie", "__Host-session=" + session, func() error { return one.users.Sessions.SignOut(t.Context(), session) }},
		{"application", "Authorization", "Bearer " + access, func() error {
			return one.users.Grants.Revoke(t.Context(), user.ID,
				"board")
		}},
	} {
		for i, at := range []instance{one, two} {
			if got := status(at, c.header, c.value); got != 200 {
				t.Fatalf("%s: instance %d: got %d, want 200", c.name, i+1, got)
			}
		}
		must(c.revoke())
		if got := status(one, c.header, c.value); c.name == "session" && got != 401 {
			t.Errorf("after sign-out, same instance: got %d, want 401", got)
		}
		passed.Add(int64(5 * time.Second))
		for i, at := range []instance{two, one} {
			if got := status(at, c.header, c.value); got != 401 {
				t.Errorf("%s: instance %d after 5 s: got %d, want 401", c.name, 2-i, got)
			}
		}
	}

	var soon *mongo.TooSoonError
	if err := two.users.Tokens.Delete(t.Context(), user.ID, spare.Key, 2*time.Minute); !errors.As(err, &soon) ||
		soon.Wait > 2*time.Minute {
		t.Errorf("a second deletion, on the other instance: got %v, want TooSoonError", err)
	}
	passed.Add(int64(2 * time.Minute))
	must(two.users.Tokens.Delete(t.Context(), user.ID, spare.Key, 2*time.Minute))
}
