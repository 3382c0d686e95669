package resolvers_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"gamedata/graph/model"
	"gamedata/graph/viewer"
	"gamedata/mongo/seed"
)

// The filters keep what fits in stored order, and nothing is an empty list.
func TestMapFilters(t *testing.T) {
	w := newWorld(t, 10)
	type node struct {
		Position       model.Position
		Type, Resource string
	}
	count := func(args string, fits func(*model.GatheringNode) bool) {
		got := answer[struct{ GatheringNodes []node }](t, w.exec, viewer.Viewer{}, `{gatheringNodes`+args+
			`{position{x y z} type resource}}`).GatheringNodes
		want := []node{}
		for _, n := range seed.GatheringNodes() {
			if fits(n) {
				want = append(want, node{n.Position, n.Type, n.Resource})
			}
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: %s", args, d)
		}
	}
	count(``, func(*model.GatheringNode) bool { return true })
	count(`(type:"WALL")`, func(n *model.GatheringNode) bool { return n.Type == "WALL" })
	count(`(resource:"MARL")`, func(n *model.GatheringNode) bool { return n.Resource == "MARL" })
	count(`(type:"CORNER",resource:"MARL")`, func(n *model.GatheringNode) bool {
		return n.Resource == "MARL" &&
			n.Type == "CORNER"
	})
	count(`(type:"wall")`, func(*model.GatheringNode) bool { return false })
	count(`(resource:"")`, func(*model.GatheringNode) bool { return false })

	type markers struct{ MapMarkers []struct{ Name string } }
	all := answer[markers](t, w.exec, viewer.Viewer{}, `{mapMarkers{name}}`).MapMarkers
	raids := answer[markers](t, w.exec, viewer.Viewer{}, `{mapMarkers(icon:"Content_Raid.png"){name}}`).MapMarkers
	none := answer[markers](t, w.exec, viewer.Viewer{}, `{mapMarkers(icon:"content_raid.png"){name}}`).MapMarkers
	if len(raids) != 5 || len(all) <= len(raids) || none == nil || len(none) != 0 {
		t.Errorf("%d markers, %d raids, %v", len(all), len(raids), none)
	}
}

// An empty store has an empty map.
func TestEmptyMap(t *testing.T) {
	w := newEmpty(t)
	got := answer[map[string]any](
		t,
		w.exec,
		viewer.Viewer{},
		`{territories{nodes{name}} mapMarkers{name} worldEvents{name} camps{name} raids{name} lootPools{name} gatheringNodes{type} questSummary{quests}}`,
	)
	want := map[string]any{
		"territories": map[string]any{"nodes": []any{}}, "mapMarkers": []any{}, "worldEvents": []any{},
		"camps": []any{}, "raids": []any{},
		"lootPools": []any{}, "gatheringNodes": []any{}, "questSummary": map[string]any{"quests": 0.0},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

type pool struct {
	InternalName, Type string
	Thresholds         []int
	Rewards            []struct {
		Name, Type string
		Tier       *string
		Shiny      *bool
		Item       *struct{ DisplayName, InternalName string }
	}
}

func TestLootPools(t *testing.T) {
	w := newWorld(t, 10)
	type data struct{ Camps, Raids, LootPools []pool }
	got := answer[data](t, w.exec, viewer.Viewer{},
		`{camps(level:75){...p} raids(level:75){...p} lootPools(level:75){...p}}
		fragment p on LootPoolContent{internalName type thresholds rewards{name type tier shiny item{displayName internalName}}}`)
	if d := cmp.Diff(slices.Concat(got.Camps, got.Raids), got.LootPools); d != "" {
		t.Errorf("pools are not camps, then raids: %s", d)
	}
	if d := cmp.Diff([]int{20, 60, 100}, got.Camps[0].Thresholds); d != "" {
		t.Error(d)
	}
	kinds := map[string]bool{}
	for _, p := range got.LootPools {
		for _, r := range p.Rewards {
			kinds[r.Type] = true
			// What the item database has is found by its shown name.
			if stored := slices.Contains([]string{"ITEM", "TOME", "INGREDIENT"}, r.Type); stored != (r.Item != nil) || stored &&
				r.Item.DisplayName != r.Name {
				t.Errorf("%s of %s is the item %v", r.Name, p.InternalName, r.Item)
			}
			if r.Shiny != nil && !*r.Shiny {
				t.Errorf("%s is not shiny, but the field is not null", r.Name)
			}
		}
	}
	if len(kinds) != 6 {
		t.Errorf("kinds of rewards are %v", kinds)
	}
	for _, level := range []int{-5, 0, 19, 20, 59, 60, 99, 100, 105, 106, 400} {
		a := answer[data](t, w.exec, viewer.Viewer{}, fmt.Sprintf(`{lootPools(level:%d){internalName rewards{name}}}`,
			level)).LootPools
		for i, c := range seed.LootPools() {
			var names []string
			for _, r := range a[i].Rewards {
				names = append(names, r.Name)
			}
			var want []string
			if p := model.PreviewAt(c.Previews, &level); p != nil {
				for _, r := range p.Rewards {
					want = append(want, r.Name)
				}
			}
			if d := cmp.Diff(want, names); d != "" {
				t.Errorf("level %d, %s: %s", level, c.InternalName, d)
			}
		}
	}
}

// At any time some events of the demo world have a schedule, and some do not.
func TestWorldEventSchedules(t *testing.T) {
	w := newWorld(t, 10)
	var now time.Time
	exec := executorAt(t, w.store, func() time.Time { return now })
	for n := range 48 {
		now = time.Date(2026, 11, 20, 0, n*30, n, n*1e6, time.UTC)
		events := answer[struct {
			WorldEvents []struct {
				Name     string
				Schedule *time.Time
			}
		}](t, exec, viewer.Viewer{}, `{worldEvents{name schedule}}`).WorldEvents
		scheduled := 0
		for _, e := range events {
			if e.Schedule == nil {
				continue
			}
			if scheduled++; e.Schedule.Before(now) || !e.Schedule.Before(now.Add(15*time.Minute)) {
				t.Errorf("at %v: %s begins %v", now, e.Name, e.Schedule)
			}
		}
		if scheduled < 2 || scheduled > len(events)-2 {
			t.Errorf("at %v %d of %d events have a schedule", now, scheduled, len(events))
		}
	}
}
