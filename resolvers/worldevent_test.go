package resolvers

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"gamedata/graph/model"
)

// A start is shown if now ≤ start < now + 15 minutes.
func TestNextRun(t *testing.T) {
	now := time.Date(2026, 11, 20, 18, 30, 0, 0, time.UTC)
	for _, c := range []struct {
		name  string
		after time.Duration
		every int64
		want  bool
	}{
		{"now", 0, 0, true},
		{"a moment ago", -time.Millisecond, 0, false},
		{"just inside", 15*time.Minute - time.Millisecond, 0, true},
		{"at the end", 15 * time.Minute, 0, false},
		{"repeats inside", -time.Hour, 600, true},
		{"repeats beyond", -10 * time.Minute, 3600, false},
		{"repeats at the end", -45 * time.Minute, 3600, false},
		{"not yet", time.Hour, 600, false},
	} {
		start := nextRun(&model.Timetable{First: now.Add(c.after), EverySeconds: c.every}, now)
		if (start != nil) != c.want {
			t.Errorf("%s: %v", c.name, start)
		}
	}
	if start := nextRun(nil, now); start != nil {
		t.Errorf("without a timetable: %v", start)
	}
}

// The shown start is inside the window, and one inside the window is always shown.
func TestNextRunProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		now := time.Date(2026, 11, 20, 18, 30, 0, rapid.IntRange(0, 999).Draw(t, "ms")*1e6, time.UTC)
		first := time.Duration(rapid.Int64Range(-1e9, 1e9).Draw(t, "first")) * time.Millisecond
		table := &model.Timetable{First: now.Add(first), EverySeconds: rapid.Int64Range(1, 5000).Draw(t, "every")}
		every := time.Duration(table.EverySeconds) * time.Second
		got := nextRun(table, now)
		var inside *time.Time // found by walking
		for s := table.First; s.Before(now.Add(15 * time.Minute)); s = s.Add(every) {
			if !s.Before(now) {
				inside = &s
				break
			}
		}
		if (got == nil) != (inside == nil) || got != nil && !got.Equal(*inside) {
			t.Fatalf("got %v, want %v", got, inside)
		}
	})
}
