package seed_test

import (
	"slices"
	"strings"
	"testing"

	"gamedata/graph/model"
	"gamedata/internal/demo/seed"
)

func byID(tree *model.AbilityTree) map[string]*model.Ability {
	out := map[string]*model.Ability{}
	for _, page := range tree.Pages {
		for _, a := range page.Abilities {
			out[strings.ToLower(a.Key)] = a
		}
	}
	return out
}

// reach returns the abilities that links connect to the root through those that pass.
func reach(tree map[string]*model.Ability, pass func(id string) bool) map[string]bool {
	reached := map[string]bool{}
	var open []string
	for id, a := range tree {
		if a.Page == 1 && a.Coordinates.Y == 1 && pass(id) {
			open = append(open, id)
		}
	}
	for len(open) > 0 {
		id := open[0]
		open = open[1:]
		if reached[id] {
			continue
		}
		reached[id] = true
		for _, next := range tree[id].LinkKeys {
			if next = strings.ToLower(next); tree[next] != nil && pass(next) {
				open = append(open, next)
			}
		}
	}
	return reached
}

type cell struct{ row, x int }

func cellOf(a *model.Ability) cell { return cell{(a.Page-1)*6 + a.Coordinates.Y, a.Coordinates.X} }

// step moves one cell along a row or column.
func step(from, to int) int {
	switch {
	case from < to:
		return from + 1
	case from > to:
		return from - 1
	}
	return from
}

// routed reports whether one of the two ways between two cells is free.
func routed(taken map[cell]bool, a, b cell) bool {
	if b.row < a.row || b.row == a.row && b.x < a.x {
		a, b = b, a
	}
	for _, corner := range []cell{{a.row, b.x}, {b.row, a.x}} {
		at, free := a, true
		for _, goal := range []cell{corner, b} {
			for at != goal && free {
				at = cell{step(at.row, goal.row), step(at.x, goal.x)}
				free = at == b || !taken[at]
			}
		}
		if free {
			return true
		}
	}
	return false
}

func TestAbilityTrees(t *testing.T) {
	trees, classes := seed.AbilityTrees(), seed.Classes()
	if len(trees) != 5 || len(classes) != 5 {
		t.Fatalf("got %d trees for %d classes", len(trees), len(classes))
	}
	for n, tree := range trees {
		t.Run(tree.Key, func(t *testing.T) {
			if classes[n].Key != tree.Key || len(tree.Archetypes) != 3 || len(classes[n].Archetypes) != 3 ||
				len(tree.Pages) != 9 {
				t.Fatalf("class %s, %d archetypes, %d pages", classes[n].Key, len(tree.Archetypes), len(tree.Pages))
			}
			var slots []int
			for i, a := range tree.Archetypes {
				slots = append(slots, a.Slot)
				if a.Key != classes[n].Archetypes[i].Key || a.Icon.Name == nil || *a.Icon.Name != classes[n].Archetypes[i].Icon {
					t.Errorf("archetype %s of the tree is %s of the class", a.Key, classes[n].Archetypes[i].Key)
				}
			}
			if slices.Sort(slots); !slices.Equal(slots, []int{29, 31, 33}) {
				t.Errorf("slots %v", slots)
			}
			abilities, taken := byID(tree), map[cell]bool{}
			all := 0
			for i, page := range tree.Pages {
				for _, a := range page.Abilities {
					all++
					c := a.Coordinates
					if a.Page != i+1 || page.Page != i+1 || c.X < 1 || c.X > 9 || c.Y < 1 || c.Y > 6 || a.Slot != (c.Y-1)*9+c.X-1 ||
						taken[cellOf(a)] {
						t.Errorf("%s: invalid position %+v, slot %d, page %d", a.Key, c, a.Slot, a.Page)
					}
					taken[cellOf(a)] = true
				}
			}
			if all != 94 || len(abilities) != 94 {
				t.Errorf("%d abilities, %d ids", all, len(abilities))
			}
			for id, a := range abilities {
				for _, to := range a.LinkKeys {
					b := abilities[strings.ToLower(to)]
					if b == nil {
						continue
					}
					if cellOf(b).row < cellOf(a).row {
						t.Errorf("%s links up to %s", id, to)
					}
					if !routed(taken, cellOf(a), cellOf(b)) {
						t.Errorf("the link from %s to %s cannot be drawn", id, to)
					}
				}
			}
			if reached := reach(abilities, func(string) bool { return true }); len(reached) != all {
				t.Errorf("got %d of %d abilities connected", len(reached), all)
			}
			if stuck := unlockable(abilities, tree); len(stuck) > 0 {
				t.Errorf("cannot be unlocked: %v", stuck)
			}
		})
	}
}

