package main

import (
	"os"
	"strings"
	"testing"
)

// typed gives the verbs of a test this standard input.
func typed(t *testing.T, text string) {
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

// An account that an operator made can be signed in to once it has a password, and whoever
// forgot one gets another.
func TestPasswordVerb(t *testing.T) {
	t.Parallel()
	p, dir := serveDemo(t)
	inStore(t, dir, 0, "account", "create", "Salted")
	v := visitor(t, p)
	signIn := func(password string, status int) {
		t.Helper()
		v.open("/account/sign-in").fill("/account/sign-in", "name", "Salted", "password", password).has(status)
	}
	signIn("", 403)
	for _, password := range []string{"a long password", "a second password"} {
		typed(t, password+"\n")
		if out := inStore(t, dir, 0, "account", "password", "salted"); strings.Contains(out, password) {
			t.Errorf("says %s", out)
		}
		signIn(password, 200)
	}
	typed(t, "short\n")
	if out := inStore(t, dir, 1, "account", "password", "Salted"); !strings.Contains(out, "10 to 128 characters") {
		t.Errorf("says %s", out)
	}
	signIn("a long password", 403)
}
