package auth

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gamedata/graph"
)

func TestRedirectURIs(t *testing.T) {
	for uri, want := range map[string]bool{
		"https://board.example/back": true, "https://board.example": true, "https://board.example/back?next=1": true,
		"http://localhost:8099/back": true, "http://127.0.0.1/back": true, "http://[::1]:80/back": true,
		"com.example.board:/back": true,
		"":                        false, "board.example/back": false, "/back": false, "http://board.example/back": false,
		"http://127.0.0.1.example/": false, "https://": false,
		"https://board.example:8443/": true, "https://my_board.example./": true, "https://board.example:/": false,
		"https://board.example:0/": false, "https://board.example:99999/": false, "http://localhost:/back": false,
		"https://board..example/": false, "https://-/": false, "https://*/": false, "https://a;script-src/": false,
		"https://board.example/back#part": false, "https://user@board.example/": false, "javascript:alert(1)": false,
		"data:text/html,x": false, "file:///etc/passwd": false,
		"https://board.example/a b": false, "https://bärd.example/": false, "https://board.example/ü": false,
		"https://board.example/\n": false, `https://board.example\@evil.example`: false, "https://b.example/" +
			strings.Repeat("x", 500): false,
	} {
		if got := validRedirect(uri); got != want {
			t.Errorf("%.60q: got valid %v, want %v", uri, got, want)
		}
	}
	many := make([]string, 11)
	for i := range many {
		many[i] = "https://board.example/" + strings.Repeat("x", i)
	}
	for name, uris := range map[string][]string{"none": nil, "too many": many, "twice": {many[0], many[0]}} {
		if validateRedirects(uris) == nil {
			t.Errorf("%s redirect URIs are accepted", name)
		}
	}
	if err := validateRedirects(many[:10]); err != nil {
		t.Error(err)
	}
}

// Deleting an application deletes its grants.
func TestApplications(t *testing.T) {
	d := newFixture(t)
	back := []string{"https://board.example/back"}
	scopes := []string{"online_status", "main_access", "main_access"}
	private, secret, err := d.Applications.Create(t.Context(), d.salted.ID, "Moss board", back, scopes, true)
	d.must(err)
	public, none, err := d.Applications.Create(t.Context(), d.salted.ID, "Moss map", back, nil, false)
	d.must(err)
	if secretKind(secret) != appSecret || none != "" || !private.Private() || public.Private() ||
		private.SecretDigest != d.digest(secret) {
		t.Errorf("got secrets %.5s and %q", secret, none)
	}
	if diff := cmp.Diff([]string{"identify", "main_access", "online_status"}, private.Scopes); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"identify"}, public.Scopes); diff != "" {
		t.Error(diff)
	}
	for _, c := range []struct {
		name         string
		uris, scopes []string
	}{{"", back, nil}, {"n", nil, nil}, {"n", back, []string{"weekly_access"}}} {
		if _, _, err := d.Applications.Create(t.Context(), "x", c.name, c.uris, c.scopes, false); err == nil {
			t.Errorf("%+v is accepted", c)
		}
	}
	list, err := d.Applications.Of(t.Context(), d.salted.ID)
	if err != nil || len(list) != 2 {
		t.Errorf("got %d applications and error %v, want 2", len(list), err)
	}
	s := d.grant(private.ClientID, d.salted.ID, time.Hour)
	d.must(d.Applications.Delete(t.Context(), private.ClientID))
	if _, code := d.bearer("Bearer " + s); code != graph.InvalidToken {
		t.Errorf("token of a deleted application: got code %q, want %q", code, graph.InvalidToken)
	}
	if left, err := d.store.Grants.ByID(t.Context(), []string{d.digest(s)}); err != nil || left[0] != nil {
		t.Errorf("the token of a deleted application is still stored, %v", err)
	}
	if err := d.Applications.Delete(t.Context(), private.ClientID); !errors.Is(err, ErrNoApplication) {
		t.Errorf("deleted twice: %v", err)
	}
}

// An account has at most 20 applications, however many are registered concurrently on several
// instances. Applications that operators created count; deleting one allows another.
func TestApplicationLimit(t *testing.T) {
	d := newFixture(t)
	back := []string{"https://board.example/back"}
	_, _, err := d.Applications.Create(t.Context(), d.salted.ID, "of an operator", back, nil, false)
	d.must(err)
	instances := []*Accounts{d.Accounts, New(d.store, Options{Pepper: "another instance"})}
	made := d.concurrently(100, ErrApplicationLimit, func(i int) error {
		_, _, err := instances[i%2].Applications.Register(t.Context(), d.salted.ID, "Moss board", back, nil, i%3 == 0)
		return err
	})
	list, err := d.Applications.Of(t.Context(), d.salted.ID)
	d.must(err)
	if made != 19 || len(list) != 20 {
		t.Errorf("got %d registered and %d in all, want 19 and 20", made, len(list))
	}
	d.must(d.Applications.Delete(t.Context(), list[7].ClientID))
	for i, want := range []error{nil, ErrApplicationLimit} {
		_, _, err := d.Applications.Register(t.Context(), d.salted.ID, "Moss map", back, nil, false)
		if !errors.Is(err, want) {
			t.Errorf("registration %d after a deletion: got %v, want %v", i+1, err, want)
		}
	}
}
