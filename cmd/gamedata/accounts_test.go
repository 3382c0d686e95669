package main

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gamedata/internal/app/apptest"
	"gamedata/internal/auth"
)

// runCommand runs a command on a store, which may belong to a running service.
func runCommand(t *testing.T, dir string, code int, args ...string) string {
	t.Helper()
	return strings.TrimSpace(expect(t, code, "", append(args, "--data-dir", dir)...))
}

// An operator creates an account while the service runs, links a player by a code, and creates tokens: the private one
// sees what the player hides.
func TestAccountCommands(t *testing.T) {
	t.Parallel()
	p, dir := apptest.StartDemo(t, "--guest-rate", "50", "--log-level", "debug")
	veiled := apptest.CastUUID("Veiled")
	runCommand(t, dir, 0, "account", "create", "Veiled one")
	runCommand(t, dir, 1, "account", "create", "VEILED ONE")
	expect(t, 0, "0 tokens", "account", "show", "Veiled one", "--data-dir", dir)
	expect(t, 1, "there is no such account: create one with gamedata account create",
		"account", "show", "Unknown", "--data-dir", dir)
	code, _, _ := strings.Cut(runCommand(t, dir, 0, "account", "link-code", "veiled"), "\n")
	runCommand(t, dir, 0, "account", "link", "Veiled one", strings.ToLower(code))
	runCommand(t, dir, 1, "account", "link", "Veiled one", code)
	expect(t, 0, veiled, "account", "show", "veiled ONE", "--data-dir", dir)
	token := runCommand(t, dir, 0, "token", "create", "Veiled one", "laptop", "--description", "for the bus")
	public := runCommand(t, dir, 0, "token", "create", "Veiled one", "site", "--public")
	runCommand(t, dir, 1, "token", "create", "Veiled one", "site")

	path := "/v3/player/" + veiled
	for _, c := range []struct {
		name, token, limit string
		hidden             bool
	}{{"guest", "", "50", true}, {"public token", public, "120", true}, {"own token", token, "120", false}} {
		res, body := apptest.GetWithToken(t, p, c.token, path)
		_, stats := body["globalData"]
		if res.Status != 200 || stats == c.hidden || body["online"] == c.hidden ||
			body["restrictions"].(map[string]any)["mainAccess"] != c.hidden ||
			res.Header.Get("RateLimit-Limit") != c.limit {
			t.Errorf("%s: %d, %v, limit %s", c.name, res.Status, body, res.Header.Get("RateLimit-Limit"))
		}
	}
	list := runCommand(t, dir, 0, "token", "list", "Veiled one")
	if strings.Contains(list, token) || !strings.Contains(list, token[:10]) || !strings.Contains(list, "for the bus") {
		t.Errorf("token list: got\n%s", list)
	}
	runCommand(t, dir, 0, "account", "unlink", "Veiled one", "Veiled")
	runCommand(t, dir, 1, "account", "unlink", "Veiled one", "Veiled")
	expect(t, 1, "not linked", "account", "unlink", "Veiled one", "00000000-0000-4000-8000-000000000000", "--data-dir", dir)

	runCommand(t, dir, 0, "token", "delete", "Veiled one", "laptop")
	if out := runCommand(t, dir, 1, "token", "delete", "Veiled one",
		"site"); !regexp.MustCompile(`wait 1\d\d seconds`).MatchString(out) {
		t.Errorf("a second deletion: got %s, want the seconds to wait", out)
	}
	runCommand(t, dir, 0, "token", "delete", "Veiled one", "site", "--now")
	p.Stop()
	if log := p.Stdout.String() + p.Stderr.String(); strings.Contains(log, token) || strings.Contains(log, public) ||
		strings.Contains(log, code) {
		t.Error("a secret is in the log")
	}
	text := apptest.ReadFile(t, filepath.Join(dir, "gamedata.db"))
	for _, secret := range []string{token, public, code} {
		if strings.Contains(string(text), secret) {
			t.Error("a secret is in the store")
		}
	}
}

// The bootstrap token comes from the environment or a file, and exists once after every start.
func TestBootstrapToken(t *testing.T) {
	dir := apptest.Dir(t)
	_, value, _ := run("token", "make")
	value = strings.TrimSpace(value)
	file := filepath.Join(t.TempDir(), "token")
	writeFile(t, file, value+"\n")
	t.Setenv("GAMEDATA_PEPPER", "salt")
	for _, given := range []struct{ variable, value string }{
		{"GAMEDATA_BOOTSTRAP_TOKEN_FILE", file}, {"GAMEDATA_BOOTSTRAP_TOKEN_FILE", file}, {"GAMEDATA_BOOTSTRAP_TOKEN", value},
	} {
		t.Run(given.variable, func(t *testing.T) {
			t.Setenv(given.variable, given.value)
			p := serve(t, "--data-dir", dir)
			apptest.Get(t, p.Base+"/v3/player", "Authorization", "Bearer "+value).Expect(t, "with the token", 200)
			if n := strings.Count(runCommand(t, dir, 0, "token", "list", "operator"), "\n"); n != 1 {
				t.Errorf("got %d tokens, want 1", n)
			}
		})
	}
	// With another pepper the store's digests match no token.
	t.Setenv("GAMEDATA_PEPPER", "pepper")
	refused := func(args ...string) {
		t.Helper()
		expect(t, 1, "GAMEDATA_PEPPER_FILE", append(args, "--data-dir", dir)...)
	}
	refused("token", "create", "operator", "pc")
	expectDoctor(t, 0, []string{"warn pepper differs"}, "--data-dir", dir)
	p := serve(t, "--data-dir", dir)
	apptest.Get(t, p.Base+"/v3/player", "Authorization", "Bearer "+value).Expect(t, "with another pepper", 401)
	token := runCommand(t, dir, 0, "token", "create", "operator", "pc")
	apptest.Get(t, p.Base+"/v3/player", "Authorization", "Bearer "+token).Expect(t, "a token of the new pepper", 200)
	t.Setenv("GAMEDATA_PEPPER", "salt")
	refused("token", "create", "operator", "tablet")
	refused("feed-token", "create", "eu-1")
	refused("account", "link-code", "Salted")
	p.Stop()
	if log := p.Stderr.String(); !strings.Contains(log, "the pepper has changed") {
		t.Errorf("log: %s", log)
	}
	t.Setenv("GAMEDATA_PEPPER", "")
	serveArgs := []string{"serve", "--listen", "127.0.0.1:0", "--data-dir", dir}
	expect(t, 2, auth.ErrInvalidTokenValue.Error(), append(serveArgs, "--bootstrap-token", "secret")...)
	both := slices.Concat(serveArgs, []string{"--bootstrap-token", value, "--bootstrap-token-file", file})
	if said := expect(t, 2, "not both", both...); strings.Contains(said, value) {
		t.Errorf("the error contains the token: %s", said)
	}
}
