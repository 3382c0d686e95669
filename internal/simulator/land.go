package simulator

import (
	"slices"
	"time"
)

// strengths are the steps of treasury and defences.
var strengths = []string{"VERY_LOW", "LOW", "MEDIUM", "HIGH", "VERY_HIGH"}

// heldFor is how long a guild holds a territory before its treasury reaches each of
// strengths.
var heldFor = []time.Duration{0, time.Hour, 24 * time.Hour, 5 * 24 * time.Hour, 12 * 24 * time.Hour}

// passMinutes lets territories produce: an hour's worth in sixty minutes, none of it lost
// to rounding.
func (w *World) passMinutes(before time.Time) {
	from, to := before.Unix()/60, w.now.Unix()/60
	if from == to {
		return
	}
	for _, t := range w.land {
		if t.Guild.UUID == nil {
			continue
		}
		made := make([]int64, len(t.Resources))
		spends := w.chance(0.01)
		for i, r := range t.Resources {
			made[i] = r.Generation*to/60 - r.Generation*from/60
			if spends {
				made[i] -= r.Stored / 2
			}
		}
		w.feed.TerritoryProduced(t, made)
	}
}

// fortify lets territories that are held for long grow strong.
func (w *World) fortify() {
	for _, t := range w.land {
		if t.Acquired == nil {
			continue
		}
		treasury, defences := t.Treasury, t.Defences
		if reached := strengthAfter(w.now.Sub(*t.Acquired)); reached > slices.Index(strengths, treasury) {
			treasury = strengths[reached]
		}
		if at := slices.Index(strengths, defences); at < len(strengths)-1 && w.chance(0.03) {
			defences = strengths[at+1]
		}
		if treasury != t.Treasury || defences != t.Defences {
			w.feed.TerritoryFortified(t, treasury, defences)
		}
	}
}

func strengthAfter(held time.Duration) int {
	reached := 0
	for i, d := range heldFor {
		if held >= d {
			reached = i
		}
	}
	return reached
}
