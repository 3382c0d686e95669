package mongo_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

type values = map[string]float64

// Points are written when something changed, replaced until their interval ends, and read back with all metrics.
func TestHistory(t *testing.T) {
	store, _ := mongotest.Open(t)
	ctx := t.Context()
	at := func(month time.Month, day, hour, minute int) time.Time {
		return time.Date(2026, month, day, hour, minute, 0, 0, time.UTC)
	}
	record := func(what mongo.Recorded, when time.Time, v map[string]values, want int) {
		t.Helper()
		n, err := store.History.Record(ctx, what, when, v, time.Hour)
		if err != nil || n != want {
			t.Errorf("%s at %v: wrote %d points, %v, want %d", what, when, n, err, want)
		}
	}
	expect := func(what mongo.Recorded, keys []string, from, to time.Time, want ...[]mongo.HistoryPoint) {
		t.Helper()
		var spans []mongo.HistorySpan
		for _, key := range keys {
			spans = append(spans, mongo.HistorySpan{Key: key, From: from, To: to})
		}
		got := must(store.History.Of(ctx, what, spans...))(t)
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: %s", what, d)
		}
	}

	a := func(level, playtime float64) map[string]values {
		return map[string]values{"a": {"level": level, "playtime": playtime}}
	}
	both := func(playtime float64) map[string]values {
		return map[string]values{"a": {"level": 6, "playtime": playtime}, "b": {"level": 1}}
	}
	record(mongo.RecordedPlayer, at(1, 30, 9, 0), a(5, 1.25), 1)
	record(mongo.RecordedPlayer, at(1, 30, 10, 0), a(6, 1.5), 1) // the same day
	record(mongo.RecordedPlayer, at(1, 31, 9, 0), both(1.5), 1)
	record(mongo.RecordedPlayer, at(1, 31, 20, 0), both(2), 1)
	record(mongo.RecordedPlayer, at(1, 31, 21, 0), both(2), 0)
	record(mongo.RecordedPlayer, at(2, 1, 1, 0), a(6, 2), 1) // a new record
	expect(mongo.RecordedPlayer, []string{"b", "a", "c"}, at(1, 1, 0, 0), at(12, 1, 0, 0),
		[]mongo.HistoryPoint{{At: at(1, 31, 0, 0), Values: values{"level": 1}}},
		[]mongo.HistoryPoint{
			{At: at(1, 30, 0, 0), Values: values{"level": 6, "playtime": 1.5}},
			{At: at(1, 31, 0, 0), Values: values{"level": 6, "playtime": 2}},
			{At: at(2, 1, 0, 0), Values: values{"level": 6, "playtime": 2}},
		}, nil)
	expect(mongo.RecordedPlayer, []string{"a"}, at(1, 31, 0, 0), at(1, 31, 0, 0),
		[]mongo.HistoryPoint{{At: at(1, 31, 0, 0), Values: values{"level": 6, "playtime": 2}}})

	// A world without players has none; another record begins at midnight.
	record(mongo.RecordedWorlds, at(1, 30, 23, 49), map[string]values{"all": {"EU1": 3, "EU2": 4}}, 1)
	record(mongo.RecordedWorlds, at(1, 30, 23, 59), map[string]values{"all": {"EU2": 4}}, 1)
	record(mongo.RecordedWorlds, at(1, 31, 0, 1), map[string]values{"all": {"EU2": 5}}, 1)
	expect(mongo.RecordedWorlds, []string{"all"}, at(1, 30, 0, 0), at(1, 31, 12, 0), []mongo.HistoryPoint{
		{At: at(1, 30, 23, 40), Values: values{"EU1": 3, "EU2": 4}},
		{At: at(1, 30, 23, 50), Values: values{"EU2": 4}},
		{At: at(1, 31, 0, 0), Values: values{"EU2": 5}},
	})

	// Whole histories replace what is there.
	points := []mongo.HistoryPoint{
		{At: at(1, 31, 22, 0), Values: values{"seasonRating": 10}},
		{At: at(1, 31, 23, 0), Values: values{"seasonRating": 10}}, // did not change
		{At: at(2, 1, 5, 0), Values: values{"seasonRating": 12}},
	}
	for range 2 {
		check(t, store.History.Put(ctx, mongo.RecordedSeason, map[string][]mongo.HistoryPoint{"28-a": points},
			time.Hour))
	}
	expect(mongo.RecordedSeason, []string{"28-a"}, at(1, 1, 0, 0), at(3, 1, 0, 0),
		[]mongo.HistoryPoint{points[0], points[2]})
}
