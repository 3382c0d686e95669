package seed

import (
	"slices"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/demo/dice"
	"gamedata/internal/feed"
)

// treasuryAges lists how long a guild must hold a territory until its treasury exceeds the lowest level, the next one,
// and so on.
var treasuryAges = []time.Duration{time.Hour, 12 * time.Hour, 3 * day, 8 * day}

// Treasury returns the treasury of a territory that has been held for some time.
func Treasury(held time.Duration) string {
	level, _ := slices.BinarySearch(treasuryAges, held+1)
	return feed.Strengths[level]
}

// maxRealms is the maximum number of guilds with territories.
const maxRealms = 40

// Territories returns the territories of a world. Each guild has its headquarters in one territory, and holds the
// territories that are closer to it than to other headquarters. Every fourteenth is unclaimed.
func (w *World) Territories() []*model.Territory {
	seats := make([]*model.Territory, min(len(w.guilds), maxRealms))
	for i := range seats {
		seats[i] = w.land[i*len(w.land)/len(seats)]
		seats[i].Hq = true
	}
	for i, t := range w.land {
		d := w.dice(forTerritory, uint64(i))
		age := time.Duration(d.Int64N(int64(21*day))) + time.Minute
		t.AcquiredAt = new(w.Now.Add(-age.Truncate(time.Millisecond)))
		t.Guild, t.Treasury, t.Defences = &model.TerritoryGuild{}, feed.Strengths[0], feed.Strengths[0]
		if i%14 == 7 && !t.Hq {
			continue
		}
		nearest := 0
		for n, seat := range seats {
			if distance(t, seat) < distance(t, seats[nearest]) {
				nearest = n
			}
		}
		g := w.guilds[nearest]
		t.Guild = &model.TerritoryGuild{UUID: &g.UUID, Name: &g.Name, Prefix: &g.Prefix}
		t.Treasury, t.Defences = Treasury(age), dice.Pick(d, feed.Strengths)
	}
	return w.land
}

// distance returns the square of the distance between two territories.
func distance(a, b *model.Territory) int {
	dx := a.Location.StartCorner[0] - b.Location.StartCorner[0]
	dz := a.Location.StartCorner[1] - b.Location.StartCorner[1]
	return dx*dx + dz*dz
}
