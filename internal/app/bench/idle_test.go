package bench

import (
	"testing"
	"time"

	"gamedata/internal/app/apptest"
)

// settleTime is how long the program may take to become idle after it listens.
const settleTime = 30 * time.Second

// BenchmarkIdle starts the real program with a simulated demo world of 2,000 players and measures its anonymous memory.
// Pages of the embedded store's file, which is mapped, belong to the page cache: the kernel drops them when it needs
// to.
func BenchmarkIdle(b *testing.B) {
	program := startProgram(b)
	time.Sleep(settleTime)
	var seen []float64
	for end := time.Now().Add(observeTime); time.Now().Before(end); time.Sleep(observeTime / 20) {
		seen = append(seen, apptest.AnonymousMB(b, program.pid))
	}
	addFigure(b, "idle memory, MB", median(seen), atMost(80))
}
