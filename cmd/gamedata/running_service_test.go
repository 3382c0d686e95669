package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"gamedata/internal/app"
	"gamedata/internal/app/apptest"
	"gamedata/mongo"
)

// Jobs and imports work on the embedded store of a running service, whose caches they purge. A job does not run while
// another instance runs one.
func TestCommandsBesideRunningService(t *testing.T) {
	t.Parallel()
	p, dir := apptest.StartDemo(t)
	expect(t, 0, "60 players", "jobs", "run", "leaderboards", "--full", "--data-dir", dir)
	db, err := app.JoinStore(t.Context(), apptest.StoreIn(dir))
	if err != nil {
		t.Fatal(err)
	}
	err = db.Leases.With(t.Context(), "leaderboards", "another", func(context.Context, *mongo.Lease) error {
		expect(t, 1, "another instance is at work", "jobs", "run", "ranks", "--data-dir", dir)
		return nil
	})
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	imported := func() bool { return apptest.Get(t, p.Base+"/v3/item/sets").Has("Late Arrival") }
	if imported() {
		t.Fatal("the set exists before the import")
	}
	file := filepath.Join(t.TempDir(), "item-sets.json")
	writeFile(t, file, `{"Late Arrival":{"internalName":"late arrival","bonuses":{},"parts":[]}}`)
	expect(t, 0, "", "import", file, "--data-dir", dir)
	if err := os.Rename(file, filepath.Join(filepath.Dir(file), "notes.json")); err != nil {
		t.Fatal(err)
	}
	expect(t, 1, "no file is named after an endpoint", "import", filepath.Dir(file), "--data-dir", dir)
	apptest.Await(t, "the imported set", imported)
}
