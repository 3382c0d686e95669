package apptest

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
)

// AnonymousMB returns the anonymous resident memory of a process in MB, 0 if it has ended.
func AnonymousMB(t testing.TB, pid int) float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Skip("cannot read the memory of a process here:", err)
	}
	_, rest, running := strings.Cut(string(text), "RssAnon:")
	if !running {
		return 0
	}
	kb, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
	if err != nil {
		t.Fatal(err)
	}
	return kb * 1024 / 1e6
}
