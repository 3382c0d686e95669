package model_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"gamedata/graph/model"
)

var first = time.Date(2026, 3, 20, 12, 0, 0, 250e6, time.UTC)

func TestTimetableNext(t *testing.T) {
	at := first.Add
	for name, c := range map[string]struct {
		every int64
		now   time.Time
		want  time.Time // zero: none
	}{
		"before the first":        {600, at(-time.Hour), first},
		"at the first":            {600, first, first},
		"just behind the first":   {600, at(time.Nanosecond), at(10 * time.Minute)},
		"at a later one":          {600, at(30 * time.Minute), at(30 * time.Minute)},
		"just behind a later one": {600, at(30*time.Minute + time.Millisecond), at(40 * time.Minute)},
		"within the first second": {1, at(300 * time.Millisecond), at(time.Second)},
		"centuries later": {600, first.AddDate(700, 0, 0).Add(time.Second), first.AddDate(700, 0,
			0).Add(10 * time.Minute)},
		"the only one to come":     {0, at(-time.Minute), first},
		"the only one is over":     {0, at(time.Second), time.Time{}},
		"a period that is none":    {-5, at(time.Second), time.Time{}},
		"a period without an end":  {1<<63 - 1, at(time.Second), time.Time{}},
		"longer than a Duration":   {400 * 366 * 86400, at(time.Second), time.Unix(first.Unix()+400*366*86400, 250e6)},
		"long after the only ones": {1<<63 - 1, first.AddDate(5000, 0, 0), time.Time{}},
	} {
		got, ok := (&model.Timetable{First: first, EverySeconds: c.every}).Next(c.now)
		if ok == c.want.IsZero() || ok && !got.Equal(c.want) {
			t.Errorf("%s: %v, %v; want %v", name, got, ok, c.want)
		}
	}
	if _, ok := (*model.Timetable)(nil).Next(first); ok {
		t.Error("no timetable has a start")
	}
}

// The next start is one of the timetable's, not before now, and none lies between.
func TestTimetableNextIsNext(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		every := rapid.Int64Range(1, 10*366*86400).Draw(t, "every")
		begun := time.Unix(rapid.Int64Range(0, 1<<32).Draw(t, "first"), rapid.Int64Range(0, 999).Draw(t, "ms")*1e6)
		now := begun.Add(time.Duration(rapid.Int64Range(-1<<60, 1<<60).Draw(t, "later")))
		next, ok := (&model.Timetable{First: begun, EverySeconds: every}).Next(now)
		if !ok || next.Before(now) || next.Before(begun) {
			t.Fatalf("at %v the next start is %v, %v", now, next, ok)
		}
		if off := next.Sub(begun); off%time.Second != 0 || int64(off/time.Second)%every != 0 {
			t.Fatalf("%v is no start", next)
		}
		if before := next.Add(-time.Duration(every) * time.Second); !before.Before(now) && !before.Before(begun) {
			t.Fatalf("at %v the start %v was passed over for %v", now, before, next)
		}
	})
}
