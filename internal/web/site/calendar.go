package site

import (
	"fmt"
	"math"

	"gamedata/graph/model"
	"gamedata/internal/web"
)

// calendar shows how long a player played on each day of a year, as far as it is known.
type calendar struct {
	Days   []calendarDay
	Months []calendarMonth
	Width  int
	*model.PlayedYear
}

// Played returns the number of days on which the player played.
func (c *calendar) Played() int { return len(c.PlayedYear.Days) }

// Since describes the time that the calendar covers.
func (c *calendar) Since() string {
	if !c.KnownFrom.After(c.From) {
		return "of the last year"
	}
	return "since " + web.Day(c.KnownFrom) + ", when recording began"
}

// calendarDay is a square. Level is 0 for a day without play, to 4 for the longest days, and -1 for an unknown day.
type calendarDay struct {
	X, Y, Level int
	Text        string
}

type calendarMonth struct {
	X    int
	Name string
}

// Calendar returns the player's year; nil when it is hidden or nothing is recorded.
func (p *PlayerPage) Calendar() *calendar {
	if p.Player.Played == nil {
		return nil
	}
	return newCalendar(p.Player.Played)
}

func newCalendar(year *model.PlayedYear) *calendar {
	out := &calendar{PlayedYear: year}
	unknown := max(0, int(year.KnownFrom.Sub(year.From)/(7*day))) // weeks
	next, first := year.Days, year.From.AddDate(0, 0, 7*unknown)
	for i, at := 0, first; !at.After(year.To); i, at = i+1, at.AddDate(0, 0, 1) {
		out.Width = 14 * (i/7 + 1)
		d := calendarDay{X: i / 7, Y: i % 7, Text: web.Day(at) + ": not played"}
		if at.Before(year.KnownFrom) {
			d.Level, d.Text = -1, web.Day(at)+": not recorded"
		}
		if len(next) > 0 && next[0].StartedAt.Equal(at) {
			d.Level = int(math.Ceil(4 * (next[0].Hours / year.LongestDay.Hours)))
			d.Text = fmt.Sprintf("%s: %.1f h", web.Day(at), next[0].Hours)
			next = next[1:]
		}
		if at.Day() == 1 {
			out.Months = append(out.Months, calendarMonth{d.X, at.Format("Jan")})
		}
		out.Days = append(out.Days, d)
	}
	return out
}
