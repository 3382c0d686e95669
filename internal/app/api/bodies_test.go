package api

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/app/apptest"
	"gamedata/internal/conformance"
	"gamedata/internal/demo/seed"
	"gamedata/rest"
)

// Every body of the demo world is one that the OpenAPI document describes, of every player of the cast and every guild,
// of all content and every leaderboard.
func TestBodiesAreDescribed(t *testing.T) {
	t.Parallel()
	p := apptest.Shared(t)
	targets := []string{
		"/player", "/player?identifier=uuid", "/guild/list/guild", "/guild/list/guild?identifier=uuid",
		"/guild/list/territory", "/item/database?fullResult", "/item/recipe/database?full_result", "/map/world-events",
		"/map/camps?level=75", "/map/raids?level=75", "/map/loot-pools?level=75",
	}
	for _, m := range seed.Cast {
		targets = append(targets, "/player/"+m.UUID, "/player/"+m.UUID+"?fullResult")
	}
	for _, uuid := range guilds(t, p) {
		targets = append(targets, "/guild/uuid/"+uuid, "/guild/uuid/"+uuid+"?identifier=uuid")
	}
	for _, class := range model.ClassIDs {
		for _, of := range []string{"ability/tree", "ability/map", "aspects", "classes"} {
			targets = append(targets, "/"+of+"/"+strings.ToLower(class))
		}
	}
	boards := apptest.RequestOK(t, p.Base, "GET", "/v3/leaderboards/types", "")
	for _, board := range apptest.Decode[[]string](t, boards) {
		targets = append(targets, "/leaderboards/"+board)
	}
	cases := make([]rest.Case, len(targets))
	for i, target := range targets {
		cases[i] = rest.Case{
			Name: target, Method: "GET", Target: rest.Prefix + target, Want: rest.Response{Status: 200},
		}
	}
	client, err := conformance.NewClient(p.Base, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	o := conformance.Options{Client: client, Document: apptest.RequestOK(t, p.Base, "GET", rest.DocumentPath, "")}
	err = conformance.Run(t.Context(), o, cases, func(r conformance.Result) {
		if r.Other || len(r.Differences) > 0 {
			t.Errorf("%s: another status: %v, %v", r.Case.Name, r.Other, r.Differences)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}

// guilds are the uuids of all guilds.
func guilds(t *testing.T, p *apptest.Program) []string {
	t.Helper()
	body := apptest.RequestOK(t, p.Base, "GET", "/v3/guild/list/guild?identifier=uuid", "")
	return slices.Collect(maps.Keys(apptest.Decode[map[string]any](t, body)))
}

// Every guild shows each member as the player's own endpoint does, and keyed by name as keyed by uuid.
func TestMembersAreTheirPlayers(t *testing.T) {
	t.Parallel()
	p := apptest.Shared(t)
	type object = map[string]any
	get := func(path string) object {
		return apptest.Decode[object](t, apptest.RequestOK(t, p.Base, "GET", path, ""))
	}
	for _, name := range guilds(t, p) {
		path := "/v3/guild/uuid/" + name
		guild, byUUID := get(path), get(path + "?identifier=uuid")["members"].(object)
		var ranks []int
		for rank, members := range guild["members"].(object) {
			if rank == "total" {
				continue
			}
			for key, m := range members.(object) {
				m := m.(object)
				uuid := m["uuid"].(string)
				same, ok := byUUID[rank].(object)[uuid].(object)
				if !ok || uuid != key && same["username"] != key || same["contributionRank"] != m["contributionRank"] {
					t.Errorf("%s: %s by uuid is %v", name, key, same)
				}
				ranks = append(ranks, int(m["contributionRank"].(float64)))
				player := get("/v3/player/" + uuid)
				for _, shared := range []string{"online", "server", "lastJoin", "playtime"} {
					if player[shared] != m[shared] {
						t.Errorf("%s: %s of %s is %v, on the player's page %v", name, shared, key, m[shared], player[shared])
					}
				}
				counters, _ := player["globalData"].(object)
				for counter, value := range counters {
					if number, ok := value.(float64); ok && m["globalData"].(object)[counter] != number {
						t.Errorf("%s: %s of %s is not %v", name, counter, key, value)
					}
				}
			}
		}
		slices.Sort(ranks)
		for i, rank := range ranks {
			if rank != i+1 {
				t.Errorf("%s: got the contribution ranks %v", name, ranks)
				break
			}
		}
		if guild["members"].(object)["total"] != float64(len(ranks)) {
			t.Errorf("%s: got %v members, want %d", name, guild["members"].(object)["total"], len(ranks))
		}
	}
}
