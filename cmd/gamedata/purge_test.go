package main

import (
	"strings"
	"testing"
)

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
