package history

import (
	"slices"
	"time"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// playedWeeks is how many weeks a year of days has: 52, and the week that runs.
const playedWeeks = 53

// PlayedFrom is the Monday with which a year of days begins.
func PlayedFrom(today time.Time) time.Time {
	return Start(today, model.HistoryIntervalWeek).AddDate(0, 0, -7*(playedWeeks-1))
}

// Played returns on which days of a year until now a player played, from the values with which it began and the points
// since; nil if none has the playtime. Without the first value, playtime before the first point is not known to be of a
// day, unless the player joined for the first time then.
func Played(start map[string]float64, points []mongo.HistoryPoint, joined *time.Time, now time.Time) *model.PlayedYear {
	totals := Last(points, Playtime, model.HistoryIntervalDay)
	today := Start(now, model.HistoryIntervalDay)
	out := &model.PlayedYear{From: PlayedFrom(today), To: today, Days: []*model.PlayedTime{}}
	out.KnownFrom = out.From
	switch before, known := start[Playtime]; {
	case known:
		totals = slices.Insert(totals, 0, &model.HistoryPoint{Value: before})
	case len(totals) == 0:
		return nil
	case joined != nil && !joined.Before(totals[0].At):
		totals = slices.Insert(totals, 0, &model.HistoryPoint{})
	default:
		out.KnownFrom = totals[0].At
	}
	var week *model.PlayedTime
	streak := 0
	for i := 1; i < len(totals); i++ {
		d := &model.PlayedTime{StartedAt: totals[i].At, Hours: hundredths(totals[i].Value - totals[i-1].Value)}
		if d.Hours <= 0 {
			continue
		}
		if n := len(out.Days); n == 0 || out.Days[n-1].StartedAt.Before(d.StartedAt.AddDate(0, 0, -1)) {
			streak = 0
		}
		streak++
		if monday := Start(d.StartedAt, model.HistoryIntervalWeek); week == nil || !week.StartedAt.Equal(monday) {
			week = &model.PlayedTime{StartedAt: monday}
		}
		week.Hours = hundredths(week.Hours + d.Hours)
		out.Days, out.Hours = append(out.Days, d), hundredths(out.Hours+d.Hours)
		out.LongestDay, out.LongestWeek = longer(out.LongestDay, d), longer(out.LongestWeek, week)
		out.LongestStreak = max(out.LongestStreak, streak)
		if !d.StartedAt.Before(today.AddDate(0, 0, -1)) {
			out.CurrentStreak = streak
		}
	}
	return out
}

// longer returns the one with more hours, the second one if they are equal.
func longer(a, b *model.PlayedTime) *model.PlayedTime {
	if a != nil && a.Hours > b.Hours {
		return a
	}
	return b
}
