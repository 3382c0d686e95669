package history

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"gamedata/mongo"
)

// The mean of each hour of the week is the sum of its points through the weeks since the first point.
func TestWeek(t *testing.T) {
	if got := Week(nil, Online, time.Now()); got != nil {
		t.Errorf("without points: got %v", got)
	}
	random := rand.New(rand.NewPCG(3, 4))
	for range 50 {
		now := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(random.IntN(1000)) * time.Hour)
		begin := now.Add(-time.Duration(random.IntN(28*24)) * time.Hour)
		var points []mongo.HistoryPoint
		sums, counts := map[string]float64{}, map[string]float64{}
		for at := begin; !at.After(now); at = at.Add(time.Hour) {
			key := at.Format("Mon 15")
			counts[key]++
			if n := random.IntN(4); n > 0 || at.Equal(begin) {
				points = append(points, mongo.HistoryPoint{At: at, Values: map[string]float64{Online: float64(n)}})
				sums[key] += float64(n)
			}
		}
		monday := time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC)
		for i, got := range Week(points, Online, now) {
			key := monday.Add(time.Duration(i) * time.Hour).Format("Mon 15")
			if want := sums[key] / max(1, counts[key]); math.Abs(got-want) > 0.005 {
				t.Errorf("%s: got %v, want %v", key, got, want)
			}
		}
	}
}
