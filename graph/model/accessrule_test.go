package model_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.mongodb.org/mongo-driver/v2/bson"

	"gamedata/graph/model"
)

// Everything that the table of access rules must say about each rule.
func TestAccessRuleTable(t *testing.T) {
	for rule := range model.NumAccessRules {
		info := rule.Info()
		t.Run(info.Name, func(t *testing.T) {
			if info.Name == "" || info.Key == "" || info.Hides == "" {
				t.Errorf("incomplete: %+v", info)
			}
			if info.Scoped != (info.Consent != "") || info.Scoped != (info.ScopeDescription != "") {
				t.Error("a rule has texts about its scope exactly when it has a scope")
			}
			var read model.AccessRule
			if err := read.UnmarshalGQL(rule.String()); err != nil || read != rule {
				t.Errorf("%s reads as %v, %v", rule, read, err)
			}
			if !slices.Contains(model.PlayerRules, rule) && !slices.Contains(model.MemberRules, rule) {
				t.Error("no record reports that the rule restricts the viewer")
			}
			for _, rules := range [][]model.AccessRule{model.PlayerRules, model.MemberRules} {
				for _, r := range model.AccessRuleSetOf(rule).Restrictions(rules) {
					if r.Restricted != (r.Key == rule) {
						t.Errorf("the restrictions by %s report %s: %v", rule, r.Key, r.Restricted)
					}
				}
			}
		})
	}
	if err := new(model.AccessRule).UnmarshalGQL("NO_SUCH_ACCESS"); err == nil {
		t.Error("an unknown rule is accepted")
	}
}

type storedRules struct {
	MainAccess           model.Access `bson:"mainAccess"`
	CharacterListAccess  model.Access `bson:"characterListAccess"`
	CharacterDataAccess  model.Access `bson:"characterDataAccess"`
	CharacterBuildAccess model.Access `bson:"characterBuildAccess"`
	OnlineStatus         model.Access `bson:"onlineStatus"`
	GuildHistoryAccess   model.Access `bson:"guildHistoryAccess"`
	WeeklyAccess         model.Access `bson:"weeklyAccess"`
}

func TestAccessRulesAreStoredAsDocument(t *testing.T) {
	rules := model.AccessRules{
		model.Public, model.Friend, model.GuildOnly, model.GuildAndFriends, model.Private, model.GuildOrFriends, "",
	}
	type player[R any] struct {
		Rules R `bson:"rules"`
	}
	got, err := bson.Marshal(player[model.AccessRules]{rules})
	if err != nil {
		t.Fatal(err)
	}
	want, err := bson.Marshal(player[storedRules]{storedRules{
		model.Public, model.Friend, model.GuildOnly, model.GuildAndFriends, model.Private, model.GuildOrFriends, "",
	}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(bson.Raw(want).String(), bson.Raw(got).String()); diff != "" {
		t.Errorf("stored form changed (-want +got):\n%s", diff)
	}
	var read player[model.AccessRules]
	if err := bson.Unmarshal(got, &read); err != nil || read.Rules != rules {
		t.Errorf("got %v, %v, want %v", read.Rules, err, rules)
	}
	for name, c := range map[string]struct {
		doc  bson.M
		want model.AccessRules
		bad  bool
	}{
		"missing":            {bson.M{}, model.AccessRules{}, false},
		"null":               {bson.M{"rules": nil}, model.AccessRules{}, false},
		"one, and unknown":   {bson.M{"rules": bson.M{"onlineStatus": "private", "x": 1}}, model.AccessRules{model.OnlineStatus: "private"}, false},
		"a rule is null":     {bson.M{"rules": bson.M{"mainAccess": nil}}, model.AccessRules{}, false},
		"a rule is number":   {bson.M{"rules": bson.M{"mainAccess": 1}}, model.AccessRules{}, true},
		"rules are a string": {bson.M{"rules": "private"}, model.AccessRules{}, true},
	} {
		t.Run(name, func(t *testing.T) {
			data, err := bson.Marshal(c.doc)
			if err != nil {
				t.Fatal(err)
			}
			var got player[model.AccessRules]
			if err := bson.Unmarshal(data, &got); (err != nil) != c.bad || got.Rules != c.want {
				t.Errorf("got %v, %v, want %v, error %v", got.Rules, err, c.want, c.bad)
			}
		})
	}
}

// The documentation for API users explains every scope.
func TestScopesAreDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/authentication.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, scope := range model.Scopes {
		if !strings.Contains(string(text), "`"+scope.Name+"`") {
			t.Errorf("docs/authentication.md does not explain the scope %s", scope.Name)
		}
		if scope.Consent == "" || scope.Description == "" {
			t.Errorf("%s: texts are missing: %+v", scope.Name, scope)
		}
	}
	if len(model.Scopes) != len(model.ScopesNamed(model.ScopeNames)) {
		t.Error("two scopes have one name")
	}
}
