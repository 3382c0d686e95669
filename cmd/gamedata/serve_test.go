package main

import (
	"runtime"
	"strings"
	"testing"

	"gamedata/internal/app/apptest"
)

// A second process on the directory of a running service fails with the reason.
func TestSecondProcess(t *testing.T) {
	t.Parallel()
	p, dir := apptest.StartDemo(t)
	for _, args := range [][]string{{"serve", "--listen", "127.0.0.1:0"}, {"seed"}} {
		if code, _, errs := run(append(args, "--data-dir", dir)...); code != 1 || !strings.Contains(errs, "in use") {
			t.Errorf("%v: got exit status %d and %s, want 1", args, code, errs)
		}
	}
	p.Stop()
	again := serve(t, append(apptest.DemoFlags, "--data-dir", dir)...)
	if strings.Contains(again.Stdout.String(), "making the demo world") {
		t.Error("the second start created a world")
	}
}

// A service with an empty store says how to fill it, and one whose address is taken says the remedy.
func TestFirstStart(t *testing.T) {
	t.Parallel()
	p := serve(t, "--data-dir", apptest.Dir(t))
	if out := p.Stdout.String(); !strings.Contains(out, "The store is empty. Start with --demo") {
		t.Errorf("an empty store: got %s", out)
	}
	for path, want := range map[string]string{"/": "This store is empty.", "/docs/guides/feeding": "POST /feed"} {
		if res := apptest.Get(t, p.Base+path); !res.Has(want) {
			t.Errorf("%s: got no %q in %s", path, want, res.Body)
		}
	}
	taken := strings.TrimPrefix(p.Base, "http://")
	code, _, errs := run("serve", "--listen", taken, "--data-dir", apptest.Dir(t))
	if code != 1 || !strings.Contains(errs, "choose another with --listen") {
		t.Errorf("a taken address: got exit status %d and %s, want 1 and the remedy", code, errs)
	}
}

// On one core the service reads its connections while operations compute: it has a second processor of the scheduler.
func TestOneProcessor(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	serve(t, "--data-dir", apptest.Dir(t)).Stop()
	if n := runtime.GOMAXPROCS(0); n != 2 {
		t.Errorf("got %d, want 2", n)
	}
}
