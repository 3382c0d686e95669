// Package slowtest marks the tests that `make test` leaves out.
package slowtest

import (
	"os"
	"testing"
)

// Only skips a test unless SLOW_TESTS is set. `make test-slow` runs the tests that call it first.
func Only(t *testing.T) {
	t.Helper()
	if os.Getenv("SLOW_TESTS") == "" {
		t.Skip("slow: run make test-slow, or set SLOW_TESTS=1")
	}
}
