package api

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"gamedata/internal/app/apptest"
)

// The service passes every audit of graphql-http, those about what a server should do included. `make audit` installs
// the suite; without it the test is skipped.
func TestGraphQLOverHTTPAudits(t *testing.T) {
	t.Parallel()
	const dir = "../../graphqlhttp/testdata/audit"
	if _, err := os.Stat(filepath.Join(dir, "node_modules")); err != nil {
		if os.Getenv("AUDIT_TESTS") == "required" {
			t.Fatal("run make audit first")
		}
		t.Skip("the suite is not installed: make audit")
	}
	p, _ := apptest.StartDemo(t, "--guest-rate", "10000")
	cmd := exec.CommandContext(t.Context(), "node", "audit.mjs", p.Base+"/graphql")
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var result struct {
		Count  int
		Failed []struct{ ID, Name, Status, Reason string }
	}
	if err := json.Unmarshal(out, &result); err != nil || result.Count < 60 {
		t.Fatalf("%s: %v", out, err)
	}
	for _, f := range result.Failed {
		t.Errorf("%s %s: %s: %s", f.ID, f.Name, f.Status, f.Reason)
	}
}
