package resolvers

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"gamedata/graph/model"
)

// anyTree draws trees as records may hold them. Half of them are sound: every ability in a cell and
// with a unique id. In the others parts are missing, cells and ids shared, numbers anything.
func anyTree(t *rapid.T) *model.AbilityTree {
	sound := rapid.Bool().Draw(t, "sound")
	number, missing := rapid.IntRange(1, 7), rapid.IntRange(0, 20)
	if sound {
		number, missing = rapid.IntRange(1, mapRows), rapid.Just(1)
	}
	far := rapid.OneOf(number, number, number, rapid.Int())
	ids := []string{"a", "A", "b", "c", "d", "e", "f", "g", "h", "\xff", "É", "", " "}
	id := rapid.SampledFrom(ids)
	usedIDs, usedCells := map[string]bool{"": true}, map[cell]bool{}
	tree := &model.AbilityTree{}
	for n := range rapid.IntRange(0, 3).Draw(t, "pages") {
		page := &model.AbilityPage{Page: 3 - n}
		if !sound {
			page.Page = far.Draw(t, "page")
		}
		for range rapid.IntRange(0, 6).Draw(t, "abilities") {
			a := node(id.Draw(t, "id"), number.Draw(t, "x"), number.Draw(t, "y"), rapid.SliceOfN(id, 0, 5).Draw(t, "links")...)
			at, key := cell{page.Page*mapRows + a.Coordinates.Y, a.Coordinates.X}, strings.TrimSpace(abilityKey(a.Key))
			if sound && (usedCells[at] || usedIDs[key]) {
				continue
			}
			usedCells[at], usedIDs[key] = true, true
			if missing.Draw(t, "icon") == 0 {
				a.Icon = nil
			}
			if missing.Draw(t, "coordinates") == 0 {
				a.Coordinates = nil
			}
			if missing.Draw(t, "ability") == 0 {
				a = nil
			}
			page.Abilities = append(page.Abilities, a)
		}
		if missing.Draw(t, "whole page") == 0 {
			page = nil
		}
		tree.Pages = append(tree.Pages, page)
	}
	return tree
}

// checkMap holds a map against what is true of every map: each cell inside its page and of one
// element, and each arm met by the arm of another connector or by an ability of the family.
func checkMap(t *rapid.T, pages []*model.AbilityMapPage) map[cell]*model.AbilityMapElement {
	at := map[cell]*model.AbilityMapElement{}
	for i, p := range pages {
		if p.Page != i+1 || i >= maxMapPages || p.Elements == nil {
			t.Fatalf("page %d of %d is numbered %d", i+1, len(pages), p.Page)
		}
		for _, e := range p.Elements {
			c := cell{(p.Page-1)*mapRows + e.Coordinates.Y, e.Coordinates.X}
			if c.page() != p.Page || e.Meta.Page != p.Page || c.x < 1 || c.x > mapColumns || at[c] != nil ||
				e.FamilyKeys == nil {
				t.Fatalf("page %d: element %+v at %+v", p.Page, *e, *e.Coordinates)
			}
			at[c] = e
		}
	}
	for c, e := range at {
		if e.Meta.Connector == nil {
			continue
		}
		for _, d := range []struct {
			arm, back string
			next      cell
		}{
			{"_up", "_down", cell{c.row - 1, c.x}},
			{"_down", "_up", cell{c.row + 1, c.x}},
			{"_left", "_right", cell{c.row, c.x - 1}},
			{"_right", "_left", cell{c.row, c.x + 1}},
		} {
			if !strings.Contains(*e.Meta.Connector, d.arm) {
				continue
			}
			switch next := at[d.next]; {
			case next == nil:
				t.Fatalf("%s at %v: nothing%s of it", *e.Meta.Connector, c, d.arm)
			case next.Meta.Connector != nil && !strings.Contains(*next.Meta.Connector, d.back):
				t.Fatalf("%s at %v: %s%s of it", *e.Meta.Connector, c, *next.Meta.Connector, d.arm)
			case next.Meta.AbilityKey != nil && !contains(e.FamilyKeys, *next.Meta.AbilityKey):
				t.Fatalf("%s at %v: %s%s of it is not in %v", *e.Meta.Connector, c, *next.Meta.AbilityKey, d.arm, e.FamilyKeys)
			}
		}
	}
	return at
}

func contains(family []string, ids ...string) bool {
	return !slices.ContainsFunc(ids, func(id string) bool { return !slices.Contains(family, id) })
}

// drawsOrRefuses: no record stops the drawing; one that is refused is refused for each character,
// and what a character sees lies on the map of the class: same cells, no other arms, no other ids.
func drawsOrRefuses(t *rapid.T) {
	tree := anyTree(t)
	whole, err := mapOf(tree)
	unlocked := rapid.SliceOf(rapid.SampledFrom([]string{"a", "B", "c", "D", "e", "f", "G", "h", "É", "", "zz"})).Draw(t,
		"unlocked")
	part, partErr := mapOfUnlocked(tree, unlocked)
	if (err == nil) != (partErr == nil) {
		t.Fatalf("the class: %v, the character: %v", err, partErr)
	}
	if err != nil {
		return
	}
	cells := checkMap(t, whole)
	for c, e := range checkMap(t, part) {
		under := cells[c]
		if under == nil || under.Type != e.Type || !contains(under.FamilyKeys, e.FamilyKeys...) {
			t.Fatalf("%v: the character has %+v, the class %+v", c, e, under)
		}
		if e.Meta.Connector != nil {
			for _, arm := range strings.Split(*e.Meta.Connector, "_")[1:] {
				if !strings.Contains(*under.Meta.Connector, "_"+arm) {
					t.Fatalf("%v: the character has %s, the class %s", c, *e.Meta.Connector, *under.Meta.Connector)
				}
			}
		}
	}
	var all []string
	for _, p := range tree.Pages {
		for _, a := range p.Abilities {
			all = append(all, strings.ToUpper(a.Key))
		}
	}
	full, err := mapOfUnlocked(tree, all)
	if d := cmp.Diff(whole, full); err != nil || d != "" {
		t.Fatalf("everything unlocked is not the map of the class: %v %s", err, d)
	}
}

func TestMapOfAnyTree(t *testing.T) { rapid.Check(t, drawsOrRefuses) }

func FuzzMapOfAnyTree(f *testing.F) { f.Fuzz(rapid.MakeFuzz(drawsOrRefuses)) }

// A tree as full as a record can be is refused, not drawn for minutes.
func TestMapOfTooManyLinks(t *testing.T) {
	const cells = mapRows * mapColumns
	ids := make([]string, maxMapPages*cells)
	for i := range ids {
		ids[i] = strconv.Itoa(i)
	}
	pages := make([][]*model.Ability, maxMapPages)
	for i, id := range ids {
		c := i % cells
		pages[i/cells] = append(pages[i/cells], node(id, c%mapColumns+1, c/mapColumns+1, ids...))
	}
	if _, err := mapOf(treeOfPages(pages...)); err == nil || !strings.Contains(err.Error(), "links") {
		t.Errorf("%d abilities, each linked to all: %v", len(ids), err)
	}
}
