package importer_test

import (
	"fmt"
	"strings"
	"testing"

	"gamedata/graph/model"
	"gamedata/mongo/mongotest"
)

// A stored rule that is consistent with a recording stays; a public one that took effect becomes private, and the
// import reports that. Before, an import overwrote every rule that the body reports.
func TestImportHandlesEveryAccessRule(t *testing.T) {
	store, _ := mongotest.Open(t)
	for rule := range model.NumAccessRules {
		key := rule.Info().Key
		for _, stored := range []model.Access{"", model.Public, model.Friend, model.Private} {
			for _, restricted := range []bool{true, false} {
				t.Run(fmt.Sprintf("%s=%s,%v", key, stored, restricted), func(t *testing.T) {
					old := &model.Player{
						UUID: mongotest.UUID(1), Username: "Salted", Rules: model.UniformAccessRules(stored),
						Weekly: &model.WeeklyProgress{Streak: 5},
					}
					mongotest.Must(t, store.Players.Put(t.Context(), []*model.Player{old}))
					i := readAndApply(t, store, "player", fmt.Sprintf(
						`{"uuid":%q,"username":"Salted","restrictions":[{"key":%q,"restricted":%v}]}`,
						mongotest.UUID(1), rule, restricted), nil)
					want := stored
					closed := restricted && stored.IsPublic()
					if closed {
						want = model.Private
					}
					if got := storedPlayer(t, store, 1).Rules[rule]; got != want {
						t.Errorf("got %q, want %q", got, want)
					}
					if (len(i.Changes) == 1) != closed || closed && !strings.Contains(i.Changes[0], rule.Info().Name) {
						t.Errorf("the import reports %q", i.Changes)
					}
				})
			}
		}
	}
}
