package bench

import (
	"bufio"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gamedata/internal/app/apptest"
)

type benchProgram struct {
	base string // of its URLs
	dir  string // of its store
	pid  int
}

const observeTime = 20 * time.Second

// startProgram builds the program and runs `gamedata serve` with flags on a demo world until the benchmark ends.
func startProgram(b *testing.B, flags ...string) benchProgram {
	b.Helper()
	return serveProgram(b, buildProgram(b), apptest.Dir(b), append([]string{"--demo"}, flags...)...)
}

func buildProgram(b *testing.B) string {
	b.Helper()
	binary := filepath.Join(b.TempDir(), "gamedata")
	if out, err := exec.CommandContext(b.Context(), "go", "build", "-o", binary, "gamedata/cmd/gamedata").
		CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	return binary
}

// serveProgram runs `gamedata serve` on a store until the benchmark ends.
func serveProgram(b *testing.B, binary, dir string, flags ...string) benchProgram {
	b.Helper()
	program := exec.CommandContext(context.Background(), binary, slices.Concat(
		[]string{"serve", "--data-dir", dir, "--listen", "127.0.0.1:0", "--log-level", "warn"}, flags)...)
	out, err := program.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	logs, err := os.Create(filepath.Join(b.TempDir(), "log"))
	if err != nil {
		b.Fatal(err)
	}
	program.Stderr = logs
	if err := program.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = program.Process.Signal(os.Interrupt) // fails when it has ended
		_ = program.Wait()
		_ = logs.Close()
	})
	p := benchProgram{dir: dir, pid: program.Process.Pid}
	for lines := bufio.NewScanner(out); !strings.Contains(lines.Text(), "/livez"); {
		if !lines.Scan() {
			_ = program.Wait()
			text, _ := os.ReadFile(logs.Name())
			b.Fatalf("the program did not start: %s", text)
		}
		if m := apptest.Address.FindStringSubmatch(lines.Text()); m != nil {
			p.base = m[1]
		}
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	return p
}
