package resolvers

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"gamedata/graph/model"
	"gamedata/internal/demo/content"
	"gamedata/mongo/mongotest"
)

// On a map that mapOf draws, the selection is what mapOfUnlocked draws.
func TestSelectUnlockedFollowsTheRule(t *testing.T) {
	for _, tree := range content.Read[model.AbilityTree]("abilityTrees") {
		full := mongotest.Value(mapOf(tree))(t)
		var ids []string
		for _, page := range tree.Pages {
			for _, a := range page.Abilities {
				ids = append(ids, a.Key)
			}
		}
		rapid.Check(t, func(t *rapid.T) {
			unlocked := rapid.SliceOfDistinct(rapid.SampledFrom(ids), func(id string) string { return id }).Draw(t, "unlocked")
			want := mongotest.Value(mapOfUnlocked(tree, unlocked))(t)
			if d := cmp.Diff(summary(want), summary(selectUnlocked(full, unlocked))); d != "" {
				t.Fatal(d)
			}
		})
	}
}

// ownMap joins a to c by another way than the rule's, and b to c through two of its cells.
func ownMap() []*model.AbilityMapPage {
	ability := func(id string, x, y int, family ...string) *model.AbilityMapElement {
		return &model.AbilityMapElement{
			Type: mapAbility, Coordinates: &model.Coordinates{X: x, Y: y}, Meta: &model.AbilityMapMeta{Page: 1, AbilityKey: &id},
			FamilyKeys: family,
		}
	}
	connector := func(name string, x, y int, family ...string) *model.AbilityMapElement {
		name = "connector" + name
		return &model.AbilityMapElement{
			Type: mapConnector, Coordinates: &model.Coordinates{X: x, Y: y},
			Meta: &model.AbilityMapMeta{Page: 1, Connector: &name}, FamilyKeys: family,
		}
	}
	return []*model.AbilityMapPage{
		{Page: 1, Elements: []*model.AbilityMapElement{
			ability("a", 1, 1, "c"), connector("_up_down", 1, 2, "a", "c"),
			connector("_up_right", 1, 3, "a", "c"), connector("_right_down_left", 2, 3, "a", "b", "c"),
			ability("b", 3, 3, "c"), ability("c", 2, 4, "a", "b"),
		}},
		{Page: 2, Elements: []*model.AbilityMapElement{}},
	}
}

func TestSelectUnlockedOnOwnMap(t *testing.T) {
	for name, c := range map[string]struct {
		unlocked []string
		want     []string
	}{
		"nothing": {nil, nil},
		"one":     {[]string{"a", "unknown"}, []string{"1:1,1 a []"}},
		"the way of the map": {[]string{"C", "A"}, []string{
			"1:1,1 a [c]", "1:1,2 connector_up_down [a c]", "1:1,3 connector_up_right [a c]", "1:2,3 connector_down_left [a c]",
			"1:2,4 c [a]",
		}},
		"the other way": {[]string{"b", "c"}, []string{"1:2,3 connector_right_down [b c]", "1:3,3 b [c]", "1:2,4 c [b]"}},
		"unlinked":      {[]string{"a", "b"}, []string{"1:1,1 a []", "1:3,3 b []"}},
		"all":           {[]string{"a", "b", "c"}, summary(ownMap())},
	} {
		own := ownMap()
		got := selectUnlocked(own, c.unlocked)
		if d := cmp.Diff(c.want, summary(got)); d != "" || len(got) != 2 || got[1].Elements == nil {
			t.Errorf("%s: %s", name, d)
		}
		if d := cmp.Diff(ownMap(), own); d != "" {
			t.Errorf("%s changes the map: %s", name, d)
		}
	}
}

// Links without a way on the map are in the families alone.
func TestSelectUnlockedWithoutAWay(t *testing.T) {
	own := ownMap()
	own[0].Elements = append(own[0].Elements[:2:2], own[0].Elements[3:]...)
	want := []string{"1:1,1 a [c]", "1:2,4 c [a]"}
	if d := cmp.Diff(want, summary(selectUnlocked(own, []string{"a", "c"}))); d != "" {
		t.Error(d)
	}
}
