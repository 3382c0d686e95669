package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"gamedata/internal/app/apptest"
)

// serve runs `gamedata serve` until the test ends, on a free port of loopback.
func serve(t *testing.T, args ...string) *apptest.Program {
	t.Helper()
	p := apptest.Run(t, func(ctx context.Context, stdout, stderr io.Writer) int {
		return Run(ctx, append([]string{
			"serve", "--listen", "127.0.0.1:0", "--log-level", "warn", "--leaderboard-refresh", "0",
		}, args...), stdout, stderr)
	})
	t.Cleanup(func() { p.Stop() })
	return p
}

func run(args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = Run(context.Background(), args, &out, &errs)
	return code, out.String(), errs.String()
}

// expect runs a command, which must end with an exit status and print a text. It returns both outputs.
func expect(t *testing.T, code int, text string, args ...string) string {
	t.Helper()
	got, out, errs := run(args...)
	if got != code || !strings.Contains(out+errs, text) {
		t.Fatalf("%v: got exit status %d and %s%s, want %d and %q", args, got, out, errs, code, text)
	}
	return out + errs
}

// writeFile writes a file that only its owner can read.
func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// A command that waits for what cannot be cancelled ends soon after the first signal.
func TestSignalEndsCommands(t *testing.T) {
	t.Parallel()
	root, begun := command(), make(chan struct{})
	root.AddCommand(&cobra.Command{Use: "wait", RunE: withSettings(func(*cobra.Command, []string) error {
		close(begun)
		select {}
	})})
	root.SetArgs([]string{"wait"})
	ctx, signal := context.WithCancel(t.Context())
	go func() { <-begun; signal() }()
	if err := root.ExecuteContext(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
