package history

import (
	"math"
	"time"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// Start returns the start of the interval that contains a time. Weeks begin on Monday, all times are UTC.
func Start(at time.Time, interval model.HistoryInterval) time.Time {
	at = at.UTC()
	year, month, day := at.Date()
	switch interval {
	case model.HistoryIntervalTenMinutes:
		return at.Truncate(10 * time.Minute)
	case model.HistoryIntervalHour:
		return at.Truncate(time.Hour)
	case model.HistoryIntervalWeek:
		return time.Date(year, month, day-(int(at.Weekday())+6)%7, 0, 0, 0, 0, time.UTC)
	case model.HistoryIntervalMonth:
		return time.Date(year, month, 1, 0, 0, 0, 0, time.UTC)
	}
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

// Last returns the last value of a metric in each interval, skipping intervals without one.
func Last(points []mongo.HistoryPoint, metric string, interval model.HistoryInterval) []*model.HistoryPoint {
	with := func(p mongo.HistoryPoint) bool { _, ok := p.Values[metric]; return ok }
	return resample(points, metric, interval, with, func(_, next float64, _ int) float64 { return next })
}

// Mean returns the mean of the values of a metric in each interval that has points, with two decimals. A point without
// the metric counts as 0.
func Mean(points []mongo.HistoryPoint, metric string, interval model.HistoryInterval) []*model.HistoryPoint {
	all := func(mongo.HistoryPoint) bool { return true }
	out := resample(points, metric, interval, all, func(mean, next float64, n int) float64 {
		return mean + (next-mean)/float64(n)
	})
	for _, p := range out {
		p.Value = hundredths(p.Value)
	}
	return out
}

// resample merges the points of each interval for which counts is true. join returns the value of n points, given the
// value of the first n-1 points and the next value.
func resample(points []mongo.HistoryPoint, metric string, interval model.HistoryInterval,
	counts func(mongo.HistoryPoint) bool, join func(before, next float64, n int) float64,
) []*model.HistoryPoint {
	out := []*model.HistoryPoint{}
	n := 0
	for _, p := range points {
		if !counts(p) {
			continue
		}
		if at := Start(p.At, interval); n == 0 || !out[len(out)-1].At.Equal(at) {
			out, n = append(out, &model.HistoryPoint{At: at}), 0
		}
		n++
		last := out[len(out)-1]
		last.Value = join(last.Value, p.Values[metric], n)
	}
	return out
}

// hundredths rounds to two decimals.
func hundredths(v float64) float64 { return math.Round(100*v) / 100 }

// WeekHours is the number of hours in a week.
const WeekHours = 7 * 24

// Week returns the mean of a metric at each hour of the week, from Monday in UTC, with two decimals. The points are at
// full hours up to now. After the first point, an hour without a point counts as 0. Without points Week returns nil.
func Week(points []mongo.HistoryPoint, metric string, now time.Time) []float64 {
	if len(points) == 0 {
		return nil
	}
	means, hours := make([]float64, WeekHours), make([]float64, WeekHours)
	for at := points[0].At; !at.After(now); at = at.Add(time.Hour) {
		hours[hourOfWeek(at)]++
	}
	for _, p := range points {
		means[hourOfWeek(p.At)] += p.Values[metric]
	}
	for i := range means {
		means[i] = hundredths(means[i] / max(1, hours[i]))
	}
	return means
}

func hourOfWeek(at time.Time) int {
	at = at.UTC()
	return (int(at.Weekday())+6)%7*24 + at.Hour()
}
