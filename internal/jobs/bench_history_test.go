package jobs_test

import (
	"testing"
	"time"

	"gamedata/internal/jobs"
)

// BenchmarkHistory records the history of a world of BENCH_PLAYERS players, of whom a twentieth have played.
func BenchmarkHistory(b *testing.B) {
	players := benchPlayers(b)
	store := benchWorld(b, players)
	everybody := clearOnline(b, store)
	run := func() jobs.Report {
		r, err := jobs.History(b.Context(), store, lastPlayed().Add(time.Hour), jobs.Options{})
		if err != nil {
			b.Fatal(err)
		}
		return r
	}
	begun := time.Now()
	b.Logf("everybody, at first: %s, %s", run(), time.Since(begun))
	top := 0.0
	var r jobs.Report
	for b.Loop() {
		b.StopTimer()
		play(b, store, everybody, players/20)
		b.StartTimer()
		top = max(top, highest(func() { r = run() }))
	}
	b.ReportMetric(top, "MB")
	b.ReportMetric(float64(r.Players), "looked-at")
	b.ReportMetric(float64(r.Points), "points")
}
