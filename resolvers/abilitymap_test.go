package resolvers

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gamedata/graph/model"
	"gamedata/mongo/mongotest"
)

func node(id string, x, y int, links ...string) *model.Ability {
	return &model.Ability{
		Key: id, Icon: &model.Icon{Format: "attribute"}, Coordinates: &model.Coordinates{X: x, Y: y},
		LinkKeys: links,
	}
}

func treeOfPages(pages ...[]*model.Ability) *model.AbilityTree {
	t := &model.AbilityTree{Key: "archer"}
	for i, abilities := range pages {
		t.Pages = append(t.Pages, &model.AbilityPage{Page: i + 1, Abilities: abilities})
	}
	return t
}

// summary lists the elements of a map: page, cell, content, family.
func summary(pages []*model.AbilityMapPage) []string {
	var out []string
	for _, p := range pages {
		for _, e := range p.Elements {
			what := ""
			if e.Meta.AbilityKey != nil {
				what = *e.Meta.AbilityKey
			}
			if e.Meta.Connector != nil {
				what = *e.Meta.Connector
			}
			out = append(out, fmt.Sprintf("%d:%d,%d %s %v", p.Page, e.Coordinates.X, e.Coordinates.Y, what, e.FamilyKeys))
		}
	}
	return out
}

// documented is the example tree of docs/spec/wire-content.md, with an id in other case and an unknown one.
func documented() *model.AbilityTree {
	return treeOfPages([]*model.Ability{
		node("firebolt", 5, 1, "bowLore"), node("bowLore", 5, 3, "Gust", "emberRain"),
		node("gust", 3, 5), node("emberRain", 7, 5),
	})
}

func TestMapOf(t *testing.T) {
	for _, c := range []struct {
		name string
		tree *model.AbilityTree
		want []string
	}{
		{"the documented example", documented(), []string{
			"1:5,1 firebolt [bowLore]", "1:5,2 connector_up_down [firebolt bowLore]",
			"1:3,3 connector_right_down [bowLore gust]", "1:4,3 connector_right_left [bowLore gust]",
			"1:5,3 bowLore [firebolt gust emberRain]",
			"1:6,3 connector_right_left [bowLore emberRain]", "1:7,3 connector_down_left [bowLore emberRain]",
			"1:3,4 connector_up_down [bowLore gust]", "1:7,4 connector_up_down [bowLore emberRain]",
			"1:3,5 gust [bowLore]", "1:7,5 emberRain [bowLore]",
		}},
		{"named from both sides, once", treeOfPages([]*model.Ability{node("a", 2, 2, "b"), node("b", 4, 2, "A", "", " ",
			"unknown", "b")}), []string{
			"1:2,2 a [b]", "1:3,2 connector_right_left [a b]", "1:4,2 b [a]",
		}},
		{"straight down first where an ability is at the side", treeOfPages([]*model.Ability{
			node("a", 2, 1, "c"), node("b", 4, 1), node("c", 4, 3),
		}), []string{
			"1:2,1 a [c]", "1:4,1 b []", "1:2,2 connector_up_down [a c]", "1:2,3 connector_up_right [a c]",
			"1:3,3 connector_right_left [a c]", "1:4,3 c [a]",
		}},
		{"no way, yet a family", treeOfPages([]*model.Ability{
			node("a", 2, 1, "c"), node("b", 4, 1), node("x", 2, 3), node("c", 4, 3),
		}), []string{
			"1:2,1 a [c]", "1:4,1 b []", "1:2,3 x []", "1:4,3 c [a]",
		}},
		{"arms join", treeOfPages([]*model.Ability{node("a", 5, 1, "b", "c"), node("b", 3, 3), node("c", 7, 3)}), []string{
			"1:3,1 connector_right_down [a b]", "1:4,1 connector_right_left [a b]", "1:5,1 a [b c]",
			"1:6,1 connector_right_left [a c]",
			"1:7,1 connector_down_left [a c]", "1:3,2 connector_up_down [a b]", "1:7,2 connector_up_down [a c]", "1:3,3 b [a]",
			"1:7,3 c [a]",
		}},
		{"a crossing", treeOfPages([]*model.Ability{
			node("n", 5, 1, "s"), node("w", 4, 2, "e"), node("e", 6, 2), node("s", 5, 3),
		}), []string{
			"1:5,1 n [s]", "1:4,2 w [e]", "1:5,2 connector_up_right_down_left [n w e s]", "1:6,2 e [w]", "1:5,3 s [n]",
		}},
		{"over the border of a page", treeOfPages([]*model.Ability{node("a", 5, 6, "b")}, []*model.Ability{node("b", 5, 2)},
			nil), []string{
			"1:5,6 a [b]", "2:5,1 connector_up_down [a b]", "2:5,2 b [a]",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := mongotest.Value(mapOf(c.tree))(t)
			if d := cmp.Diff(c.want, summary(got)); d != "" {
				t.Error(d)
			}
			if len(got) != len(c.tree.Pages) {
				t.Errorf("%d pages, want %d", len(got), len(c.tree.Pages))
			}
		})
	}
}

func TestMapOfRefuses(t *testing.T) {
	for name, tree := range map[string]*model.AbilityTree{
		"no tree":         nil,
		"missing page":    {Pages: []*model.AbilityPage{nil}},
		"page twice":      {Pages: []*model.AbilityPage{{Page: 1}, {Page: 1}}},
		"page 0":          {Pages: []*model.AbilityPage{{Page: 0}}},
		"a far page":      {Pages: []*model.AbilityPage{{Page: 1 << 40}}},
		"missing ability": treeOfPages([]*model.Ability{nil}),
		"no coordinates":  treeOfPages([]*model.Ability{{Key: "a", Icon: &model.Icon{}}}),
		"no icon":         treeOfPages([]*model.Ability{{Key: "a", Coordinates: &model.Coordinates{X: 1, Y: 1}}}),
		"no id":           treeOfPages([]*model.Ability{node(" ", 1, 1)}),
		"outside":         treeOfPages([]*model.Ability{node("a", 10, 1)}),
		"below":           treeOfPages([]*model.Ability{node("a", 1, 7)}),
		"one cell":        treeOfPages([]*model.Ability{node("a", 1, 1), node("b", 1, 1)}),
		"one id":          treeOfPages([]*model.Ability{node("a", 1, 1), node("A", 2, 1)}),
	} {
		if _, err := mapOf(tree); err == nil {
			t.Errorf("%s is drawn", name)
		}
		if _, err := mapOfUnlocked(tree, []string{"a"}); err == nil {
			t.Errorf("%s is drawn for a character", name)
		}
	}
}
