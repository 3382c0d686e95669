package importer_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"gamedata/graph/model"
	"gamedata/mongo/importer"
	"gamedata/mongo/mongotest"
)

// A rule that a recorded body reports takes effect in the store, any other stays as it was.
func TestImportHandlesEveryAccessRule(t *testing.T) {
	for rule := range model.NumAccessRules {
		key := rule.Info().Key
		for _, restricted := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s=%v", key, restricted), func(t *testing.T) {
				store, _ := mongotest.Open(t)
				old := &model.Player{
					UUID: mongotest.UUID(1), Username: "Salted", Rules: model.UniformAccessRules(model.Friend),
					Weekly: &model.WeeklyProgress{Streak: 5},
				}
				if err := store.InsertPlayers(t.Context(), []*model.Player{old}); err != nil {
					t.Fatal(err)
				}
				i, err := importer.Read("player", json.RawMessage(fmt.Sprintf(
					`{"uuid":%q,"username":"Salted","restrictions":{%q:%v}}`, mongotest.UUID(1), key, restricted)), nil)
				if err != nil {
					t.Fatal(err)
				}
				if err := i.Apply(t.Context(), store); err != nil {
					t.Fatal(err)
				}
				found, err := store.PlayersByUUID(t.Context(), []string{mongotest.UUID(1)})
				if err != nil {
					t.Fatal(err)
				}
				want := map[bool]model.Access{true: model.Private, false: model.Public}[restricted]
				if _, recorded := new(model.Restrictions).Get(rule); !recorded {
					want = model.Friend
				}
				if got := found[0].Rules[rule]; got != want {
					t.Errorf("got %q, want %q", got, want)
				}
			})
		}
	}
}
