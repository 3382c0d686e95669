package importer_test

import (
	"encoding/json"
	"strings"
	"testing"

	"gamedata/internal/importer"
	"gamedata/mongo/mongotest"
)

// A recording whose numbers are not in their range is rejected, with the field and the limit.
func TestNumbersBeyondTheRange(t *testing.T) {
	const player = `{"uuid": "00000000-0000-4000-8000-000000000001", "username": "Salted", "restrictions": [], %}`
	contributor := strings.Replace(member(mongotest.UUID(1), "A", 4, 4, false), `"contributed":7`, `"contributed":%`, 1)
	for _, c := range []struct{ field, body, number, want string }{
		{"player", player, `"totals": {"mobsKilled": 9223372036854775807}`, "totals.mobsKilled is 9223372036854775807"},
		{"player", player, `"totals": {"mobsKilled": -2}`, "totals.mobsKilled is negative"},
		{"player", player, `"playtime": 1.7e308`, "playtime is 1.7e+308"},
		{"player", player, `"characters": {"nodes": [{"playtime": -0.5}]}`, "characters.nodes.playtime is negative"},
		{"player", player, `"characters": {"nodes": [{"level": 3000000000}]}`, "characters.nodes.level is 3000000000"},
		{"player", player, `"characters": {"nodes": [{"blocksWalked": -3, "uuid": "` + mongotest.UUID(101) + `"}]}`, ""},
		{"guild", guildBody(1, contributor), `9007199254740992`, "chief.nodes.contributed is 9007199254740992"},
		{"aspects", `{"nodes": [{"tiers": [{"threshold": %}]}]}`, "3000000000", "nodes.tiers.threshold is 3000000000"},
	} {
		t.Run(c.want, func(t *testing.T) {
			_, err := importer.Read(c.field, json.RawMessage(strings.Replace(c.body, "%", c.number, 1)), nil)
			if err == nil && c.want != "" || err != nil && (c.want == "" || !strings.HasPrefix(err.Error(), c.want)) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}
