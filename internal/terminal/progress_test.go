package terminal

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"
)

// The line is redrawn in place at most ten times a second, is cleared for other text, and ends with its step.
func TestProgress(t *testing.T) {
	var out bytes.Buffer
	now := time.Date(2026, 3, 20, 0, 0, 0, 0, time.UTC)
	p := &Progress{out: &out, draws: true, now: func() time.Time { return now }}
	expect := func(want string) {
		t.Helper()
		if got := out.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		out.Reset()
	}
	p.Report("players", 0, 10_000)
	expect("\r\x1b[Kplayers: 0%, 0 of 10,000")
	now = now.Add(50 * time.Millisecond)
	p.Report("players", 100, 10_000)
	expect("")
	now = now.Add(1950 * time.Millisecond)
	p.Report("players", 2500, 10_000)
	expect("\r\x1b[Kplayers: 25%, 2,500 of 10,000, 1,250/s, 6s left")
	if _, err := p.Write([]byte("note: no guilds\n")); err != nil {
		t.Fatal(err)
	}
	expect("\r\x1b[Knote: no guilds\n")
	p.Clear()
	expect("")
	p.Report("players", 10_000, 10_000)
	expect("\r\x1b[Kplayers: 100%, 10,000 of 10,000, 5,000/s")
	p.Report("guilds", 7, 0)
	expect("\r\x1b[Kguilds: 7")
	p.Report(strings.Repeat("long", 30), 8, 0)
	if got := len(strings.TrimPrefix(out.String(), clearLine)); got != width {
		t.Errorf("a long line has %d columns, want %d", got, width)
	}
	out.Reset()
	p.Clear()
	expect("\r\x1b[K")
}

// Only a terminal gets the line; other text goes to every writer.
func TestProgressElsewhere(t *testing.T) {
	var out bytes.Buffer
	p := NewProgress(&out, true)
	p.Report("players", 1, 2)
	if _, err := p.Write([]byte("note\n")); err != nil {
		t.Fatal(err)
	}
	p.Clear()
	if got := out.String(); got != "note\n" {
		t.Errorf("got %q, want the note alone", got)
	}
	if device, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0); err == nil {
		defer device.Close()
		if !NewProgress(device, true).draws || NewProgress(device, false).draws {
			t.Error("a terminal shows the line if, and only if, it is wanted")
		}
	}
}
