package app_test

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// benchProgram is the program, built and run as a separate process.
type benchProgram struct {
	base string // of its URLs
	pid  int
}

// buildProgram builds the program.
func buildProgram(b *testing.B) (binary string) {
	b.Helper()
	binary = filepath.Join(b.TempDir(), "gamedata")
	if out, err := exec.CommandContext(b.Context(), "go", "build", "-o", binary, "gamedata/cmd/gamedata").
		CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	return binary
}

// startProgram runs a command until the benchmark ends: `gamedata serve` with any flags, or a program that starts it.
func startProgram(b *testing.B, command ...string) benchProgram {
	b.Helper()
	program := exec.CommandContext(context.Background(), command[0], append(command[1:], "--listen", "127.0.0.1:0",
		"--log-level", "warn")...)
	out, err := program.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	var stderr bytes.Buffer
	program.Stderr = &stderr
	if err := program.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = program.Process.Signal(os.Interrupt) // fails when it has ended
		_ = program.Wait()
	})
	p := benchProgram{pid: program.Process.Pid}
	for lines := bufio.NewScanner(out); !strings.Contains(lines.Text(), "/livez"); {
		if !lines.Scan() {
			_ = program.Wait()
			b.Fatalf("the program did not start: %s", &stderr)
		}
		if m := address.FindStringSubmatch(lines.Text()); m != nil {
			p.base = m[1]
		}
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	return p
}
