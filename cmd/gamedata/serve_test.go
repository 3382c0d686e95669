package main

import (
	"strings"
	"testing"
)

// A second start finds the world as it was and makes none; a second process is told why it
// cannot have the same directory.
func TestSecondStart(t *testing.T) {
	t.Parallel()
	args := demo(t)
	p := startService(t, args...)
	first := requestOK(t, p.base, "GET", "/v3/player/Salted?fullResult", "")
	if code, _, errs := run(append([]string{"serve", "--listen", "127.0.0.1:0"}, args...)...); code != 1 ||
		!strings.Contains(errs, "in use") {
		t.Errorf("a second process: %d %s", code, errs)
	}
	if code, _, errs := run("seed", "--data-dir", args[len(args)-3]); code != 1 || !strings.Contains(errs, "in use") {
		t.Errorf("seeding under a running service: %d %s", code, errs)
	}
	if code := p.stop(); code != 0 {
		t.Fatalf("stopped with %d: %s", code, p.stderr)
	}
	again := startService(t, args...)
	if strings.Contains(again.stdout.String(), "making the demo world") {
		t.Error("the second start made a world")
	}
	expectSameJSON(t, "Salted", first, requestOK(t, again.base, "GET", "/v3/player/Salted?fullResult", ""))
	again.stop()
	if code, _, errs := run("seed", "--data-dir", args[len(args)-3]); code != 1 || !strings.Contains(errs, "players") {
		t.Errorf("seeding a full store: %d %s", code, errs)
	}
}
