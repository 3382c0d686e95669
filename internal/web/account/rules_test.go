package account

import (
	"strings"
	"testing"

	"gamedata/graph/model"
)

// Rules of characters are too open when they let someone see what the rule of the statistics hides from them.
func TestOpenCharacters(t *testing.T) {
	for _, c := range []struct{ main, list, data, want string }{
		{"public", "public", "public", ""},
		{"private", "public", "public", "character_list_access character_data_access"},
		{"friend", "private", "guildandfriends", "character_data_access"},
		{"guildandfriends", "friend", "guild", ""},
		{"guild", "friend", "private", "character_list_access"},
		{"private", "private", "private", ""},
	} {
		rules := model.UniformAccessRules(model.Public)
		rules[model.MainAccess] = model.Access(c.main)
		rules[model.CharacterListAccess], rules[model.CharacterDataAccess] = model.Access(c.list), model.Access(c.data)
		var got []string
		for _, s := range (player{Rules: ruleSettings(rules)}).OpenCharacters() {
			got = append(got, s.Name)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%+v: got %q", c, got)
		}
	}
}

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
