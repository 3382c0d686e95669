package resolvers_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gamedata/graph/model"
	"gamedata/graph/viewer"
	"gamedata/internal/demo/content"
	"gamedata/internal/demo/seed"
)

// The filters keep what fits in stored order, and nothing is an empty list.
func TestMapFilters(t *testing.T) {
	w := newWorld(t, 10)
	type node struct {
		Position       model.Position
		Type, Resource string
	}
	const first = `first:17000`
	count := func(filter string, fits func(*model.GatheringNode) bool) {
		got := answer[struct {
			GatheringNodes struct {
				Nodes      []node
				TotalCount int
			}
		}](t, w.exec, viewer.Viewer{}, `{gatheringNodes(`+first+filter+
			`){totalCount nodes{position{x y z} type resource}}}`).GatheringNodes
		want := []node{}
		for _, n := range content.Read[model.GatheringNode]("plain/gatheringNodes") {
			if fits(n) {
				want = append(want, node{n.Position, n.Type, n.Resource})
			}
		}
		if d := cmp.Diff(want, got.Nodes); d != "" || got.TotalCount != len(want) {
			t.Errorf("%s: %d in all, %s", filter, got.TotalCount, d)
		}
	}
	count(``, func(*model.GatheringNode) bool { return true })
	count(` filter:{types:[WALL]}`, func(n *model.GatheringNode) bool { return n.Type == "WALL" })
	count(` filter:{types:[WALL,NODE]}`, func(n *model.GatheringNode) bool { return n.Type != "CORNER" })
	count(` filter:{resources:["MARL"]}`, func(n *model.GatheringNode) bool { return n.Resource == "MARL" })
	count(` filter:{types:[CORNER],resources:["MARL","GALENA"]}`, func(n *model.GatheringNode) bool {
		return (n.Resource == "MARL" || n.Resource == "GALENA") && n.Type == "CORNER"
	})
	count(` filter:{resources:["marl"]}`, func(*model.GatheringNode) bool { return false })
	count(` filter:{level:{min:20,max:40}}`, func(n *model.GatheringNode) bool { return n.Level >= 20 && n.Level <= 40 })
	count(` filter:{box:{x:{min:-200,max:200.5},z:{max:-1000}}}`, func(n *model.GatheringNode) bool {
		return n.Position.X >= -200 && n.Position.X <= 200.5 && n.Position.Z <= -1000
	})

	type markers struct {
		MapMarkers struct{ Nodes []struct{ Name string } }
	}
	names := func(filter string) []struct{ Name string } {
		return answer[markers](t, w.exec, viewer.Viewer{}, `{mapMarkers(first:1000`+filter+`){nodes{name}}}`).MapMarkers.Nodes
	}
	all, raids, none := names(``), names(` filter:{icons:["Content_Raid.png"]}`),
		names(` filter:{icons:["content_raid.png"]}`)
	if len(raids) != 5 || len(all) <= len(raids) || none == nil || len(none) != 0 {
		t.Errorf("%d markers, %d raids, %v", len(all), len(raids), none)
	}
}

