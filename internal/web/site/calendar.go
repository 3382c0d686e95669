package site

import (
	"fmt"
	"math"
	"net/url"
	"time"

	"gamedata/graph"
	"gamedata/graph/model"
)

// calendarWeeks is how many weeks a calendar shows: a year, and the week that runs.
const calendarWeeks = 53

// yearParameter is the variable with the beginning of a year of days, which no address sets.
const yearParameter = "year"

// calendar is a year of days and how long a player played on each.
type calendar struct {
	Days   []calendarDay
	Months []calendarMonth
	// Played is on how many days, Streak the most days without a break, Hours how long in all.
	Played, Streak int
	Hours          int64
	// Now is how many days in a row the player has played until today or yesterday.
	Now int
	// Longest and LongestWeek are the most that was played on a day and in a week from Monday, in words.
	Longest, LongestWeek string
}

// calendarDay is a square. Level is 0 for a day without play, to 4 for the longest days.
type calendarDay struct {
	X, Y, Level int
	Text        string
}

type calendarMonth struct {
	X    int
	Name string
}

func valuesOfPlayer(now time.Time, given url.Values) *graph.Error {
	today := now.UTC().Truncate(day)
	given.Set(yearParameter, calendarStart(today).Format(time.RFC3339))
	return historySpan(playerMetrics)(now, given)
}

// calendarStart is the Monday with which a calendar begins.
func calendarStart(today time.Time) time.Time {
	return today.AddDate(0, 0, -(int(today.Weekday())+6)%7-7*(calendarWeeks-1))
}

// Calendar is the year of the player; nil when it is hidden or nothing is recorded.
func (p *PlayerPage) Calendar() *calendar {
	h := orEmpty(p.Player.Year)
	for _, s := range h.Series {
		return newCalendar(s.Points, h.To.UTC().Truncate(day))
	}
	return nil
}

// newCalendar makes a calendar of the playtime at the end of days.
func newCalendar(points []model.HistoryPoint, today time.Time) *calendar {
	played := map[time.Time]float64{}
	longest, longestWeek := 0.0, 0.0
	weeks := map[int]float64{} // hours by place
	for i := 1; i < len(points); i++ {
		hours := points[i].Value - points[i-1].Value
		played[points[i].At], longest = hours, max(longest, hours)
	}
	out := &calendar{}
	streak, all := 0, 0.0
	for i := range 7 * calendarWeeks {
		at := calendarStart(today).AddDate(0, 0, i)
		if at.After(today) {
			break
		}
		d := calendarDay{X: i / 7, Y: i % 7, Text: at.Format("2 January 2006") + ": not played"}
		if hours := played[at]; hours > 0 {
			d.Level = int(math.Ceil(4 * hours / longest))
			d.Text = fmt.Sprintf("%s: %.1f h", at.Format("2 January 2006"), hours)
			out.Played, all, streak = out.Played+1, all+hours, streak+1
			out.Streak = max(out.Streak, streak)
			if hours == longest {
				out.Longest = fmt.Sprintf("%.1f h on %s", hours, at.Format("2 January 2006"))
			}
			if weeks[d.X] += hours; weeks[d.X] > longestWeek {
				longestWeek = weeks[d.X]
				from := at.AddDate(0, 0, -d.Y)
				out.LongestWeek = fmt.Sprintf("%.1f h in the week from %s", longestWeek, from.Format("2 January 2006"))
			}
		} else if !at.Equal(today) {
			streak = 0
		}
		out.Now = streak
		if at.Day() == 1 {
			out.Months = append(out.Months, calendarMonth{d.X, at.Format("Jan")})
		}
		out.Days = append(out.Days, d)
	}
	out.Hours = int64(math.Round(all))
	return out
}
