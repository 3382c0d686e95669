package history_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gamedata/graph/model"
	"gamedata/internal/history"
	"gamedata/mongo"
)

// Intervals begin at midnight, on Mondays and on the first of a month, in UTC.
func TestStart(t *testing.T) {
	at := time.Date(2026, 3, 1, 1, 59, 59, 0, time.FixedZone("", 2*3600)) // Saturday, 28 February, 23:59:59 UTC
	for interval, want := range map[model.HistoryInterval]string{
		model.HistoryIntervalTenMinutes: "2026-02-28T23:50:00Z",
		model.HistoryIntervalHour:       "2026-02-28T23:00:00Z",
		model.HistoryIntervalDay:        "2026-02-28T00:00:00Z",
		model.HistoryIntervalWeek:       "2026-02-23T00:00:00Z",
		model.HistoryIntervalMonth:      "2026-02-01T00:00:00Z",
	} {
		if got := history.Start(at, interval).Format(time.RFC3339); got != want {
			t.Errorf("%s: got %s, want %s", interval, got, want)
		}
	}
	monday := time.Date(2026, 2, 23, 0, 0, 0, 0, time.UTC)
	for day := range 7 {
		if got := history.Start(monday.AddDate(0, 0, day), model.HistoryIntervalWeek); !got.Equal(monday) {
			t.Errorf("day %d of the week begins on %v", day, got)
		}
	}
}

// An interval has its last value, or the mean of its points, of which one without the metric counts as 0.
func TestLastAndMean(t *testing.T) {
	at := func(hour, minute int) time.Time { return time.Date(2026, 3, 20, hour, minute, 0, 0, time.UTC) }
	points := []mongo.HistoryPoint{
		{At: at(9, 0), Values: map[string]float64{"a": 1}},
		{At: at(9, 50), Values: map[string]float64{"a": 2, "b": 9}},
		{At: at(10, 10), Values: map[string]float64{"b": 1}},
		{At: at(12, 0), Values: map[string]float64{"a": 4}},
		{At: at(12, 10), Values: map[string]float64{}},
		{At: at(12, 20), Values: map[string]float64{"a": 6}},
	}
	for name, c := range map[string]struct{ got, want []*model.HistoryPoint }{
		"last": {
			history.Last(points, "a", model.HistoryIntervalHour),
			[]*model.HistoryPoint{{At: at(9, 0), Value: 2}, {At: at(12, 0), Value: 6}},
		},
		"mean": {
			history.Mean(points, "a", model.HistoryIntervalHour),
			[]*model.HistoryPoint{{At: at(9, 0), Value: 1.5}, {At: at(10, 0)}, {At: at(12, 0), Value: 3.33}},
		},
		"none": {history.Last(points, "c", model.HistoryIntervalHour), []*model.HistoryPoint{}},
	} {
		if d := cmp.Diff(c.want, c.got); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// What a guild gained in a season begins with it, also when its rating in the last one was higher or lower.
func TestRatingBeginsWithTheSeason(t *testing.T) {
	from := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	guild := func(season int, rating int64) history.Gainer {
		return history.GuildGainer(&model.Guild{
			SeasonResults: []*model.GuildSeasonResult{{SeasonNumber: season, Rating: rating}},
		}, 0, 0)
	}
	for _, c := range []struct {
		season       int
		rating, want float64
	}{{28, 300, 300}, {28, 900, 900}, {27, 500, 0}, {27, 700, 200}} {
		now := guild(c.season, int64(c.rating))
		start := now.Start(guild(27, 500).Now, now.Now, from, from.AddDate(0, 1, 0))
		if got, ok := history.Gained(history.SeasonRating, start, now.Now); !ok || got != c.want {
			t.Errorf("rating %v in season %d: gained %v, %v, want %v", c.rating, c.season, got, ok, c.want)
		}
	}
}