// World events are found by what they are and where, and each by its key and its id.
func TestWorldEventFilters(t *testing.T) {
	w := newWorld(t, 10)
	type event struct {
		ID, InternalName   string
		Difficulty, Length *string
		Level              *int
		Territory          *struct{ Name string }
	}
	list := func(filter string) []event {
		return answer[struct{ WorldEvents struct{ Nodes []event } }](t, w.exec, viewer.Viewer{},
			`{worldEvents(first:1000`+filter+`){nodes{id internalName difficulty length level territory{name}}}}`).
			WorldEvents.Nodes
	}
	all := list(``)
	check := func(filter string, fits func(event) bool) {
		var want []event
		for _, e := range all {
			if fits(e) {
				want = append(want, e)
			}
		}
		if got := list(` filter:{` + filter + `}`); len(want) == 0 || !cmp.Equal(want, got) {
			t.Errorf("%s: %s", filter, cmp.Diff(want, got))
		}
	}
	check(`difficulties:[EASY,HARD]`, func(e event) bool { return e.Difficulty != nil && *e.Difficulty != "MEDIUM" })
	check(`lengths:[SHORT] level:{max:60}`, func(e event) bool {
		return e.Length != nil && *e.Length == "SHORT" && e.Level != nil && *e.Level <= 60
	})
	for _, e := range all {
		if e.Territory != nil {
			check(`territories:["`+e.Territory.Name+`"]`, func(o event) bool {
				return o.Territory != nil && o.Territory.Name == e.Territory.Name
			})
		}
	}
	one := answer[struct {
		WorldEvent *event
		LootPool   struct{ ID, Name string }
	}](t, w.exec, viewer.Viewer{}, `{worldEvent(by:{internalName:"`+all[0].InternalName+
		`"}){id} lootPool(by:{internalName:"colossus"}){id name}}`)
	if one.WorldEvent == nil || one.WorldEvent.ID != all[0].ID || one.LootPool.Name != "The Canyon Colossus" {
		t.Errorf("%+v", one)
	}
	w.checkNodes(t, []string{all[0].ID, one.LootPool.ID})
}

type pool struct {
	InternalName, Type string
	Previews           []struct{ Threshold int }
	Rewards            []struct {
		Name  string
		Type  struct{ Key, Label string }
		Tier  *string
		Shiny *bool
		Item  *struct {
			DisplayName, InternalName string
			LootPools                 []struct{ InternalName string }
		}
		Aspect *struct {
			Name      string
			LootPools []struct{ InternalName string }
		}
	}
}

func TestLootPools(t *testing.T) {
	w := newWorld(t, 10)
	type data struct{ Camps, Raids, LootPools struct{ Nodes []pool } }
	got := answer[data](t, w.exec, viewer.Viewer{},
		`{camps:lootPools(first:100 filter:{types:[CAMP]}){nodes{...p}}
			raids:lootPools(first:100 filter:{types:[RAID]}){nodes{...p}}
		lootPools(first:100){nodes{...p}}}
		fragment p on LootPool{internalName type previews{threshold} rewards(level:75){name type{key label} tier shiny
		item{displayName internalName lootPools{internalName}} aspect{name lootPools{internalName}}}}`)
	if d := cmp.Diff(slices.Concat(got.Camps.Nodes, got.Raids.Nodes), got.LootPools.Nodes); d != "" {
		t.Errorf("pools are not camps, then raids: %s", d)
	}
	p := got.Camps.Nodes[0].Previews
	if len(p) != 3 || p[0].Threshold != 20 || p[1].Threshold != 60 || p[2].Threshold != 100 {
		t.Errorf("the first camp has the previews %v", p)
	}
	kinds := map[string]bool{}
	for _, p := range got.LootPools.Nodes {
		same := func(l struct{ InternalName string }) bool { return l.InternalName == p.InternalName }
		for _, r := range p.Rewards {
			kinds[r.Type.Key] = true
			// What the item database has is found by its shown name.
			if stored := slices.Contains([]string{"ITEM", "TOME", "INGREDIENT"}, r.Type.Key); stored != (r.Item != nil) || stored &&
				(r.Item.DisplayName != r.Name || !slices.ContainsFunc(r.Item.LootPools, same)) {
				t.Errorf("%s of %s is the item %v", r.Name, p.InternalName, r.Item)
			}
			if a := r.Aspect; (r.Type.Key == "ASPECT") != (a != nil) || a != nil && (a.Name != r.Name || !slices.ContainsFunc(a.LootPools, same)) {
				t.Errorf("%s of %s is the aspect %v", r.Name, p.InternalName, a)
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
		a := answer[data](t, w.exec, viewer.Viewer{}, fmt.Sprintf(
			`{lootPools(first:100){nodes{internalName rewards(level:%d){name}}}}`, level)).LootPools.Nodes
		for i, c := range seed.LootPools(seed.Options{}) {
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
