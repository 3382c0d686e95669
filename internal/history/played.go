package history

import (
	"slices"
	"time"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// playedWeeks is the number of weeks in a year of days: 52, and the current week.
const playedWeeks = 53

// PlayedFrom returns the Monday on which a year of days begins.
func PlayedFrom(today time.Time) time.Time {
	return Start(today, model.HistoryIntervalWeek).AddDate(0, 0, -7*(playedWeeks-1))
}

// Played returns the days of the last year on which a player played, computed from the values at its start and the
// points since; nil if no point has the playtime. If start lacks the playtime, days before the first point are unknown,
// unless the player first joined that day.
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

// longer returns the time with more hours, or b if they are equal.
func longer(a, b *model.PlayedTime) *model.PlayedTime {
	if a != nil && a.Hours > b.Hours {
		return a
	}
	return b
}
