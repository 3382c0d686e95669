package history

import (
	"testing"
	"time"

	"gamedata/mongo"
)

// What was played on a day is how much the playtime grew since the last point. Days in a row count until today or
// yesterday; weeks begin on Monday. Days before the first point are known if the year began with a value.
func TestPlayed(t *testing.T) {
	now := time.Date(2026, 11, 26, 15, 0, 0, 0, time.UTC) // a Thursday
	today := now.Truncate(day)
	if got := Played(nil, nil, nil, now); got != nil {
		t.Errorf("without points: got %+v", got)
	}
	var points []mongo.HistoryPoint
	for _, p := range []struct {
		ago   int
		total float64
	}{{9, 10}, {8, 10}, {3, 11}, {2, 12.5}, {1, 16.5}} {
		points = append(points, mongo.HistoryPoint{
			At: today.AddDate(0, 0, -p.ago), Values: map[string]float64{Playtime: p.total},
		})
	}
	points = append(points, mongo.HistoryPoint{At: today, Values: map[string]float64{Wars: 3}})
	got := Played(nil, points, nil, now)
	if first := points[0].At; !got.KnownFrom.Equal(first) {
		t.Errorf("known from %s, want %s", got.KnownFrom, first)
	}
	if known := Played(map[string]float64{Playtime: 8}, points, nil, now); !known.KnownFrom.Equal(known.From) ||
		len(known.Days) != 4 || known.Days[0].Hours != 2 {
		t.Errorf("with the first value: got %+v", known)
	}
	if !got.From.Equal(time.Date(2025, 11, 24, 0, 0, 0, 0, time.UTC)) || !got.To.Equal(today) {
		t.Errorf("got a year from %s to %s", got.From, got.To)
	}
	if len(got.Days) != 3 || got.Days[0].Hours != 1 || got.Hours != 6.5 || got.LongestStreak != 3 ||
		got.CurrentStreak != 3 {
		t.Errorf("got %d days with %v hours, %d in a row, now %d", len(got.Days), got.Hours, got.LongestStreak,
			got.CurrentStreak)
	}
	if d := got.LongestDay; d.Hours != 4 || !d.StartedAt.Equal(today.AddDate(0, 0, -1)) {
		t.Errorf("the longest day is %+v", d)
	}
	if w := got.LongestWeek; w.Hours != 6.5 || !w.StartedAt.Equal(time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("the longest week is %+v", w)
	}
	if later := Played(nil, points, nil, now.AddDate(0, 0, 1)); later.CurrentStreak != 0 || later.LongestStreak != 3 {
		t.Errorf("two days after the last one: got %d days in a row", later.CurrentStreak)
	}
}

// What was played on the day of the first join began with nothing.
func TestPlayedSinceFirstJoin(t *testing.T) {
	today := time.Date(2026, 11, 26, 0, 0, 0, 0, time.UTC)
	points := []mongo.HistoryPoint{{At: today.AddDate(0, 0, -1), Values: map[string]float64{Playtime: 2.5}}}
	for ago, want := range map[int]float64{1: 2.5, 2: 0} {
		joined := today.AddDate(0, 0, -ago).Add(9 * time.Hour)
		got := Played(nil, points, &joined, today.Add(time.Hour))
		if got.Hours != want || (len(got.Days) == 1) != (want > 0) {
			t.Errorf("joined %d days ago: got %v hours on %d days", ago, got.Hours, len(got.Days))
		}
	}
}
