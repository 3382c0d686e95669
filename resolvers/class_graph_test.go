package resolvers_test

import (
	"slices"
	"strings"
	"testing"

	"gamedata/graph/model"
	"gamedata/graph/viewer"
)

// The parts of an ability tree lead to each other, and each is found again by its id.
func TestAbilityEdges(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 10)
	type part struct{ ID, Key string }
	type ability struct {
		part
		Links        []part
		LinkKeys     []string
		Requirements struct {
			Abilities   []part
			AbilityKeys []string
			Archetype   *struct {
				Archetype    *part
				ArchetypeKey string
			}
		}
	}
	var data struct {
		AbilityTree struct {
			Key, ID string
			Class   struct{ ID, Key string }
			Pages   []struct{ Abilities []ability }
			Map     []struct {
				Elements []struct {
					Type string
					Meta struct {
						Ability    *part
						AbilityKey *string
					}
					Family     []part
					FamilyKeys []string
				}
			}
		}
	}
	w.ask(t, `{abilityTree(by:{key:MAGE}){id key class{id key} map{elements{type meta{ability{id key} abilityKey} family{key}
		familyKeys}} pages{abilities{id key links{id key} linkKeys requirements{abilities{key} abilityKeys
		archetype{archetype{id key} archetypeKey}}}}}}`, nil, &data)
	tree := data.AbilityTree
	if tree.Key != "MAGE" || tree.Class.Key != "MAGE" {
		t.Errorf("the tree belongs to %s, its class is %s", tree.Key, tree.Class.Key)
	}
	ids := []string{tree.ID, tree.Class.ID}
	links, archetypes := 0, 0
	for _, page := range tree.Pages {
		for _, a := range page.Abilities {
			ids = append(ids, a.ID)
			for _, to := range a.Links {
				links++
				if !slices.ContainsFunc(a.LinkKeys, func(key string) bool { return strings.EqualFold(key, to.Key) }) {
					t.Errorf("%s leads to %s, which is none of %q", a.Key, to.Key, a.LinkKeys)
				}
			}
			if len(a.Requirements.Abilities) != len(a.Requirements.AbilityKeys) {
				t.Errorf("%s requires %v", a.Key, a.Requirements)
			}
			if r := a.Requirements.Archetype; r != nil {
				archetypes++
				if r.Archetype == nil || r.Archetype.Key != r.ArchetypeKey {
					t.Errorf("%s requires the archetype %v of %s", a.Key, r.Archetype, r.ArchetypeKey)
				} else if archetypes == 1 {
					ids = append(ids, r.Archetype.ID)
				}
			}
		}
	}
	if links < 50 || archetypes == 0 {
		t.Errorf("%d links, %d required archetypes", links, archetypes)
	}
	for _, page := range tree.Map {
		for _, e := range page.Elements {
			if (e.Type == "ABILITY") != (e.Meta.Ability != nil) || len(e.Family) != len(e.FamilyKeys) {
				t.Errorf("%+v", e)
			}
		}
	}
	w.checkNodes(t, ids)
}

// Aspects are listed by class and rarity, and found by name and by id.
func TestAspects(t *testing.T) {
	w := newWorld(t, 10)
	type aspect struct{ ID, InternalName, Rarity, ClassKey string }
	type list struct {
		Aspects struct {
			Nodes      []aspect
			TotalCount int
		}
	}
	all := answer[list](t, w.exec, viewer.Viewer{}, `{aspects(first:1000){totalCount nodes{id internalName rarity classKey}}}`)
	some := answer[list](t, w.exec, viewer.Viewer{},
		`{aspects(first:1000,filter:{classes:[MAGE,ARCHER],rarities:[MYTHIC]}){totalCount nodes{id internalName rarity classKey}}}`)
	var want []aspect
	for _, a := range all.Aspects.Nodes {
		if a.Rarity == "MYTHIC" && (a.ClassKey == "MAGE" || a.ClassKey == "ARCHER") {
			want = append(want, a)
		}
	}
	if len(want) == 0 || len(want) != some.Aspects.TotalCount || len(all.Aspects.Nodes) != all.Aspects.TotalCount {
		t.Errorf("%d of %d, want %d", some.Aspects.TotalCount, all.Aspects.TotalCount, len(want))
	}
	w.checkNodes(t, []string{want[0].ID})
	one := answer[struct{ Aspect *aspect }](t, w.exec, viewer.Viewer{},
		`{aspect(by:{internalName:"`+want[0].InternalName+`"}){id}}`)
	if one.Aspect == nil || one.Aspect.ID != want[0].ID {
		t.Errorf("%+v", one)
	}
}

// checkNodes checks that the field nodes finds some ids. An object is never found by an id that is not its own.
func (w *world) checkNodes(t *testing.T, ids []string) {
	t.Helper()
	var data, others struct{ Nodes []*struct{ ID string } }
	w.ask(t, `query($ids:[ID!]!){nodes(ids:$ids){id}}`, map[string]any{"ids": ids}, &data)
	other := make([]string, len(ids))
	for i, n := range data.Nodes {
		if n == nil || n.ID != ids[i] {
			t.Errorf("the object %s is %v", ids[i], n)
		}
		kind, key, _ := model.ParseGlobalID(ids[i])
		other[i] = model.GlobalID(kind, strings.ToUpper(key))
	}
	w.ask(t, `query($ids:[ID!]!){nodes(ids:$ids){id}}`, map[string]any{"ids": other}, &others)
	for i, n := range others.Nodes {
		if n != nil && n.ID != other[i] {
			t.Errorf("the object %s is found by the id %s", n.ID, other[i])
		}
	}
}
