package main

import (
	"context"
	"strings"
	"testing"

	"gamedata/internal/app/apptest"
	"gamedata/internal/load"
)

// The mixes of the program succeed on a demo world, and a service that misses a threshold makes the command fail.
func TestLoad(t *testing.T) {
	t.Parallel()
	service := apptest.Shared(t)
	for _, mix := range load.MixNames() {
		// With as many callers as requests none has to wait for its last response.
		code, out, errs := run("load", "--target", service.Base, "--mix", mix, "--rate", "40", "--duration", "1s",
			"--callers", "40", "--max-error-rate", "0")
		if code != 0 || errs != "" || !strings.Contains(out, "40 requests in ") {
			t.Errorf("%s: got exit status %d and %s%s", mix, code, out, errs)
		}
	}
	code, out, errs := run("load", "--target", service.Base, "--mix", "polling", "--duration", "1s", "--max-p99", "1ns")
	if code != 1 || !strings.Contains(out, "50 requests in ") || !strings.Contains(errs, "the maximum is 1ns") {
		t.Errorf("got exit status %d and %s%s, want a missed maximum", code, out, errs)
	}

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if code := Run(ctx, []string{"load", "--target", service.Base}, apptest.NewOutput(), apptest.NewOutput()); code != 1 {
		t.Errorf("interrupted before it began: got exit status %d, want 1", code)
	}
}
