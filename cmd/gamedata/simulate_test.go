package main

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"gamedata/internal/app"
	"gamedata/internal/app/apptest"
	"gamedata/mongo"
)

// Some hours of a demo world are simulated beside its service: online players change, the cast keep their places.
func TestSimulate(t *testing.T) {
	t.Parallel()
	still, dir := apptest.StartDemo(t)
	type salted struct {
		Server   string
		Playtime float64
	}
	before := apptest.Decode[salted](t, apptest.RequestOK(t, still.Base, "GET", "/v3/player/Salted", ""))
	online := apptest.RequestOK(t, still.Base, "GET", "/v3/player", "")
	code, out, errs := run("simulate", "--data-dir", dir, "--speed", "0", "--start", "2026-03-20T17:30:00Z", "--duration",
		"3h")
	if lines := strings.Split(strings.TrimSpace(out), "\n"); code != 0 || errs != "" || len(lines) != 4 ||
		!strings.HasPrefix(lines[1], "2026-03-20 18:00 to 19:00: ") || !strings.Contains(out, " PlayerJoined") {
		t.Fatalf("ended with %d: %s%s", code, out, errs)
	}
	still.Stop()
	again := apptest.Start(t, append(apptest.DemoFlags, "--data-dir", dir)...)
	after := apptest.Decode[salted](t, apptest.RequestOK(t, again.Base, "GET", "/v3/player/Salted", ""))
	if after.Server != "EU37" || before.Server != "EU37" || after.Playtime <= before.Playtime {
		t.Errorf("Salted: %+v, then %+v", before, after)
	}
	if now := apptest.RequestOK(t, again.Base, "GET", "/v3/player", ""); bytes.Equal(now, online) {
		t.Error("got the same online players after three hours")
	}
}

// A cancelled simulation ends cleanly and reports its totals.
func TestSimulateStops(t *testing.T) {
	t.Parallel()
	data := apptest.DemoDir(t)
	ctx, cancel := context.WithCancel(t.Context())
	out := apptest.NewOutput()
	ended := make(chan int)
	go func() { ended <- Run(ctx, []string{"simulate", "--data-dir", data, "--speed", "0"}, out, out) }()
	<-out.More // an hour has passed
	cancel()
	if code := <-ended; code != 0 || !strings.Contains(out.String(), " events: ") {
		t.Errorf("ended with %d: %s", code, out)
	}
}

// Only one simulation can run on a store.
func TestSimulationsExcludeEachOther(t *testing.T) {
	t.Parallel()
	_, dir := apptest.StartDemo(t)
	db, err := app.JoinStore(t.Context(), apptest.StoreIn(dir))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	again := func() (int, string) {
		code, out, errs := run("simulate", "--data-dir", dir, "--speed", "0", "--duration", "1m")
		return code, out + errs
	}
	err = db.Leases.With(t.Context(), "simulation", "the first", func(context.Context, *mongo.Lease) error {
		if code, text := again(); code == 0 || !strings.Contains(text, "simulation: another instance is at work") {
			t.Errorf("beside another: got exit status %d and %s, want an error", code, text)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	if code, text := again(); code != 0 {
		t.Errorf("after the first has ended: got exit status %d and %s, want 0", code, text)
	}
}
