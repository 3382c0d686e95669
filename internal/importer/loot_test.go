package importer_test

import (
	"fmt"
	"strings"
	"testing"

	"gamedata/graph/model"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// Recordings at several levels add their previews.
func TestImportLoot(t *testing.T) {
	store, _ := mongotest.Open(t)
	camp := func(name, reward string) string {
		return `{"name":"` + name + `","internalName":"` + name +
			`","type":"CAMP","lore":"L","level":7,"rewards":[{"name":"` + reward +
			`","type":{"label":"ITEM"},"amount":1,"always":true}]}`
	}
	raid := `{"name":"r","internalName":"r","type":"RAID","lore":null,"rewards":[]}`
	for n, step := range []struct {
		field, data, level string
		want               string
	}{
		{"lootPools", camp("a", "none"), "", "a L 0:none"},
		{"lootPools", raid, "", "r - 0: a L 0:none"},
		{"lootPools", camp("a", "sixty"), "60", "a L 0:none 60:sixty r - 0:"},
		{"lootPools", camp("a", "sixty"), "75", "a L 0:none 60:sixty r - 0:"},
		{"lootPools", camp("a", "none"), "5", "a L 0:none 60:sixty r - 0:"},
		{"lootPools", camp("a", "best"), "high", "a L 0:none 60:best r - 0:"},
		{"lootPools", camp("a", "low"), "-3", "a L 0:low 60:best r - 0:"},
		{"lootPools", camp("b", "new") + "," + camp("a", "mid"), "40", "b L 40:new a L 0:low 40:mid 60:best r - 0:"},
		{
			"lootPools", strings.Replace(camp("a", "top"), `"lore":"L","level":7,`, "", 1), "90",
			"a L 0:low 40:mid 60:best 90:top",
		},
	} {
		readAndApply(t, store, step.field, `{"nodes":[`+step.data+`]}`, map[string]any{"level": step.level})
		all := mongotest.Value(mongo.LootPools.Read(t.Context(), store))(t)
		if got := poolsText(all); got != step.want {
			t.Errorf("step %d: %s, want %s", n, got, step.want)
		}
	}
}

func poolsText(all []*model.LootPool) string {
	var out []string
	for _, c := range all {
		text := c.InternalName + " -"
		if c.Lore != nil {
			text = c.InternalName + " " + *c.Lore
		}
		for _, p := range c.Previews {
			var rewards []string
			for _, r := range p.Rewards {
				rewards = append(rewards, r.Name)
			}
			text += fmt.Sprintf(" %d:", p.Threshold) + strings.Join(rewards, ",")
		}
		out = append(out, text)
	}
	return strings.Join(out, " ")
}
