package app_test

import (
	"encoding/json"
	"strings"
	"testing"

	"gamedata/internal/demo/seed"
)

// keyRule is what strict clients accept for a key (docs/spec/wire.md).
type keyRule struct{ null, absent bool }

var (
	always   = keyRule{}
	orNull   = keyRule{null: true}
	orAbsent = keyRule{absent: true}
)

func rules(rule keyRule, keys string) map[string]keyRule {
	out := map[string]keyRule{}
	for k := range strings.FieldsSeq(keys) {
		out[k] = rule
	}
	return out
}

func join(all ...map[string]keyRule) map[string]keyRule {
	out := map[string]keyRule{}
	for _, m := range all {
		for k, r := range m {
			out[k] = r
		}
	}
	return out
}

var (
	playerKeys = join(
		rules(always, "username online uuid rank ranking previousRanking wallpaper avatar restrictions"),
		rules(
			orNull,
			"server activeCharacter nickname rankBadge legacyRankColour shortenedRank supportRank veteran lastJoin guild",
		),
		rules(orAbsent, "firstJoin playtime globalData featuredStats guildHistory characters"),
	)
	globalKeys = join(
		rules(
			always,
			`contentCompletion wars totalLevel mobsKilled chestsFound dungeons raids worldEvents lootruns caves
			completedQuests pvp pvp.kills pvp.deaths`,
		),
		rules(orNull, "guildRaids raidStats"),
	)
	characterKeys = join(
		rules(
			always,
			`type level xp xpPercent totalLevel gamemode contentCompletion wars playtime mobsKilled chestsFound
			itemsIdentified blocksWalked logins deaths discoveries worldEvents lootruns caves pvp pvp.kills pvp.deaths
			professions quests restrictions removedStat`,
		),
		rules(orNull, "reskin nickname preEconomy skillPoints dungeons raids"),
	)
	guildKeys       = rules(always, "uuid name prefix rank rankStars")
	restrictionKeys = rules(
		always,
		"mainAccess characterListAccess characterDataAccess characterBuildAccess onlineStatus guildHistoryAccess",
	)
	professions = `fishing woodcutting mining farming scribing jeweling alchemism cooking
		weaponsmithing tailoring woodworking armouring`
)

// expectKeys checks an object against the rules of its keys. Unknown keys are errors.
func expectKeys(t *testing.T, where string, object map[string]any, want map[string]keyRule) {
	t.Helper()
	for key, rule := range want {
		name, in, nested := strings.Cut(key, ".")
		holder, path := object, name
		if nested {
			holder, _ = object[name].(map[string]any)
			path = in
		}
		value, there := holder[path]
		if !there && !rule.absent || there && value == nil && !rule.null {
			t.Errorf("%s: key %s: present %v, value %v", where, key, there, value)
		}
	}
	for key := range object {
		if _, ok := want[key]; !ok {
			t.Errorf("%s: the key %s is not documented", where, key)
		}
	}
}

// Every player of the demo world has exactly the documented keys.
func TestPlayerBodies(t *testing.T) {
	p := sharedService(t)
	for _, m := range seed.Cast {
		var body map[string]any
		if err := json.Unmarshal(requestOK(t, p.base, "GET", "/v3/player/"+m.UUID+"?fullResult", ""), &body); err != nil {
			t.Fatal(err)
		}
		expectKeys(t, m.Username, body, playerKeys)
		expectKeys(t, m.Username+".restrictions", body["restrictions"].(map[string]any), restrictionKeys)
		hidden := body["restrictions"].(map[string]any)["mainAccess"] == true
		for _, key := range []string{"firstJoin", "playtime", "globalData", "featuredStats"} {
			if _, there := body[key]; there == hidden {
				t.Errorf("%s: mainAccess %v, %s present %v", m.Username, hidden, key, there)
			}
		}
		if global, ok := body["globalData"].(map[string]any); ok {
			expectKeys(t, m.Username+".globalData", global, globalKeys)
		}
		if guild, ok := body["guild"].(map[string]any); ok {
			expectKeys(t, m.Username+".guild", guild, guildKeys)
		}
		for uuid, c := range body["characters"].(map[string]any) {
			character := c.(map[string]any)
			expectKeys(t, m.Username+" "+uuid, character, characterKeys)
			expectKeys(t, m.Username+" "+uuid+".professions", character["professions"].(map[string]any),
				rules(always, professions))
			expectKeys(t, m.Username+" "+uuid+".restrictions", character["restrictions"].(map[string]any), restrictionKeys)
		}
	}
}
