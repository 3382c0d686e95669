package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Jobs and imports work on the embedded store of a running service, which serves their changes without a restart.
func TestCommandsBesideRunningService(t *testing.T) {
	t.Parallel()
	args := demo(t)
	dir := args[len(args)-3]
	p := startService(t, args...)
	if code, out, errs := run("jobs", "run", "leaderboards", "--full", "--data-dir", dir); code != 0 ||
		!strings.Contains(out, "60 players") {
		t.Errorf("jobs: %d %s %s", code, out, errs)
	}
	file := filepath.Join(t.TempDir(), "item-sets.json")
	if err := os.WriteFile(file, []byte(`{"Late Arrival":{"internalName":"late arrival","bonuses":{},"parts":[]}}`),
		0o600); err != nil {
		t.Fatal(err)
	}
	if code, out, errs := run("import", file, "--data-dir", dir); code != 0 {
		t.Errorf("import: %d %s %s", code, out, errs)
	}
	if body := requestOK(t, p.base, "GET", "/v3/item/sets", ""); !strings.Contains(string(body), "Late Arrival") {
		t.Errorf("got %.200s, want the imported set", body)
	}
}
