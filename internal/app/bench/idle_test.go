package bench

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
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
		seen = append(seen, anonymousMB(b, program.pid))
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(seen), "MB")
	b.ReportMetric(slices.Max(seen), "most-MB")
	addFigure("idle memory, MB", median(seen), atMost(80))
}

// anonymousMB returns the anonymous resident memory of a process in MB, 0 if it has ended.
func anonymousMB(b testing.TB, pid int) float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		b.Skip("cannot read the memory of a process here:", err)
	}
	_, rest, running := strings.Cut(string(text), "RssAnon:")
	if !running {
		return 0
	}
	kb, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
	if err != nil {
		b.Fatal(err)
	}
	return kb * 1024 / 1e6
}
