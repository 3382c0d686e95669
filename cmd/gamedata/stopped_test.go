//go:build unix

package main

import (
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"gamedata/internal/slowtest"
)

// A seed that is stopped for longer than its lease and than a command may take, as by the lid of a laptop, goes on.
func TestStoppedSeed(t *testing.T) {
	slowtest.Only(t)
	t.Parallel()
	dir := t.TempDir()
	p, out := runProcess(t, "seed", "--players", "20000", "--seed-days", "0", "--data-dir", dir)
	go func() { _, _ = io.Copy(io.Discard, out) }()
	for size := int64(0); size < 20<<20; time.Sleep(10 * time.Millisecond) { // it is writing players
		if info, err := os.Stat(filepath.Join(dir, "gamedata.db")); err == nil {
			size = info.Size()
		}
	}
	if err := p.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	time.Sleep(70 * time.Second)
	if err := p.cmd.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Wait(); err != nil {
		t.Error(err)
	}
}
