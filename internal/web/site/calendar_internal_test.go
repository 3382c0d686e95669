package site

import (
	"testing"
	"time"

	"gamedata/graph/model"
)

// A calendar begins on the Monday of the first recorded week and ends today. A day has what was played on it, the
// longest ones the darkest square.
func TestCalendar(t *testing.T) {
	today := time.Date(2026, 11, 26, 0, 0, 0, 0, time.UTC) // a Thursday
	year := &model.PlayedYear{From: time.Date(2025, 11, 24, 0, 0, 0, 0, time.UTC), To: today}
	year.KnownFrom = today.AddDate(0, 0, -90)
	for ago, hours := range []float64{1, 1.5, 4} {
		d := &model.PlayedTime{StartedAt: today.AddDate(0, 0, ago-3), Hours: hours}
		year.Days, year.LongestDay = append(year.Days, d), d
	}
	c := newCalendar(year)
	if since := c.Since(); c.Played() != 3 || since != "since 28 August 2026, when recording began" {
		t.Errorf("got %d days %s", c.Played(), since)
	}
	first, last := c.Days[0], c.Days[len(c.Days)-1]
	if first.Text != "24 August 2026: not recorded" || first.Level != -1 || first.Y != 0 ||
		last.Text != "26 November 2026: not played" || last.X != 13 || last.Y != 3 {
		t.Errorf("got %v to %v", first, last)
	}
	days := c.Days[len(c.Days)-4:]
	want := calendarDay{13, 2, 4, "25 November 2026: 4.0 h"}
	if days[0].Level != 1 || days[1].Level != 2 || days[2] != want {
		t.Errorf("got %v", days)
	}
	if len(c.Months) != 3 || c.Months[0].Name != "Sep" || c.Width != 14*14 {
		t.Errorf("got %v", c.Months)
	}
}
