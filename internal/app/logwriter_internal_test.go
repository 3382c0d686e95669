package app

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// calls counts the calls of Write.
type calls struct {
	strings.Builder
	n int
}

func (c *calls) Write(p []byte) (int, error) {
	c.n++
	return c.Builder.Write(p)
}

// Lines are written in order, lines of a moment together, many at once, and the last ones by Close.
func TestLogWriter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &calls{}
		w := &logWriter{out: out}
		want := ""
		log := func(lines, size int) {
			for range lines {
				line := fmt.Sprintln(strings.Repeat("x", size), len(want))
				want += line
				if n, err := w.Write([]byte(line)); n != len(line) || err != nil {
					t.Fatal(n, err)
				}
			}
		}
		check := func(when string, wantCalls int) {
			t.Helper()
			synctest.Wait()
			if out.String() != want || out.n != wantCalls {
				t.Fatalf("%s: %d of %d bytes in %d calls", when, out.Len(), len(want), out.n)
			}
		}
		log(1, 10)
		time.Sleep(2 * logDelay)
		check("one line", 1)
		log(100, 10)
		time.Sleep(2 * logDelay)
		check("lines of a moment", 2)
		log(12, maxLogBuffer/10)
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if out.String() != want || out.n < 3 {
			t.Errorf("more than fits: %d of %d bytes in %d calls", out.Len(), len(want), out.n)
		}
	})
}
