package api

import (
	"strings"
	"testing"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/app/apptest"
	"gamedata/mongo/mongotest"
)

// That a record is missing is cached for ten seconds, however it was looked up and wherever: REST, pages, one field or
// one name of a list.
func TestMissingIsCachedBriefly(t *testing.T) {
	svc := apptest.NewService(t)
	uuid := mongotest.UUID(1)
	lookups := map[string]func() bool{"REST": func() bool {
		return svc.Request("GET", "/v3/player/Novice", "").Status == 200
	}, "a page": func() bool {
		return svc.Request("GET", "/players/Novice", "").Status == 200
	}}
	for _, query := range []string{
		`{player(by:{username:\"Novice\"}){uuid}}`,
		`{player(by:{uuid:\"` + uuid + `\"}){uuid}}`,
		`{players(filter:{usernames:[\"Salted\",\"Novice\"]}){nodes{uuid}}}`,
		`{players(filter:{uuids:[\"` + apptest.CastUUID("Salted") + `\",\"` + uuid + `\"]}){nodes{uuid}}}`,
		`{guild(by:{name:\"Novices\"}){uuid}}`,
		`{guild(by:{prefix:\"NOVI\"}){uuid}}`,
		`{guilds(filter:{names:[\"Mossbound Company\",\"Novices\"]}){nodes{uuid}}}`,
		`{nodes(ids:[\"` + model.GlobalID("Player", uuid) + `\",\"` +
			model.GlobalID("Player", apptest.CastUUID("Salted")) + `\"]){...on Player{uuid}}}`,
	} {
		lookups[query] = func() bool {
			res := svc.Request("POST", "/graphql", `{"query":"`+query+`"}`, "Content-Type", "application/json")
			found := res.Has(uuid)
			if age := res.Header.Get("Cache-Control"); !found && !strings.HasPrefix(age, "max-age=1") {
				t.Errorf("%s: got Cache-Control %q, want 10 s", query, age)
			}
			return found
		}
	}
	svc.Request("GET", "/v3/player/Salted", "") // a list with a record older than ten seconds
	svc.Advance(5 * time.Second)
	for name, found := range lookups {
		for range 2 { // the second response is cached
			if found() {
				t.Errorf("%s: found before it exists", name)
			}
		}
	}
	add(t, svc, uuid)
	svc.Advance(10*time.Second + time.Millisecond)
	for name, found := range lookups {
		if !found() {
			t.Errorf("%s: not found", name)
		}
	}
}

func add(t *testing.T, svc *apptest.Service, uuid string) {
	t.Helper()
	err := svc.Store.Players.Put(t.Context(), []*model.Player{{UUID: uuid, Username: "Novice", Rank: "Player"}})
	if err == nil {
		err = svc.Store.Guilds.Put(t.Context(), []*model.Guild{{UUID: uuid, Name: "Novices", Prefix: "NOVI"}})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// A name leads to who has it at once, also after a swap and where several have it.
func TestNamesMove(t *testing.T) {
	svc := apptest.NewService(t)
	first, second := mongotest.UUID(1), mongotest.UUID(2)
	players := func(a, b string) {
		t.Helper()
		if err := svc.Store.Players.Put(t.Context(), []*model.Player{
			{UUID: first, Username: a, Rank: "Player"}, {UUID: second, Username: b, Rank: "Player"},
		}); err != nil {
			t.Fatal(err)
		}
	}
	guilds := func(names ...string) {
		t.Helper()
		for i, uuid := range []string{first, second} {
			g := &model.Guild{UUID: uuid, Name: names[2*i], Prefix: names[2*i+1]}
			if err := svc.Store.Guilds.Put(t.Context(), []*model.Guild{g}); err != nil {
				t.Fatal(err)
			}
		}
	}
	expect := func(path string, status int, uuid string) {
		t.Helper()
		for range 2 {
			if res := svc.Request("GET", path, ""); res.Status != status || !res.Has(uuid) {
				t.Errorf("%s: got %d %.200s, want %d %s", path, res.Status, res.Body, status, uuid)
			}
		}
	}
	graph := func(by, name string) string { return `/graphql?query={` + by + `(by:{` + name + `}){uuid}}` }
	players("One", "Two")
	expect("/v3/player/one", 200, first)
	expect(graph("player", `username:"two"`), 200, second)
	players("Two", "One")
	expect("/v3/player/one", 200, second)
	expect(graph("player", `username:"two"`), 200, first)
	players("Two", "Two")
	expect("/v3/player/two", 300, second)
	expect("/v3/player/one", 404, "")

	guilds("First", "ABC", "Second", "XYZ")
	expect("/v3/guild/First", 200, first)
	expect("/v3/guild/prefix/abc", 200, first)
	guilds("Third", "ABC", "First", "abc")
	expect("/v3/guild/First", 200, second)
	expect("/v3/guild/prefix/abc", 200, second)
	expect(graph("guild", `name:"third"`), 200, first)
	guilds("Third", "abc", "First", "ABC")
	expect("/v3/guild/prefix/abc", 200, first)
}
