package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gamedata/internal/app/apptest"
)

// A running service can be exported. The export contains no addresses of players.
func TestExportCommand(t *testing.T) {
	if testing.Short() {
		t.Skip("make race leaves out the longest tests")
	}
	t.Parallel()
	apptest.Shared(t)
	dir := filepath.Join(t.TempDir(), "exported")
	code, out, errs := run("export", dir, "--data-dir", apptest.SharedDir(t))
	if code != 0 || !strings.Contains(out, "of the running service") {
		t.Fatalf("%d %s%s", code, out, errs)
	}
	if entries, err := os.ReadDir(filepath.Dir(dir)); err != nil || len(entries) != 1 {
		t.Errorf("got other files than the export: %v %v", entries, err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "players.ndjson"))
	if err != nil || strings.Contains(string(text), `"address":"127.0.0.1"`) || !strings.Contains(string(text),
		`"address":""`) {
		t.Errorf("the export contains an address: %v", err)
	}
	for says, args := range map[string][]string{
		"is not empty: it has players": {"import", dir, "--data-dir", apptest.SharedDir(t)},
		"directory is not empty":       {"export", dir, "--data-dir", apptest.SharedDir(t)},
		"imported alone":               {"import", dir, "more.json"},
	} {
		if code, out, errs := run(args...); code == 0 || !strings.Contains(errs, says) {
			t.Errorf("%v: %d %s%s", args, code, out, errs)
		}
	}
	if code, _, errs := run("export", dir, "--replace", "--data-dir", apptest.SharedDir(t)); code != 0 {
		t.Errorf("--replace: %s", errs)
	}
}
