package main

import (
	"runtime"
	"strings"
	"testing"
)

// A second start reuses the demo world; a second process on the same directory fails with the reason.
func TestSecondStart(t *testing.T) {
	t.Parallel()
	args := demo(t)
	p := startService(t, args...)
	first := requestOK(t, p.base, "GET", "/v3/player/Salted?fullResult", "")
	if code, _, errs := run(append([]string{"serve", "--listen", "127.0.0.1:0"}, args...)...); code != 1 ||
		!strings.Contains(errs, "in use") {
		t.Errorf("a second process: got exit status %d and %s, want 1", code, errs)
	}
	if code, _, errs := run("seed", "--data-dir", args[len(args)-3]); code != 1 || !strings.Contains(errs, "in use") {
		t.Errorf("seeding beside a running service: got exit status %d and %s, want 1", code, errs)
	}
	if code := p.stop(); code != 0 {
		t.Fatalf("stopped with %d: %s", code, p.stderr)
	}
	again := startService(t, args...)
	if strings.Contains(again.stdout.String(), "making the demo world") {
		t.Error("the second start created a world")
	}
	expectSameJSON(t, "Salted", first, requestOK(t, again.base, "GET", "/v3/player/Salted?fullResult", ""))
	again.stop()
	if code, _, errs := run("seed", "--data-dir", args[len(args)-3]); code != 1 || !strings.Contains(errs, "players") {
		t.Errorf("seeding a store with players: got exit status %d and %s, want 1", code, errs)
	}
}

// A service with an empty store says how to fill it, and one whose address is taken says the remedy.
func TestFirstStart(t *testing.T) {
	t.Parallel()
	p := startService(t, "--data-dir", dataDir(t))
	if out := p.stdout.String(); !strings.Contains(out, "The store is empty. Start with --demo") {
		t.Errorf("an empty store: got %s", out)
	}
	if page := get(t, p.base+"/"); !strings.Contains(page, "This store is empty.") {
		t.Errorf("the front page does not say that the store is empty: got %s", page)
	}
	if page := get(t, p.base+"/docs/guides/feeding"); !strings.Contains(page, "POST /feed") {
		t.Errorf("the front page does not lead to the guide: got %s", page)
	}
	taken := strings.TrimPrefix(p.base, "http://")
	code, _, errs := run("serve", "--listen", taken, "--data-dir", dataDir(t))
	if code != 1 || !strings.Contains(errs, "choose another with --listen") {
		t.Errorf("a taken address: got exit status %d and %s, want 1 and the remedy", code, errs)
	}
}

// On one core the service reads its connections while operations compute: it has a second processor of the scheduler.
func TestOneProcessor(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	startService(t, demo(t)...).stop()
	if n := runtime.GOMAXPROCS(0); n != 2 {
		t.Errorf("got %d, want 2", n)
	}
}
