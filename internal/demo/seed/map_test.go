package seed_test

import (
	"slices"
	"strconv"
	"testing"

	"gamedata/graph/model"
	"gamedata/internal/demo/seed"
)

// QuestSummary counts the quests that the players of a world completed.
func TestQuestsAreThoseCompleted(t *testing.T) {
	done := map[string]bool{}
	for _, p := range sample() {
		for _, c := range p.characters {
			for _, q := range c.Quests {
				done[q] = true
			}
		}
	}
	if got := seed.QuestSummary().Quests; got != len(done) {
		t.Errorf("got %d quests, want %d", got, len(done))
	}
}

func TestGatheringNodes(t *testing.T) {
	levels, kinds, odd := map[string]int{}, map[string]int{}, 0
	for _, n := range seed.GatheringNodes(demoOptions) {
		if l, ok := levels[n.Resource]; ok && l != n.Level {
			t.Errorf("%s has the levels %d and %d", n.Resource, l, n.Level)
		}
		levels[n.Resource] = n.Level
		kinds[n.Type]++
		if n.Angle%90 != 0 {
			odd++
		}
	}
	if all := kinds["NODE"] + kinds["WALL"] + kinds["CORNER"]; all < 16_787 || all > 17_000 {
		t.Errorf("%d nodes, want at least as many as the recorded world, and no more than one page of 17,000", all)
	}
	if len(levels) != 56 || kinds["WALL"] == 0 || kinds["CORNER"] == 0 || len(kinds) != 3 ||
		odd != 1 {
		t.Errorf("%d resources, %v, %d turned oddly", len(levels), kinds, odd)
	}
}

// Events and pools have all documented forms, kinds and tiers of rewards.
func TestEventsAndPools(t *testing.T) {
	names, seen := map[string]bool{}, map[string]bool{}
	for _, e := range seed.WorldEvents(demoOptions) {
		if _, err := strconv.ParseUint(e.InternalName, 16, 64); err != nil || names[e.InternalName] || len(e.Places) == 0 {
			t.Errorf("%s is called %q", e.Name, e.InternalName)
		}
		names[e.InternalName] = true
		for _, r := range e.RequirementList {
			seen[r.Type] = true
			if (r.Level == nil) == (r.Quest == nil) {
				t.Errorf("%s needs %+v", e.Name, r)
			}
		}
		seen["never"] = seen["never"] || e.Timetable == nil
		seen["once"] = seen["once"] || e.Timetable != nil && e.Timetable.EverySeconds == 0
	}
	for _, c := range seed.LootPools(demoOptions) {
		if names[c.InternalName] || !slices.IsSortedFunc(c.Previews, byThreshold) {
			t.Errorf("%s: %v", c.InternalName, c.Previews)
		}
		names[c.InternalName] = true
		seen[c.Type] = true
		seen["several"] = seen["several"] || len(c.Previews) > 2
		seen["none"] = seen["none"] || len(c.Previews) == 0
		for _, p := range c.Previews {
			for _, r := range p.Rewards {
				seen[r.TypeText] = true
				if r.Tier != nil {
					seen[*r.Tier] = true
				}
				seen["shiny"] = seen["shiny"] || r.Shiny != nil
				if r.Tier != nil && (r.TypeText == "CURRENCY" || r.TypeText == "WARD") ||
					r.Shiny != nil && !*r.Shiny || r.Amount < 1 {
					t.Errorf("%s gives %+v", c.Name, r)
				}
			}
		}
	}
	for _, want := range []string{
		"COMBAT_LEVEL", "QUEST", "GLOBAL_QUEST", "never", "once", "CAMP", "RAID", "several",
		"none", "ITEM", "TOME", "ASPECT",
		"CURRENCY", "INGREDIENT", "WARD", "MYTHIC", "FABLED", "LEGENDARY", "RARE", "UNIQUE", "shiny",
	} {
		if !seen[want] {
			t.Errorf("no case of %s", want)
		}
	}
	for _, raid := range []string{"grootslang", "orphion", "colossus", "nameless", "fruma"} {
		if !names[raid] {
			t.Errorf("the raid %s is missing", raid)
		}
	}
}

func byThreshold(a, b *model.LootPreview) int { return a.Threshold - b.Threshold }

// Everything on the map is on the land of territories, or at the coast beside them.
func TestPlacesAreOnLand(t *testing.T) {
	land := seed.Territories(demoOptions)
	check := func(name string, p *model.Position) {
		if p == nil {
			return
		}
		const beside = 80
		if !slices.ContainsFunc(land, func(x *model.Territory) bool {
			a, b := x.Location.StartCorner, x.Location.EndCorner
			return float64(min(a[0], b[0])-beside) <= p.X && p.X <= float64(max(a[0], b[0])+beside) &&
				float64(min(a[1], b[1])-beside) <= p.Z && p.Z <= float64(max(a[1], b[1])+beside)
		}) {
			t.Errorf("%s is in the water at %v %v", name, p.X, p.Z)
		}
	}
	for _, n := range seed.GatheringNodes(demoOptions) {
		check(n.Resource, &n.Position)
	}
	raids := map[string]model.Position{}
	for _, m := range seed.MapMarkers(demoOptions) {
		check(m.Name, &m.Position)
		raids[m.Name] = m.Position
	}
	for _, e := range seed.WorldEvents(demoOptions) {
		for _, place := range e.Places {
			for _, p := range []*model.Position{place.Event, place.Spawn, place.Reward} {
				check(e.Name, p)
			}
		}
	}
	for _, l := range seed.LootPools(demoOptions) {
		check(l.Name, l.Location)
		if l.Type == "RAID" && raids[l.Name] != *l.Location {
			t.Errorf("%s is at %v, its marker at %v", l.Name, l.Location, raids[l.Name])
		}
	}
	for _, d := range seed.Discoveries(demoOptions) {
		check(d.Name, &model.Position{X: float64(d.Location.From[0]), Z: float64(d.Location.From[2])})
	}
	for p := range seed.Players(seed.Options{Players: 300, Seed: 1, Now: now}) {
		check(p.Username, p.Location)
	}
}
