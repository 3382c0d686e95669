package app_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"
)

var (
	guildRecordKeys = join(
		rules(
			always,
			"uuid name prefix level xpPercent territories raids totalGuildRaids created members online seasonRanks ranking",
		),
		rules(orNull, "wars banner"),
	)
	memberKeys = join(
		rules(
			always,
			`online contributed contributionRank joined weekly globalData restrictions
			restrictions.online_status restrictions.main_access restrictions.weekly_access`,
		),
		rules(orNull, "server lastJoin"),
		rules(orAbsent, "uuid username legacyName wars playtime"),
	)
	memberDataKeys = join(globalKeys, rules(always, "guildRaids playtime"))
	guildRanks     = strings.Fields("owner chief strategist captain recruiter recruit")
)

// Every guild of a larger world has the documented keys, with members keyed by name and by uuid, and shows each member
// as the player's own endpoint does.
func TestGuildBodies(t *testing.T) {
	t.Parallel()
	p := startService(t, append(demoFlags[:len(demoFlags):len(demoFlags)], "--players", "700", "--data-dir", t.TempDir(),
		"--guest-rate", "1000000")...)
	byName := decodeBody[map[string]map[string]string](t, requestOK(t, p.base, "GET", "/v3/guild/list/guild", ""))
	byUUID := decodeBody[map[string]map[string]string](t,
		requestOK(t, p.base, "GET", "/v3/guild/list/guild?identifier=uuid", ""))
	if len(byName) != 12 || len(byUUID) != 12 {
		t.Fatalf("%d guilds by name, %d by uuid", len(byName), len(byUUID))
	}
	for name, entry := range byName {
		uuid := entry["uuid"]
		if len(entry) != 2 || len(byUUID[uuid]) != 2 || byUUID[uuid]["name"] != name ||
			byUUID[uuid]["prefix"] != entry["prefix"] {
			t.Errorf("%s is %v by name, %v by uuid", name, entry, byUUID[uuid])
		}
		guild := decodeBody[map[string]any](t, requestOK(t, p.base, "GET", "/v3/guild/uuid/"+uuid, ""))
		expectKeys(t, name, guild, guildRecordKeys)
		if guild["name"] != name || guild["raids"] != guild["totalGuildRaids"] {
			t.Errorf("%s is %v with %v or %v raids", name, guild["name"], guild["raids"], guild["totalGuildRaids"])
		}
		for board := range guild["ranking"].(map[string]any) {
			if slices.Contains([]string{"guildLevel", "guildTerritories", "guildWars"}, board) {
				t.Errorf("%s: got a rank on %s, want none", name, board)
			}
		}
		again := decodeBody[map[string]any](t, requestOK(t, p.base, "GET", "/v3/guild/uuid/"+uuid+"?identifier=uuid", ""))
		checkMembers(t, p.base, name, guild, again["members"].(map[string]any))
	}
}

// checkMembers compares the members of a guild, keyed by name, with the documented keys, with the members keyed by
// uuid, and with the players.
func checkMembers(t *testing.T, base, guild string, body, byUUID map[string]any) {
	t.Helper()
	members, total, online := body["members"].(map[string]any), 0, 0
	seen := map[float64]bool{}
	for _, rank := range guildRanks {
		same := byUUID[rank].(map[string]any)
		if len(same) != len(members[rank].(map[string]any)) {
			t.Errorf("%s has %d and %d as %s", guild, len(members[rank].(map[string]any)), len(same), rank)
		}
		for key, v := range members[rank].(map[string]any) {
			m, where := v.(map[string]any), guild+"."+key
			expectKeys(t, where, m, memberKeys)
			uuid, _ := m["uuid"].(string)
			named := uuid != key // else another member has the name
			if _, ok := m["username"]; ok == named || same[uuid] == nil {
				t.Errorf("%s: uuid %v, username %v", where, m["uuid"], m["username"])
				continue
			}
			other := same[uuid].(map[string]any)
			if _, ok := other["uuid"]; ok || named && other["username"] != key ||
				other["contributionRank"] != m["contributionRank"] {
				t.Errorf("%s: by uuid it is %v", where, other)
			}
			hidden := m["restrictions"].(map[string]any)
			hidesMain, hidesWeek := hidden["main_access"] == true, hidden["weekly_access"] == true
			if data := m["globalData"].(map[string]any); !hidesMain {
				expectKeys(t, where+".globalData", data, memberDataKeys)
			} else if len(data) != 0 || m["wars"] != nil || m["playtime"] != nil {
				t.Errorf("%s: got %v under main_access, want nothing", where, data)
			}
			if (len(m["weekly"].(map[string]any)) == 0) != hidesWeek {
				t.Errorf("%s: weekly is %v", where, m["weekly"])
			}
			if hidden["online_status"] == true && (m["online"] == true || m["server"] != nil || m["lastJoin"] != nil) {
				t.Errorf("%s: got presence under online_status, want none", where)
			}
			if m["online"] == true {
				online++
			}
			rank := m["contributionRank"].(float64)
			if total++; seen[rank] || rank < 1 {
				t.Errorf("%s: got the rank %v, want a unique one from 1", where, rank)
			}
			seen[rank] = true
			samePlayer(t, base, where, uuid, m)
		}
	}
	if members["total"] != float64(total) || len(members) != 7 || !seen[float64(total)] ||
		body["online"] != float64(online) {
		t.Errorf("%s: %v members of %d, %v online of %d", guild, members["total"], total, body["online"], online)
	}
}

// samePlayer compares a member with the player's own endpoint.
func samePlayer(t *testing.T, base, where, uuid string, m map[string]any) {
	t.Helper()
	player := decodeBody[map[string]any](t, requestOK(t, base, "GET", "/v3/player/"+url.PathEscape(uuid), ""))
	for _, key := range []string{"online", "server", "lastJoin", "playtime"} {
		if player[key] != m[key] {
			t.Errorf("%s: %s is %v, on the player's page %v", where, key, m[key], player[key])
		}
	}
	hidden, own := m["restrictions"].(map[string]any), player["restrictions"].(map[string]any)
	if hidden["online_status"] != own["onlineStatus"] || hidden["main_access"] != own["mainAccess"] {
		t.Errorf("%s: got restrictions %v, want those of the player, %v", where, hidden, own)
	}
	data, all := m["globalData"].(map[string]any), player["globalData"]
	if all == nil {
		return
	}
	for key, value := range all.(map[string]any) {
		if number, ok := value.(float64); ok && data[key] != number {
			t.Errorf("%s: %s is %v, on the player's page %v", where, key, data[key], value)
		}
	}
	if m["wars"] != data["wars"] || m["playtime"] != data["playtime"] {
		t.Errorf("%s: %v wars, %v hours, in globalData %v and %v", where, m["wars"], m["playtime"], data["wars"],
			data["playtime"])
	}
}
