package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A command that a signal ends reports the signal. Stopping a service is no failure, even before it is ready.
func TestSignalWhileCreating(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]int{"serve --demo --listen 127.0.0.1:0": 0, "seed": 1} {
		dir := t.TempDir()
		ctx, cancel := context.WithCancelCause(t.Context())
		go func() {
			for !fileExists(filepath.Join(dir, "gamedata.db")) {
				time.Sleep(time.Millisecond)
			}
			cancel(errors.New("the signal"))
		}()
		var out, errs strings.Builder
		code := Run(ctx, append(strings.Fields(command), "--players", "2000", "--data-dir", dir), &out, &errs)
		if code != want || (code == 1) != strings.HasPrefix(errs.String(), "gamedata: the signal: ") {
			t.Errorf("%s: got %d %q %q", command, code, &out, &errs)
		}
	}
}

func fileExists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
