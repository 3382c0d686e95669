package api

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/app/apptest"
)

func graphqlBody(text string) string {
	body, err := json.Marshal(map[string]string{"query": text})
	if err != nil {
		panic(err) // a map of strings always marshals
	}
	return string(body)
}

// REST and GraphQL share cached records, by every lookup key; only missing records are read from the store. An uncached
// player takes at most 4 commands: the player, the characters and the standing, and the
// pages of boards that it names (none in this world, which has no leaderboards).
func TestAPIsShareCachedRecords(t *testing.T) {
	svc := apptest.NewService(t)
	const company = "Mossbound%20Company"
	page := func(name string) string {
		return graphqlBody(`{player(by:{reference:"` + name +
			`"}){username uuid totals{wars} characters{nodes{classKey level}} guildMembership{guildName}}}`)
	}
	guild := graphqlBody(`{guild(by:{name:"mossbound company"}){level members{nodes{username contributed player{rank{key}}}}}}`)
	linked := graphqlBody(`{guild(by:{name:"MOSSBOUND COMPANY"}){level members{nodes{username player{
		bestCharacter:characters(first:1,orderBy:{field:TOTAL_LEVEL,direction:DESC}){nodes{level}}}}}}}`)
	for _, step := range []struct {
		name, method, path, body string
		commands                 int64
	}{
		// The directories of boards, and then the raids.
		{"what the process reads once", "GET", "/v3/player/Brindle?fullResult", "", 4},
		{"a player by REST", "GET", "/v3/player/Salted?fullResult", "", 4},
		{"the player by GraphQL", "POST", "/graphql", page("Salted"), 0},
		{"the player by uuid", "POST", "/graphql", page(apptest.CastUUID("Salted")), 0},
		{"the player's characters by REST", "GET", "/v3/player/SALTED/characters", "", 0},
		{"another player by GraphQL", "POST", "/graphql", page("Okapi"), 2},
		// The query did not select the ranking: the standing.
		{"the other player by REST", "GET", "/v3/player/okapi?fullResult", "", 1},
		{
			"both players and a third", "POST", "/graphql",
			graphqlBody(`{players(filter:{uuids:["` + apptest.CastUUID("Salted") + `","` + apptest.CastUUID("Okapi") + `","` +
				apptest.CastUUID("Veiled") + `"]}){nodes{rank{key}}}}`), 1,
		},
		{"a guild by REST", "GET", "/v3/guild/" + company, "", 6}, // and the territories with the colours of guilds
		{"the guild by GraphQL", "POST", "/graphql", guild, 0},
		{"with the characters of members", "POST", "/graphql", linked, 1},
		{"an unknown player", "GET", "/v3/player/unknown", "", 1},
		{"an unknown player by GraphQL", "POST", "/graphql", page("unknown"), 0},
	} {
		before := svc.CommandCount()
		res := svc.Request(step.method, step.path, step.body)
		if n := svc.CommandCount() - before; n != step.commands || res.Status != 200 &&
			!strings.Contains(step.name, "unknown") {
			t.Errorf("%s: got %d with %d commands, want %d: %.200s", step.name, res.Status, n, step.commands, res.Body)
		}
		if status := res.Header.Get("Cache-Status"); strings.Contains(status, "hit") {
			t.Errorf("%s: got Cache-Status %s, want a miss", step.name, status)
		}
	}
}

// A response is cached for its max age. One made of cached records is as old as the oldest of them.
func TestResponseAgeFollowsRecords(t *testing.T) {
	svc := apptest.NewService(t)
	uuid := apptest.CastUUID("Salted")
	svc.Request("GET", "/v3/player/Salted", "").Expect(t, "the record", 200, "Age", "")
	svc.Advance(50 * time.Second)
	svc.Request("HEAD", "/v3/player/Salted?nonsense=1&full=x", "").Expect(t, "cached", 200,
		"Cache-Status", "gamedata; hit; ttl=70", "Age", "50", "Date", "Fri, 20 Mar 2026 00:00:50 GMT")
	svc.Request("GET", "/v3/player/Salted?fullResult", "").Expect(t, "another request", 200, "Cache-Status", apptest.Miss)
	svc.Request("POST", "/graphql", graphqlBody(`{player(by:{username:"Salted"}){rank{key}}}`)).Expect(t,
		"from the record", 200, "Age", "50", "Expires", "Fri, 20 Mar 2026 00:02:00 GMT")
	svc.Advance(69 * time.Second)
	svc.Request("GET", "/v3/player/"+uuid, "").Expect(t, "from the same record", 200, "Age", "119", "Expires",
		"Fri, 20 Mar 2026 00:02:00 GMT")
	svc.Advance(time.Second)
	svc.Request("GET", "/v3/player/"+uuid, "").Expect(t, "from a new record", 200, "Age", "",
		"Expires", "Fri, 20 Mar 2026 00:04:00 GMT")
	// A response with a short max age uses no older record, even one younger than two minutes.
	svc.Advance(time.Minute)
	svc.Request("POST", "/graphql", graphqlBody(`{onlinePlayers(first:1000){nodes{player{rank{key}}}}}`)).
		Expect(t, "short max age", 200, "Age", "")
}

// While the store is down, stale responses that show what an access rule hides by now are not served; others are.
func TestStaleResponsesRespectPrivacy(t *testing.T) {
	t.Parallel()
	svc := apptest.NewService(t)
	pages := map[string]string{
		"REST":    "/v3/player/Salted",
		"guild":   "/v3/guild/Mossbound%20Company",
		"GraphQL": "/graphql?query={player(by:{username:%22Salted%22}){totals{wars}}}",
		"online":  "/v3/player",
		"another": "/v3/player/Okapi",
	}
	for name, path := range pages {
		svc.Request("GET", path, "").Expect(t, name, 200)
	}
	private := map[model.AccessRule]model.Access{model.MainAccess: model.Private}
	if err := svc.Store.Players.SetAccessRules(t.Context(), apptest.CastUUID("Salted"), private); err != nil {
		t.Fatal(err)
	}
	svc.StopStore()
	svc.Advance(4 * time.Minute)
	for name, path := range pages {
		res := svc.Request("GET", path, "")
		switch name {
		case "another":
			res.Expect(t, name, 200)
		case "GraphQL":
			if res.Has(`"wars":`) {
				t.Errorf("GraphQL: got %s, want hidden statistics", res.Body)
			}
		default:
			res.Expect(t, name, 503)
		}
	}
}
