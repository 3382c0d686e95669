package simulator

import (
	"slices"
	"testing"
	"time"

	"gamedata/graph/model"
)

// idleWorld runs steps of a world without players online, in which only the clock has effects.
func idleWorld(t *testing.T, at time.Time, steps ...time.Duration) (*World, Records) {
	t.Helper()
	r := records(60)
	for i := range r.Players {
		r.Players[i].Online, r.Players[i].World, r.Players[i].ActiveCharacter = false, nil, nil
	}
	w := r.world(t, 1, at)
	for _, by := range steps {
		before := w.now
		w.now, w.step = w.now.Add(by), by
		w.game.Begin(w.now)
		w.tendLand(before)
		w.rateSeason(before)
	}
	return w, r
}

// An hour of holding territories gives the same resources and rating however it is divided into steps.
func TestHoldingTerritories(t *testing.T) {
	for name, steps := range map[string][]time.Duration{
		"minutes": many(60, time.Minute), "seconds": many(3600, time.Second), "at once": {time.Hour},
		"odd": append(many(514, 7*time.Second), 2*time.Second), "split slots": many(9, 400*time.Second),
	} {
		_, r := idleWorld(t, noon.Add(17*time.Second), steps...)
		held, whole := map[string]int64{}, 0
		for _, land := range r.Territories {
			if land.Guild.UUID != nil {
				held[*land.Guild.UUID]++
				// A guild spends sometimes; it never has more than an hour's production.
				switch ore := land.Resources[1]; {
				case ore.Stored > ore.Generation || land.Resources[0].Stored > land.Resources[0].Limit:
					t.Errorf(
						"%s: %s produced %d ore and %d emeralds, want less",
						name,
						land.Name,
						ore.Stored,
						land.Resources[0].Stored,
					)
				case ore.Stored == ore.Generation:
					whole++
				}
			} else if land.Resources[1].Stored != 0 {
				t.Errorf("%s: %s has no owner but produces", name, land.Name)
			}
		}
		rated := 0
		for _, g := range r.Guilds {
			if held[g.UUID] == 0 {
				continue
			}
			rated++
			if got := g.SeasonResults[0]; got.Rating != 120*held[g.UUID] || int64(got.FinalTerritories) != held[g.UUID] ||
				got.SeasonNumber != 4 || !g.Flagged {
				t.Errorf("%s: %s holds %d territories: got rating %+v", name, g.Name, held[g.UUID], got)
			}
		}
		if rated == 0 || whole == 0 {
			t.Errorf("%s: got %d guilds with rating and %d territories with full production, want some", name, rated, whole)
		}
	}
}

func many(n int, d time.Duration) []time.Duration {
	out := make([]time.Duration, n)
	for i := range out {
		out[i] = d
	}
	return out
}

// The running season is the latest that is enabled, has started and is not over.
func TestSeason(t *testing.T) {
	before, after := noon.Add(-time.Hour), noon.Add(time.Hour)
	for want, list := range map[int][]*model.GuildSeason{
		-1: {{Number: 1, StartsAt: before}, {Number: 2, Enabled: true, StartsAt: after}, {
			Number: 3, Enabled: true,
			StartsAt: before, EndsAt: &noon,
		}},
		2: {
			{Number: 2, Enabled: true, StartsAt: noon, EndsAt: &after},
			{Number: 0, Enabled: true, StartsAt: before},
			{Number: 5, StartsAt: before},
		},
		0: {{Number: 0, Enabled: true, StartsAt: before}},
	} {
		got := -1
		if s := model.RunningSeason(list, noon); s != nil {
			got = s.Number
		}
		if got != want {
			t.Errorf("got season %d, want %d", got, want)
		}
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