// unlockable unlocks all it can, ignoring locks and points, and returns the rest.
func unlockable(abilities map[string]*model.Ability, tree *model.AbilityTree) []string {
	counts := func(a *model.Ability, archetype *model.Archetype) bool {
		name := string(archetype.Name)
		name = name[strings.LastIndex(name, "'>")+2:]
		name, _, _ = strings.Cut(name, "<")
		return slices.ContainsFunc(a.Description, func(l model.Markup) bool {
			return strings.Contains(string(l),
				name+" Archetype")
		})
	}
	unlocked, kin := map[string]bool{}, map[string]int{}
	for again := true; again; {
		again = false
		for id := range reach(abilities, func(id string) bool {
			return unlocked[id] || allowed(abilities[id], unlocked,
				kin)
		}) {
			if unlocked[id] || !allowed(abilities[id], unlocked, kin) {
				continue
			}
			unlocked[id], again = true, true
			for _, archetype := range tree.Archetypes {
				if counts(abilities[id], archetype) {
					kin[archetype.Key]++
				}
			}
		}
	}
	var stuck []string
	for id := range abilities {
		if !unlocked[id] {
			stuck = append(stuck, id)
		}
	}
	return stuck
}

func allowed(a *model.Ability, unlocked map[string]bool, kin map[string]int) bool {
	for _, id := range a.Requirements.AbilityKeys {
		if !unlocked[strings.ToLower(id)] {
			return false
		}
	}
	q := a.Requirements.Archetype
	return q == nil || kin[q.ArchetypeKey] >= q.Amount
}

// Every tree has the oddities of real trees.
func TestTreeOddities(t *testing.T) {
	for _, tree := range seed.AbilityTrees() {
		abilities, seen := byID(tree), map[string]int{}
		for _, a := range abilities {
			for what, ids := range map[string][]string{"link": a.LinkKeys, "lock": a.LockKeys} {
				for _, id := range ids {
					switch b := abilities[strings.ToLower(id)]; {
					case strings.TrimSpace(id) == "":
						seen[what+" blank"]++
					case b == nil:
						seen[what+" dead"]++
					case b.Key != id:
						seen[what+" in another case"]++
					default:
						seen[what]++
					}
				}
			}
			for what, is := range map[string]bool{
				"links null": a.LinkKeys == nil, "locks null": a.LockKeys == nil,
				"locks empty": a.LockKeys != nil && len(a.LockKeys) == 0,
				"nodes":       len(a.Requirements.AbilityKeys) > 0, "no nodes": a.Requirements.AbilityKeys == nil,
				"archetype": a.Requirements.Archetype != nil,
				"level":     a.Requirements.CombatLevel != nil, "one point": a.Requirements.AbilityPoints == 1,
				"two points": a.Requirements.AbilityPoints == 2,
				"source":     strings.Contains(string(a.Name), "§"), "rendered": strings.HasPrefix(string(a.Name), "<span"),
			} {
				if is {
					seen[what]++
				}
			}
		}
		for _, want := range []string{
			"link", "lock", "link blank", "lock blank", "link dead", "link in another case",
			"lock in another case", "links null",
			"locks null", "locks empty", "nodes", "no nodes", "archetype", "level", "one point", "two points", "source",
			"rendered",
		} {
			if seen[want] == 0 {
				t.Errorf("%s has no ability: %s", tree.Key, want)
			}
		}
	}
}

func TestAspects(t *testing.T) {
	thresholds := map[string][]int{"legendary": {1, 5, 30, 150}, "fabled": {1, 15, 75}, "mythic": {1, 5, 15}}
	ids, names := map[string]bool{}, map[string]bool{}
	for _, list := range seed.Aspects() {
		if n := len(list.Aspects); n < 25 || n > 27 {
			t.Errorf("%s has %d aspects", list.Tree, n)
		}
		for _, a := range list.Aspects {
			var got []int
			for i, tier := range a.Tiers {
				got = append(got, tier.Threshold)
				if tier.Tier != i+1 || len(tier.Description) == 0 {
					t.Errorf("%s: tier %+v", a.Name, tier)
				}
			}
			if !slices.Equal(got, thresholds[a.Rarity]) || a.ClassKey != list.Tree || len(a.InternalName) != 8 ||
				ids[a.InternalName] || names[list.Tree+a.Name] {
				t.Errorf("aspect %+v", a)
			}
			ids[a.InternalName], names[list.Tree+a.Name] = true, true
		}
	}
}
