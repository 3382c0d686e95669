package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gamedata/internal/app/apptest"
)

// A running service can be exported. The export contains no addresses of players, and a store that imported it has the
// same export.
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
	fresh, again := t.TempDir(), filepath.Join(t.TempDir(), "again")
	expect(t, 0, "", "import", dir, "--data-dir", fresh)
	expect(t, 0, "", "export", again, "--data-dir", fresh)
	files, err := filepath.Glob(filepath.Join(dir, "*.ndjson"))
	if err != nil || len(files) < 20 {
		t.Fatalf("got the files %v, %v", files, err)
	}
	for _, file := range files {
		same := filepath.Join(again, filepath.Base(file))
		if !bytes.Equal(apptest.ReadFile(t, file), apptest.ReadFile(t, same)) {
			t.Errorf("%s differs after an import", filepath.Base(file))
		}
	}
}
