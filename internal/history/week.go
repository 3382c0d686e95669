package history

import (
	"time"

	"gamedata/mongo"
)

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
