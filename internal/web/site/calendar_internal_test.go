package site

import (
	"strings"
	"testing"
	"time"

	"gamedata/graph/model"
)

// A year begins on a Monday and ends today. A day has what was played on it, the longest ones the darkest square.
func TestCalendar(t *testing.T) {
	today := time.Date(2026, 11, 26, 0, 0, 0, 0, time.UTC) // a Thursday
	var points []model.HistoryPoint
	for _, p := range []struct {
		ago   int
		total float64
	}{{9, 10}, {3, 11}, {2, 12.5}, {1, 16.5}} {
		points = append(points, model.HistoryPoint{At: today.AddDate(0, 0, -p.ago), Value: p.total})
	}
	c := newCalendar(points, today)
	if c.Played != 3 || c.Streak != 3 || c.Hours != 7 { // 1, 1.5 and 4 hours
		t.Errorf("got %d days, %d hours, %d in a row", c.Played, c.Hours, c.Streak)
	}
	if c.Now != 3 || c.Longest != "4.0 h on 25 November 2026" ||
		c.LongestWeek != "6.5 h in the week from 23 November 2026" {
		t.Errorf("got %d days until now, the longest %s, %s", c.Now, c.Longest, c.LongestWeek)
	}
	if c := newCalendar(points, today.AddDate(0, 0, 1)); c.Now != 0 {
		t.Errorf("two days after the last one: got %d days in a row", c.Now)
	}
	first, last := c.Days[0], c.Days[len(c.Days)-1]
	if !strings.HasPrefix(first.Text, "24 November 2025") || first.Y != 0 || last.Text != "26 November 2026: not played" ||
		last.X != calendarWeeks-1 || last.Y != 3 {
		t.Errorf("got %v to %v", first, last)
	}
	days := c.Days[len(c.Days)-4:]
	want := calendarDay{calendarWeeks - 1, 2, 4, "25 November 2026: 4.0 h"}
	if days[0].Level != 1 || days[1].Level != 2 || days[2] != want {
		t.Errorf("got %v", days)
	}
	if len(c.Months) != 12 || c.Months[0].Name != "Dec" {
		t.Errorf("got %v", c.Months)
	}
}
