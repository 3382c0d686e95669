package main

import (
	"errors"
	"os"
	"strings"
	"testing"

	"gamedata/internal/app"
	"gamedata/internal/app/apptest"
	"gamedata/internal/auth"
)

// setStdin replaces the standard input until the test ends.
func setStdin(t *testing.T, text string) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.WriteString(text); err != nil {
		t.Fatal(err)
	}
	_ = w.Close()
	before := os.Stdin
	os.Stdin = r
	t.Cleanup(func() { os.Stdin = before; _ = r.Close() })
}

// An account can be signed in to once the operator gave it a password, and only with the latest one.
func TestPasswordCommand(t *testing.T) {
	t.Parallel()
	dir := apptest.Dir(t)
	runCommand(t, dir, 0, "account", "create", "Salted")
	signIn := func(password string, want error) {
		t.Helper()
		db, err := app.JoinStore(t.Context(), apptest.StoreIn(dir))
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		_, err = auth.New(db.Store, auth.Options{}).Sessions.SignIn(t.Context(), "Salted", password, "", "")
		if !errors.Is(err, want) {
			t.Errorf("signing in with %q: got %v, want %v", password, err, want)
		}
	}
	signIn("", auth.ErrSignInFailed)
	for _, password := range []string{"a long password", "a second password"} {
		setStdin(t, password+"\n")
		if out := runCommand(t, dir, 0, "account", "password", "salted"); strings.Contains(out, password) {
			t.Errorf("the command prints the password: %s", out)
		}
		signIn(password, nil)
	}
	setStdin(t, "short\n")
	if out := runCommand(t, dir, 1, "account", "password", "Salted"); !strings.Contains(out, "10 to 128 characters") {
		t.Errorf("got %s, want the length that passwords must have", out)
	}
	signIn("a long password", auth.ErrSignInFailed)
}
