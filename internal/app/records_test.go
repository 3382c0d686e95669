package app_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"gamedata/graph/model"
)

// query is the body of a GraphQL request.
func query(text string) string {
	body, err := json.Marshal(map[string]string{"query": text})
	if err != nil {
		panic(err) // a map of strings always marshals
	}
	return string(body)
}

// What one door fetched the other one finds, whatever it is asked by; only what is missing is
// asked of the store.
func TestRecordsAreShared(t *testing.T) {
	k := newTestService(t)
	const company = "Mossbound%20Company"
	page := func(name string) string {
		return query(`{player(username:"` + name + `"){username uuid globalData{wars} characters{type level} guild{name}}}`)
	}
	guild := query(`{guild(name:"mossbound company"){level members{all{username contributed player{rank}}}}}`)
	linked := query(`{guild(name:"MOSSBOUND COMPANY"){level members{all{username player{bestCharacter{level}}}}}}`)
	for _, step := range []struct {
		name, method, path, body string
		commands                 int64
	}{
		{"a player by REST", "GET", "/v3/player/Salted?fullResult", "", 2},
		{"his page by GraphQL", "POST", "/graphql", page("Salted"), 0},
		{"his page by uuid", "POST", "/graphql", page(cast(t, "Salted")), 0},
		{"his characters by REST", "GET", "/v3/player/SALTED/characters", "", 0},
		{"another by GraphQL", "POST", "/graphql", page("Okapi"), 2},
		{"him by REST", "GET", "/v3/player/okapi?fullResult", "", 0},
		{"both", "POST", "/graphql", query(`{players(uuids:["` + cast(t, "Salted") + `","` + cast(t, "Okapi") + `","` +
			cast(t, "Veiled") + `"]){rank}}`), 1},
		{"a guild by REST", "GET", "/v3/guild/" + company, "", 4}, // and both halves of the territories,
		{"its page by GraphQL", "POST", "/graphql", guild, 0},
		{"with the characters of members", "POST", "/graphql", linked, 1},
		{"nobody", "GET", "/v3/player/nobody", "", 1},
		{"nobody by GraphQL", "POST", "/graphql", page("nobody"), 0},
	} {
		before := k.commands()
		a := k.ask(step.method, step.path, step.body)
		if n := k.commands() - before; n != step.commands || a.status != 200 && !strings.Contains(step.name, "nobody") {
			t.Errorf("%s: %d with %d commands, want %d: %.200s", step.name, a.status, n, step.commands, a.body)
		}
		if status := a.header.Get("Cache-Status"); strings.Contains(status, "hit") {
			t.Errorf("%s is no question of its own: %s", step.name, status)
		}
	}
}

// An answer made of records that are cached is as old as the oldest of them, so it is never older
// than its max age.
func TestRecordsAge(t *testing.T) {
	k := newTestService(t)
	uuid := cast(t, "Salted")
	k.ask("GET", "/v3/player/Salted", "").is(t, "the record", 200, "Age", "")
	k.wait(50 * time.Second)
	k.ask("POST", "/graphql", query(`{player(username:"Salted"){rank}}`)).is(t, "of it", 200, "Age", "50", "Expires",
		"Fri, 20 Mar 2026 00:02:00 GMT")
	k.wait(69 * time.Second)
	k.ask("GET", "/v3/player/"+uuid, "").is(t, "of it still", 200, "Age", "119", "Expires",
		"Fri, 20 Mar 2026 00:02:00 GMT")
	k.wait(time.Second)
	k.ask("GET", "/v3/player/"+uuid, "").is(t, "anew", 200, "Age", "", "Expires", "Fri, 20 Mar 2026 00:04:00 GMT")
	// A short max age takes no older record: what is younger than two minutes is too old here.
	k.wait(30 * time.Second)
	before := k.commands()
	k.ask("POST", "/graphql", query(`{onlinePlayers{players{player{rank}}}}`)).is(t, "short", 200, "Age", "")
	if n := k.commands() - before; n != 2 {
		t.Errorf("players of the online list took %d commands", n)
	}
	// That nobody has a name is known for ten seconds.
	k.ask("GET", "/v3/player/Newcomer", "").is(t, "nobody", 404)
	found, err := k.store.PlayersByUUID(t.Context(), []string{uuid})
	if err != nil {
		t.Fatal(err)
	}
	newcomer := *found[0]
	newcomer.UUID, newcomer.Username = "11111111-2222-4333-8444-555555555555", "Newcomer"
	if err := k.beside().PutPlayers(t.Context(), []*model.Player{&newcomer}); err != nil {
		t.Fatal(err)
	}
	k.wait(10 * time.Second)
	k.ask("POST", "/graphql", query(`{player(username:"newcomer"){uuid}}`)).is(t, "known", 200, "Age", "")
}

