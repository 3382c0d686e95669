package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gamedata/internal/app/apptest"
)

// Jobs and imports work on the embedded store of a running service, whose caches they purge.
func TestCommandsBesideRunningService(t *testing.T) {
	t.Parallel()
	p, dir := apptest.StartDemo(t)
	if code, out, errs := run("jobs", "run", "leaderboards", "--full", "--data-dir", dir); code != 0 ||
		!strings.Contains(out, "60 players") {
		t.Errorf("jobs: %d %s %s", code, out, errs)
	}
	imported := func() bool { return apptest.Get(t, p.Base+"/v3/item/sets").Has("Late Arrival") }
	if imported() {
		t.Fatal("the set exists before the import")
	}
	file := filepath.Join(t.TempDir(), "item-sets.json")
	if err := os.WriteFile(file, []byte(`{"Late Arrival":{"internalName":"late arrival","bonuses":{},"parts":[]}}`),
		0o600); err != nil {
		t.Fatal(err)
	}
	if code, out, errs := run("import", file, "--data-dir", dir); code != 0 {
		t.Errorf("import: %d %s %s", code, out, errs)
	}
	for deadline := time.Now().Add(3 * time.Minute); !imported(); {
		if time.Now().After(deadline) {
			t.Fatal("3 minutes after the import: got the old sets")
		}
	}
}
