package resolvers_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"gamedata/graph/generated"
	"gamedata/graph/model"
	"gamedata/mongo/mongotest"
	"gamedata/resolvers"
)

// A rule that is added to model.AccessRule has to be handled by the schema too.
func TestSchemaHandlesEveryAccessRule(t *testing.T) {
	schema := generated.NewExecutableSchema(generated.Config{Resolvers: resolvers.New(resolvers.Settings{})}).Schema()
	var guarding []string
	for _, def := range schema.Types {
		for _, f := range def.Fields {
			if d := f.Directives.ForName("guarded"); d != nil {
				for _, value := range d.Arguments.ForName("by").Value.Children {
					guarding = append(guarding, value.Value.Raw)
				}
			}
		}
	}
	if got := len(schema.Types["AccessRule"].EnumValues); got != int(model.NumAccessRules) {
		t.Errorf("the enum AccessRule has %d values, want %d", got, model.NumAccessRules)
	}
	rest := mongotest.Value(os.ReadFile("../rest/operations/OAuthMe.graphql"))(t)
	for rule := range model.NumAccessRules {
		info := rule.Info()
		if schema.Types["AccessRule"].EnumValues.ForName(rule.String()) == nil {
			t.Errorf("the enum AccessRule lacks %s", rule)
		}
		if !slices.Contains(guarding, rule.String()) {
			t.Errorf("no field is @guarded by %s", rule)
		}
		if !strings.Contains(string(rest), `"`+info.Name+`"`) {
			t.Errorf("OAuthMe.graphql does not report %s", info.Name)
		}
		if !slices.Contains(ruleNames, info.Name) {
			t.Errorf("TestSameVisibilityByEveryPath does not cover %s", info.Name)
		}
	}
}
