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
	expect(t, 0, "of the running service", "export", dir, "--data-dir", apptest.SharedDir(t))
	if entries, err := os.ReadDir(filepath.Dir(dir)); err != nil || len(entries) != 1 {
		t.Errorf("got other files than the export: %v %v", entries, err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "players.ndjson"))
	if err != nil || strings.Contains(string(text), `"address":"127.0.0.1"`) || !strings.Contains(string(text),
		`"address":""`) {
		t.Errorf("the export contains an address: %v", err)
	}
	expect(t, 1, "is not empty: it has players", "import", dir, "--data-dir", apptest.SharedDir(t))
	expect(t, 2, "directory is not empty", "export", dir, "--data-dir", apptest.SharedDir(t))
	expect(t, 2, "imported alone", "import", dir, "more.json")
	expect(t, 0, "", "export", dir, "--replace", "--data-dir", apptest.SharedDir(t))
}
