package seed_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gamedata/graph/model"
	"gamedata/internal/demo/seed"
)

func territoriesOf(o seed.Options) map[string]*model.Territory {
	out := map[string]*model.Territory{}
	for _, t := range seed.Territories(o) {
		out[t.Name] = t
	}
	return out
}

// Every territory is consistent, in small and large worlds.
func TestTerritoriesHoldTogether(t *testing.T) {
	t.Parallel()
	levels := []string{"VERY_LOW", "LOW", "MEDIUM", "HIGH", "VERY_HIGH"}
	for _, players := range []int{10, 60, 2000} {
		o := seed.Options{Players: players, Seed: 3, Now: now}
		guilds := map[string]bool{}
		for _, p := range people(seed.Options{Players: max(players, 60), Seed: 3}) {
			if p.Guild != nil {
				guilds[p.Guild.UUID] = true
			}
		}
		free, away, greater := 0, 0, 0
		seats, holders := map[string]int{}, map[string]bool{}
		for name, x := range territoriesOf(o) {
			if x.Guild.UUID == nil {
				free++
				if x.Hq || x.Guild.Name != nil || x.Guild.Prefix != nil || x.Treasury != "VERY_LOW" ||
					x.Defences != "VERY_LOW" {
					t.Errorf("%s is free: %+v", name, x)
				}
			} else {
				holders[*x.Guild.UUID] = true
				if x.Hq {
					seats[*x.Guild.UUID]++
				}
				if !guilds[*x.Guild.UUID] {
					t.Errorf("%s is held by the unknown guild %s", name, *x.Guild.Name)
				}
			}
			if x.AcquiredAt == nil || x.AcquiredAt.After(now) || x.AcquiredAt.Nanosecond()%1e6 != 0 ||
				x.AcquiredAt.Before(now.Add(-30*24*time.Hour)) {
				t.Errorf("%s was captured or became unclaimed at %v", name, x.AcquiredAt)
			}
			if !slices.Contains(levels, x.Treasury) || !slices.Contains(levels, x.Defences) || x.Guild.Hq != nil {
				t.Errorf("%s: %+v", name, x)
			}
			if l := x.Location; len(l.StartCorner) != 2 || len(l.EndCorner) != 2 ||
				(l.StartCorner[0] > l.EndCorner[0]) != (l.StartCorner[1] > l.EndCorner[1]) {
				t.Errorf("%s lies at %v", name, l)
			} else if l.StartCorner[0] > l.EndCorner[0] {
				greater++
			}
			for _, r := range x.Resources {
				if r.Generation == 0 {
					away++
				}
				if r.BaseGeneration <= 0 || r.Stored < 0 || r.Stored > r.Limit {
					t.Errorf("%s: %+v", name, r)
				}
			}
		}
		if free == 0 || away == 0 || greater == 0 || len(holders) < 4 || len(seats) != len(holders) {
			t.Errorf(
				"%d players: %d free, %d boosted away, %d start at the greater corner, %d guilds hold one, %d have headquarters",
				players,
				free,
				away,
				greater,
				len(holders),
				len(seats),
			)
		}
		for guild, n := range seats {
			if n != 1 {
				t.Errorf("%s has %d headquarters", guild, n)
			}
		}
	}
	a, b := seed.Territories(seed.Options{Players: 60, Seed: 1, Now: now}), seed.Territories(seed.Options{
		Players: 60,
		Seed:    1, Now: now,
	})
	if d := cmp.Diff(a, b); d != "" {
		t.Error(d)
	}
}
