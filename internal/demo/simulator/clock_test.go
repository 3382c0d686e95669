package simulator

import (
	"slices"
	"testing"
	"time"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// A week after the end of a season the next one begins.
func TestNextSeason(t *testing.T) {
	t.Parallel()
	r := records(20)
	r.Seasons[0].EndsAt = new(noon.Add(30 * time.Minute))
	store := stored(t, r)
	if err := Play(t.Context(), store, Options{Start: noon, Duration: 2 * time.Hour}); err != nil {
		t.Fatal(err)
	}
	seasons, err := mongo.Seasons.Read(t.Context(), store)
	if err != nil || len(seasons) != 2 || model.RunningSeason(seasons, noon.AddDate(0, 0, 6)) != nil ||
		model.RunningSeason(seasons, noon.AddDate(0, 0, 8)) != seasons[1] {
		t.Errorf("got %+v, %v", seasons, err)
	}
}

// More players are online in the evening than in the morning, and more at the weekend; a world starts with the
// sessions in its records.
func TestPlayersOnline(t *testing.T) {
	r := records(300)
	w := r.world(t, 1, noon)
	initial := len(w.online)
	var evenings []int
	low := 1000
	for range 7 {
		peak := 0
		for range 24 * 60 {
			r.step(t, w, time.Minute)
			peak, low = max(peak, len(w.online)), min(low, len(w.online))
		}
		evenings = append(evenings, peak)
	}
	// The week begins on Friday: Saturday is next, Tuesday is in the middle.
	if initial == 0 || low == 0 || slices.Max(evenings) < 2*low || evenings[1] <= evenings[4] {
		t.Errorf("got %d online initially, then at least %d, and up to %v in the evenings", initial, low, evenings)
	}
}
