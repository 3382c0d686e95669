package simulator

import (
	"slices"
	"testing"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/demo/seed"
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
// sessions in its records. Who is online plays all the time, the cast leaves and comes back soon, and a new week resets
// objectives.
func TestPlayersOnline(t *testing.T) {
	r := records(300)
	w := r.world(t, 1, noon)
	initial := len(w.online)
	var evenings []int
	low, left := 1000, 0
	before, away := map[*session]float64{}, map[*player]time.Duration{} // playtime at the login
	for range 7 {
		peak := 0
		for range 24 * 60 {
			r.step(t, w, time.Minute)
			peak, low = max(peak, len(w.online)), min(low, len(w.online))
			for _, p := range w.online {
				if _, found := before[p.session]; !found {
					before[p.session] = *p.Playtime
				}
				online := w.now.Sub(*p.LastJoinedAt)
				if played := *p.Playtime - before[p.session]; p.LastJoinedAt.After(noon) && p.World != nil &&
					played < (online-3*time.Minute).Hours() {
					t.Fatalf("%s played %.2f h in %s", p.Username, played, online)
				}
			}
			for _, p := range w.cast {
				if away[p] += time.Minute; p.online() {
					away[p] = 0
				} else if away[p] == time.Minute {
					left++
				}
				if away[p] > time.Hour {
					t.Fatalf("%s is away for %s", p.uuid, away[p])
				}
			}
		}
		evenings = append(evenings, peak)
	}
	// The week begins on Friday: Saturday is next, Tuesday is in the middle.
	if initial == 0 || low == 0 || slices.Max(evenings) < 2*low || evenings[1] <= evenings[4] {
		t.Errorf("got %d online initially, then at least %d, and up to %v in the evenings", initial, low, evenings)
	}
	if left < 100 {
		t.Errorf("the cast left %d times", left)
	}
	for _, p := range r.Players {
		if monday := w.now.Truncate(seed.Week); p.Weekly.Completed && p.LastJoinedAt.Before(monday) ||
			p.Weekly.Streak > 0 && p.LastJoinedAt.Before(monday.Add(-seed.Week)) {
			t.Errorf("%s was online last at %s: %+v", p.Username, p.LastJoinedAt, p.Weekly)
		}
	}
}

// A world that nobody played for a day goes on with new sessions of the players online.
func TestOutage(t *testing.T) {
	t.Parallel()
	r := records(60)
	w := r.world(t, 1, noon.AddDate(0, 0, 1))
	before := len(w.online)
	r.step(t, w, time.Second)
	for _, p := range w.online {
		if !p.LastJoinedAt.Equal(w.now) {
			t.Errorf("%s is online since %s", p.Username, p.LastJoinedAt)
		}
	}
	if len(w.online) < before || before == 0 {
		t.Errorf("%d online, %d before", len(w.online), before)
	}
}
