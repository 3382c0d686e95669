package model

import "time"

// Timetable describes repeated starts.
type Timetable struct {
	// First is the first start.
	First time.Time `json:"first"`
	// EverySeconds is the time from one start to the next; 0 if First is the only start.
	EverySeconds int64 `json:"everySeconds"`
}

// Next returns the first start at or after a time, or false if there is none.
func (t *Timetable) Next(now time.Time) (time.Time, bool) {
	if t == nil {
		return time.Time{}, false
	}
	if !now.After(t.First) {
		return t.First, true
	}
	if t.EverySeconds <= 0 {
		return time.Time{}, false
	}
	// Whole seconds, since a Duration ends after 292 years.
	passed := now.Unix() - t.First.Unix()
	if now.Nanosecond() > t.First.Nanosecond() {
		passed++
	}
	wait := int64(0)
	if into := passed % t.EverySeconds; into > 0 {
		wait = t.EverySeconds - into
	}
	if wait > longestWait {
		return time.Time{}, false
	}
	return time.Unix(t.First.Unix()+passed+wait, int64(t.First.Nanosecond())).UTC(), true
}

// longestWait limits the search for the next start, in seconds: a thousand years.
const longestWait = 1000 * 366 * 24 * 60 * 60