// change writes a player's record as another process does.
func (k *testService) change(uuid string, change func(*model.Player)) {
	k.t.Helper()
	store := k.beside()
	found, err := store.PlayersByUUID(k.t.Context(), []string{uuid})
	if err != nil {
		k.t.Fatal(err)
	}
	change(found[0])
	if err := store.PutPlayers(k.t.Context(), found); err != nil {
		k.t.Fatal(err)
	}
}

// hidesWars reports whether an answer hides the wars of its player.
func hidesWars(a answer) bool { return !strings.Contains(string(a.body), `"wars":`) }

// Whoever changes a rule of his own sees that at once; from then on everybody does.
func TestOwnerSeesChangesAtOnce(t *testing.T) {
	k := newTestService(t)
	private, _ := k.owner("Salted")
	uuid := cast(t, "Salted")
	wars := func(n int, headers ...string) answer {
		return k.ask("POST", "/graphql", query(fmt.Sprintf(`{player(username:"Salted"){globalData{wars} as%d:rank}}`, n)),
			headers...)
	}
	if hidesWars(wars(1)) {
		t.Fatal("nothing is shown to begin with")
	}
	k.change(uuid, func(p *model.Player) { p.Rules[model.MainAccess] = model.Private; p.Rank = "Champion" })
	if hidesWars(wars(1)) || hidesWars(wars(2)) {
		t.Error("nothing is cached")
	}
	if a := wars(3, "Authorization", private); hidesWars(a) || !strings.Contains(string(a.body), "Champion") {
		t.Errorf("the owner sees %s", a.body)
	}
	for n := range 4 {
		if a := wars(n); !hidesWars(a) {
			t.Errorf("since the owner looked a guest still sees %s", a.body)
		}
	}
}

// While the store fails nothing is served that shows what a rule hides by now, as far as it is
// known; the rest is.
func TestStaleNeverUndoesPrivacy(t *testing.T) {
	t.Parallel()
	k := newTestService(t)
	uuid := cast(t, "Salted")
	pages := map[string]string{
		"REST":    "/v3/player/Salted",
		"guild":   "/v3/guild/Mossbound%20Company",
		"GraphQL": "/graphql?query={player(username:%22Salted%22){globalData{wars}}}",
		"online":  "/v3/player",
		"another": "/v3/player/Okapi",
	}
	for name, path := range pages {
		k.ask("GET", path, "").is(t, name, 200)
	}
	k.change(uuid, func(p *model.Player) { p.Rules[model.MainAccess] = model.Private })
	k.wait(2 * time.Minute)
	k.ask("GET", "/v3/player/"+uuid, "").is(t, "somebody looks", 200)
	k.stopStore()
	k.wait(2 * time.Minute)
	for name, path := range pages {
		status := 503
		if name == "another" {
			status = 200
		}
		a := k.ask("GET", path, "")
		if name == "GraphQL" {
			if status = 200; !hidesWars(a) {
				t.Errorf("GraphQL still shows %s", a.body)
			}
		}
		a.is(t, name, status)
	}
}
