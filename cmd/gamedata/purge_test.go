package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// An import purges the caches of a running service.
func TestImportPurgesTheService(t *testing.T) {
	t.Parallel()
	args := demo(t)
	dir := args[len(args)-3]
	p := startService(t, append(args, "--guest-rate", "1000000")...)
	sets := func() string { return string(requestOK(t, p.base, "GET", "/v3/item/sets", "")) }
	if strings.Contains(sets(), "Late Arrival") {
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
	for deadline := time.Now().Add(30 * time.Second); !strings.Contains(sets(), "Late Arrival"); {
		if time.Now().After(deadline) {
			t.Fatal("30 s after the import: got the old sets")
		}
	}
}

// The functions of the command are tested in internal/app.
func TestPurgeArguments(t *testing.T) {
	for _, args := range [][]string{{"--tag", "salted"}, {"--tag", "player:Salted"}, {"--admin", "nowhere"}, {"extra"}} {
		if code, _, errs := run(append([]string{"cache", "purge"}, args...)...); code != 2 {
			t.Errorf("%v: got exit status %d and %s, want 2", args, code, errs)
		}
	}
	if code, _, errs := run("cache", "purge", "--admin", "http://127.0.0.1:1"); code != 1 ||
		!strings.Contains(errs, "--admin") {
		t.Errorf("no service: got exit status %d and %s, want 1 and an error about --admin", code, errs)
	}
}
