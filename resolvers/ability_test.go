package resolvers_test

import (
	"testing"

	"gamedata/graph/model"
	"gamedata/internal/demo/content"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// A character's abilities are drawn over the map of the content: here one without any connector.
func TestCharacterAbilitiesOnTheMapOfTheContent(t *testing.T) {
	w := newEmpty(t)
	tree := content.Read[model.AbilityTree]("abilityTrees")[0]
	own := &model.AbilityMap{Tree: tree.Key}
	var unlocked []string
	for _, page := range tree.Pages {
		elements := []*model.AbilityMapElement{}
		for _, a := range page.Abilities {
			unlocked = append(unlocked, a.Key)
			elements = append(elements, &model.AbilityMapElement{
				Type: "ability", Coordinates: a.Coordinates, FamilyKeys: []string{},
				Meta: &model.AbilityMapMeta{Page: page.Page, Icon: a.Icon, AbilityKey: &a.Key},
			})
		}
		own.Pages = append(own.Pages, &model.AbilityMapPage{Page: page.Page, Elements: elements})
	}
	player, character := mongotest.UUID(1), mongotest.UUID(2)
	mongotest.Must(t,
		mongo.AbilityTrees.Put(t.Context(), w.store, []*model.AbilityTree{tree}),
		mongo.AbilityMaps.Put(t.Context(), w.store, []*model.AbilityMap{own}),
		w.store.Players.Insert(t.Context(), []*model.Player{{UUID: player, Username: "Salted"}}),
		w.store.Characters.Insert(t.Context(), []*model.Character{{
			UUID: character, Owner: player, ClassKey: "ARCHER", Unlocked: unlocked,
		}}),
	)
	var data struct {
		Player struct {
			CharacterAbilities []struct {
				Elements []struct{ Type string }
			}
		}
	}
	w.ask(t, `query($p: UUID!, $c: UUID!) { player(by: {uuid: $p}) { characterAbilities(by: {uuid: $c}) { elements { type } } } }`,
		map[string]any{"p": player, "c": character}, &data)
	abilities := 0
	for _, page := range data.Player.CharacterAbilities {
		for _, e := range page.Elements {
			if e.Type != "ABILITY" {
				t.Fatalf("got a %s that is not on the map", e.Type)
			}
			abilities++
		}
	}
	if abilities != len(unlocked) {
		t.Errorf("got %d of %d abilities", abilities, len(unlocked))
	}
}
