package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// What a running service exports and an empty store takes in answers every golden as before, by
// REST and by GraphQL. Who came from which address is not in it.
func TestExportAndImport(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	t.Parallel()
	args := demo(t)
	p := start(t, args...)
	dir := filepath.Join(t.TempDir(), "exported")
	code, out, errs := run("export", dir, "--data-dir", dataDirOf(t, args))
	if code != 0 || !strings.Contains(out, "of the running service") {
		t.Fatalf("%d %s%s", code, out, errs)
	}
	if entries, err := os.ReadDir(filepath.Dir(dir)); err != nil || len(entries) != 1 {
		t.Errorf("there is more than the export: %v %v", entries, err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "players.ndjson"))
	if err != nil || strings.Contains(string(text), `"address":"127.0.0.1"`) || !strings.Contains(string(text),
		`"address":""`) {
		t.Errorf("an address is in it: %v", err)
	}
	fresh := t.TempDir()
	if code, out, errs := run("import", dir, "--data-dir", fresh); code != 0 || !strings.Contains(out, "stored") {
		t.Fatalf("%d %s%s", code, out, errs)
	}
	for says, args := range map[string][]string{
		"is not empty: it has players": {"import", dir, "--data-dir", fresh},
		"directory is not empty":       {"export", dir, "--data-dir", fresh},
		"imported alone":               {"import", dir, "more.json"},
		"export wants DIR":             {"export"},
	} {
		if code, out, errs := run(args...); code == 0 || !strings.Contains(errs, says) {
			t.Errorf("%v: %d %s%s", args, code, out, errs)
		}
	}
	if code, _, errs := run("export", dir, "--replace", "--data-dir", fresh); code != 0 {
		t.Errorf("--replace: %s", errs)
	}

	again := start(t, "--data-dir", fresh, "--guest-rate", "1000000")
	files, err := filepath.Glob("../../rest/testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	for _, file := range files {
		golden, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		request := string(section(golden, "request"))
		if strings.Contains(request, "/whoami") || strings.Contains(request, "/map/locations/player") {
			continue // they know callers by their address
		}
		r, body := parseRequest(t, again.base, request)
		if d := cmp.Diff(string(section(golden, "response")), string(render(t, send(t, r, body)))); d != "" {
			t.Errorf("%s: %s", filepath.Base(file), d)
		}
		asked++
	}
	if asked < 100 {
		t.Errorf("%d goldens", asked)
	}
	const query = `{"query":"{ guild(name: \"Mossbound Company\") { members { all { username player { rankMovement { type movement } } } } rankMovement { type movement } heldTerritories { name } } articles { results { article { content { html } } } } leaderboard(type: \"globalPlayerContent\") { refreshedAt entries { position name ... on PlayerEntry { movement } } } }"}`
	sameJSON(t, "guilds", dataOf(t, ask(t, p.base, "POST", "/graphql", query)), dataOf(t, ask(t, again.base, "POST",
		"/graphql", query)))
	if code, out, errs := run("jobs", "run", "leaderboards", "--full", "--data-dir", fresh); code != 0 {
		t.Errorf("the jobs do not go on: %s%s", out, errs)
	}
}

// dataOf is the data of a GraphQL answer; its extensions tell of the cache, not of the game.
func dataOf(t *testing.T, answer []byte) []byte {
	t.Helper()
	var a struct{ Data json.RawMessage }
	if err := json.Unmarshal(answer, &a); err != nil || len(a.Data) == 0 {
		t.Fatalf("%v: %s", err, answer)
	}
	return a.Data
}

// dataDirOf is the directory of the store that a program was started with.
func dataDirOf(t *testing.T, args []string) string {
	t.Helper()
	for i, a := range args {
		if a == "--data-dir" {
			return args[i+1]
		}
	}
	t.Fatal("no --data-dir")
	return ""
}
