package account

import (
	"testing"

	"gamedata/graph/model"
)

// The value that a browser selects and sends back for each rule is the one in effect, so that saving another rule does
// not change it. A stored value that is unknown acts as private.
func TestRuleSettings(t *testing.T) {
	for stored, want := range map[model.Access]model.Access{
		"": model.Public, model.Public: model.Public, model.Friend: model.Friend, model.Private: model.Private,
		model.GuildOrFriends: model.GuildAndFriends, "unheard of": model.Private,
	} {
		for _, setting := range ruleSettings(model.UniformAccessRules(stored)) {
			var chosen []model.Access
			for _, v := range setting.Values {
				if v.Chosen {
					chosen = append(chosen, v.Value)
				}
			}
			if len(chosen) != 1 || chosen[0] != want {
				t.Errorf("%s is %q: got %q chosen, want %q", setting.Name, stored, chosen, want)
			}
		}
	}
}
