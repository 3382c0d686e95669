package main

import (
	"path/filepath"
	"testing"
	"time"

	"gamedata/internal/app/apptest"
)

// Jobs and imports work on the embedded store of a running service, whose caches they purge.
func TestCommandsBesideRunningService(t *testing.T) {
	t.Parallel()
	p, dir := apptest.StartDemo(t)
	expect(t, 0, "60 players", "jobs", "run", "leaderboards", "--full", "--data-dir", dir)
	imported := func() bool { return apptest.Get(t, p.Base+"/v3/item/sets").Has("Late Arrival") }
	if imported() {
		t.Fatal("the set exists before the import")
	}
	file := filepath.Join(t.TempDir(), "item-sets.json")
	writeFile(t, file, `{"Late Arrival":{"internalName":"late arrival","bonuses":{},"parts":[]}}`)
	expect(t, 0, "", "import", file, "--data-dir", dir)
	for deadline := time.Now().Add(3 * time.Minute); !imported(); {
		if time.Now().After(deadline) {
			t.Fatal("3 minutes after the import: got the old sets")
		}
	}
}
