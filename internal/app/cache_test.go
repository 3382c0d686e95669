package app_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"gamedata/graph/model"
	"gamedata/rest"
)

// Whatever a golden asks is answered a second time by the same bytes without the store, if it
// may be cached; what may not be cached is not.
func TestHitsAreMisses(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../rest/testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no goldens found", err)
	}
	k := newTestService(t)
	hits := map[string]bool{}
	requests := map[string]string{"a whole tree": "GET /v3/ability/tree/archer"}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		requests[filepath.Base(file)] = string(section(archive, "request"))
	}
	for name, text := range requests {
		k.wait(25 * time.Hour) // nothing is fresh any more
		r, body := parseRequest(t, k.url, text)
		first := send(t, r, body)
		before := k.commands()
		r, body = parseRequest(t, k.url, text)
		second := send(t, r, body)
		asked := k.commands() - before
		if second.status != first.status || !bytes.Equal(second.body, first.body) {
			t.Errorf("%s: %d, then %d; %.200s, then %.200s", name, first.status, second.status, first.body, second.body)
		}
		for _, h := range []string{
			"Content-Type", "Content-Encoding", "Cache-Control", "ETag", "Expires",
			"Territorylasttick", "Allow", "Vary", "Access-Control-Allow-Origin",
		} {
			if first.header.Get(h) != second.header.Get(h) {
				t.Errorf("%s: %s is %q, then %q", name, h, first.header.Get(h), second.header.Get(h))
			}
		}
		wasHit := second.hits()
		if cached := first.status == 200 &&
			!strings.Contains(first.header.Get("Cache-Control"), "no-store"); cached != wasHit ||
			cached && (asked > 0 || second.header.Get("Age") != "0") {
			t.Errorf("%s: %d, %q, then %q of age %q, with %d commands", name, first.status, first.header.Get("Cache-Status"),
				second.header.Get("Cache-Status"), second.header.Get("Age"), asked)
		}
		if row, _, ok := rest.Match(r.Method, r.URL); ok && wasHit {
			hits[row.Operation] = true
		}
		tag := second.header.Get("ETag")
		if !wasHit || r.Method == "POST" {
			continue
		}
		r, body = parseRequest(t, k.url, text)
		r.Header.Set("If-None-Match", tag)
		send(t, r, body).is(t, name, 304, "ETag", tag, "Cache-Status", second.header.Get("Cache-Status"), "Territorylasttick",
			first.header.Get("Territorylasttick"))
	}
	for _, row := range rest.Rows {
		if never := row.Operation == "Whoami" || strings.HasPrefix(row.Path, "/oauth/"); hits[row.Operation] == never {
			t.Errorf("answers of %s are cached: %v", row.Path, never)
		}
	}
}

// Answers are cached for their max age.
func TestAnswersAge(t *testing.T) {
	k := newTestService(t)
	k.ask("GET", "/v3/player/Salted", "").is(t, "cold", 200, "Cache-Status", miss, "Age", "", "Cache-Control",
		"max-age=120, private",
		"Expires", "Fri, 20 Mar 2026 00:02:00 GMT")
	k.wait(119 * time.Second)
	k.ask("GET", "/v3/player/Salted?nonsense=1&full=x", "").is(t, "cached", 200, "Cache-Status", "gamedata; hit; ttl=1",
		"Age", "119",
		"Expires", "Fri, 20 Mar 2026 00:02:00 GMT", "Date", "Fri, 20 Mar 2026 00:01:59 GMT", "Cache-Control",
		"max-age=120, private")
	k.ask("GET", "/v3/player/Salted?fullResult", "").is(t, "another question", 200, "Cache-Status", miss)
	k.ask("HEAD", "/v3/player/Salted", "").is(t, "HEAD", 200, "Cache-Status", "gamedata; hit; ttl=1")
	k.wait(time.Second)
	k.ask("GET", "/v3/player/Salted", "").is(t, "expired", 200, "Cache-Status", miss, "Expires",
		"Fri, 20 Mar 2026 00:04:00 GMT")
	// The list of territories is as old as the copy it is made of, whoever read that.
	k.ask("POST", "/graphql", `{"query":"{territories{refreshedAt}}"}`).is(t, "the copy", 200)
	k.wait(9 * time.Second)
	k.ask("GET", "/v3/guild/list/territory", "").is(t, "of a copy", 200, "Cache-Status", miss, "Age", "9", "Expires",
		"Fri, 20 Mar 2026 00:02:10 GMT")
	k.wait(999 * time.Millisecond)
	k.ask("GET", "/v3/guild/list/territory", "").is(t, "cached, of a copy", 200, "Cache-Status", "gamedata; hit; ttl=1",
		"Age", "9")
	k.wait(2 * time.Millisecond)
	k.ask("GET", "/v3/guild/list/territory", "").is(t, "a new copy", 200, "Cache-Status", miss, "Age", "", "Expires",
		"Fri, 20 Mar 2026 00:02:20 GMT")
}

// A player whom nobody knew is found at most 10 seconds later, and a changed rule holds when
// the max age is over.
func TestAnswersFollowTheStore(t *testing.T) {
	k := newTestService(t)
	store := k.beside() // of another process: what this one writes is seen at once
	found, err := k.store.PlayersByUUID(t.Context(), []string{cast(t, "Salted")})
	if err != nil {
		t.Fatal(err)
	}
	salted := *found[0]
	newcomer := salted
	newcomer.UUID, newcomer.Username = "11111111-2222-4333-8444-555555555555", "Newcomer"
	k.ask("GET", "/v3/player/Newcomer", "").is(t, "unknown", 404, "Cache-Control", "max-age=0, private, no-store", "ETag",
		"")
	if err := store.PutPlayers(t.Context(), []*model.Player{&newcomer}); err != nil {
		t.Fatal(err)
	}
	before := k.commands()
	k.wait(10*time.Second - 1)
	k.ask("GET", "/v3/player/Newcomer", "").is(t, "unknown still", 404, "Cache-Control", "max-age=0, private, no-store",
		"Age", "", "Cache-Status", "")
	if n := k.commands() - before; n > 0 {
		t.Errorf("a 404 that is cached takes %d commands", n)
	}
	k.wait(1)
	k.ask("GET", "/v3/player/Newcomer", "").is(t, "known", 200)
	k.ask("GET", "/v3/player/Mirrored", "").is(t, "several", 300)
	k.ask("GET", "/v3/player/Mirrored", "").is(t, "several again", 300, "Cache-Status", "")

	open := k.ask("GET", "/v3/player/Salted", "")
	salted.Rules[model.MainAccess] = model.Private
	if err := store.PutPlayers(t.Context(), []*model.Player{&salted}); err != nil {
		t.Fatal(err)
	}
	k.wait(2*time.Minute - 1)
	if a := k.ask("GET", "/v3/player/Salted", ""); !bytes.Equal(a.body, open.body) {
		t.Error("the answer is not cached")
	}
	k.wait(1)
	for path, body := range map[string]string{
		"/v3/player/Salted": "",
		"/graphql":          `{"query":"{player(username:\"Salted\"){globalData{wars}}}"}`,
	} {
		method := map[bool]string{true: "GET", false: "POST"}[body == ""]
		if a := k.ask(method, path, body); strings.Contains(string(a.body), `"wars"`) && !strings.Contains(string(a.body),
			`"globalData":null`) || len(a.body) == 0 {
			t.Errorf("%s still shows %.300s", path, a.body)
		}
	}
}

// A thousand cold requests for one key read the store once.
func TestNoStampede(t *testing.T) {
	k := newTestService(t)
	cold := func(path string, n int) int64 {
		before := k.commands()
		var all sync.WaitGroup
		for range n {
			all.Go(func() { k.ask("GET", path, "").is(t, path, 200) })
		}
		all.Wait()
		return k.commands() - before
	}
	alone := int64(0)
	for i := range 3 { // a batch that is cut in two on a busy machine takes a command more
		k.wait(time.Hour)
		alone = max(alone, cold(fmt.Sprintf("/v3/player/Salted?fullResult&x=%d", i), 1))
	}
	k.wait(time.Hour)
	if n := cold("/v3/player/Salted?fullResult", 1000); n == 0 || n >= 2*alone {
		t.Errorf("1,000 requests take %d commands, one takes %d", n, alone)
	}
}

// While the store is away the answers that are cached keep coming, marked when they are stale,
// and everything else is told to wait; when it is back nothing is stale.
func TestStoreGoesAway(t *testing.T) {
	t.Parallel()
	k := newTestService(t)
	const query = `{"query":"{player(username:\"Okapi\"){username rank}}"}`
	warm := k.ask("GET", "/v3/player/Salted", "")
	k.ask("POST", "/graphql", query).is(t, "warm", 200)
	k.ask("GET", "/v3/guild/list/guild", "").is(t, "warm", 200)
	k.stopStore()
	k.ask("GET", "/v3/player/Salted", "").is(t, "fresh", 200, "Cache-Status", "gamedata; hit; ttl=120")
	k.wait(2*time.Minute + 30*time.Second)
	for range 2 {
		stale := k.ask("GET", "/v3/player/Salted", "")
		stale.is(t, "stale", 200, "Cache-Status", "gamedata; hit; ttl=-30", "Age", "150", "Expires",
			"Fri, 20 Mar 2026 00:02:00 GMT", "ETag", warm.header.Get("ETag"))
		if !bytes.Equal(stale.body, warm.body) {
			t.Error("the stale answer differs")
		}
	}
	k.ask("POST", "/graphql", query).is(t, "stale GraphQL", 200, "Cache-Status", "gamedata; hit; ttl=-30")
	k.ask("GET", "/v3/player/Okapi", "").is(t, "cold", 503, "Retry-After", "5", "Cache-Status", "")
	var refused struct {
		Errors []struct{ Extensions struct{ Code string } }
	}
	cold := k.ask("POST", "/graphql", `{"query":"{player(username:\"Okapi\"){uuid}}"}`)
	if err := json.Unmarshal(cold.body, &refused); err != nil || len(refused.Errors) == 0 ||
		refused.Errors[0].Extensions.Code != "SERVICE_UNAVAILABLE" {
		t.Errorf("cold GraphQL: %s", cold.body)
	}
	k.wait(10 * time.Minute) // USER answers are stale for so long
	k.ask("GET", "/v3/player/Salted", "").is(t, "too old", 503, "Cache-Status", "")
	k.wait(23 * time.Hour) // SHARED ones for a day
	k.ask("GET", "/v3/guild/list/guild", "").is(t, "a day old", 200, "Age", fmt.Sprint(23*3600+600+150))

	k.startStore()
	for deadline := time.Now().Add(30 * time.Second); ; {
		if a := k.ask("GET", "/v3/player/Salted", ""); a.status == 200 {
			a.is(t, "back", 200, "Cache-Status", miss, "ETag", warm.header.Get("ETag"))
			break
		} else if time.Now().After(deadline) {
			t.Fatalf("the store is back for long: %d %s", a.status, a.body)
		}
	}
	k.wait(time.Second)
	k.ask("GET", "/v3/guild/list/guild", "").is(t, "back", 200, "Cache-Status", miss, "Age", "")
}

// GraphQL answers are cached by what is asked, not by how it is written; answers with errors
// and mutations are not cached.
func TestGraphQLIsKept(t *testing.T) {
	k := newTestService(t)
	post := func(query, vars, name string) answer {
		body, err := json.Marshal(map[string]any{"query": query, "variables": json.RawMessage(vars), "operationName": name})
		if err != nil {
			t.Fatal(err)
		}
		return k.ask("POST", "/graphql", string(body))
	}
	const plain = `query A($u: String!) { player(username: $u) { username } } query B($u: String!) { player(username: $u) { rank } }`
	first := post(plain, `{"u":"Salted"}`, "A")
	first.is(t, "first", 200, "Cache-Status", miss, "Cache-Control", "max-age=120, private")
	for name, c := range map[string]struct {
		query, vars, operation string
		hit                    bool
	}{
		"again":             {plain, `{"u":"Salted"}`, "A", true},
		"written otherwise": {"# hello\n" + strings.ReplaceAll(plain, " ", "  "), `{"x":1, "u" : "Salted"}`, "A", true},
		"another variable":  {plain, `{"u":"Okapi"}`, "A", false},
		"another operation": {plain, `{"u":"Salted"}`, "B", false},
		"another selection": {strings.Replace(plain, "username }", "uuid }", 1), `{"u":"Salted"}`, "A", false},
		"an error": {
			`query A($u: String!) { player(username: $u) { username } }`, `{"u":"nobody at all"}`, "A",
			false,
		},
		"no store":             {`query A { player(username: "Salted") { username } viewer { kind } }`, `{}`, "A", false},
		"another alias":        {strings.Replace(plain, "username }", "name: username }", 1), `{"u":"Salted"}`, "A", false},
		"schema":               {`{__schema{queryType{name}}}`, `{}`, "", false},
		"operation by default": {`{player(username:"Salted"){username}}`, `null`, "", false},
	} {
		for i := range 2 {
			a := post(c.query, c.vars, c.operation)
			never := name == "an error" || name == "no store"
			if want := c.hit || i == 1 && !never; want != a.hits() {
				t.Errorf("%s: Cache-Status %q, want a hit: %v; %.200s", name, a.header.Get("Cache-Status"), want, a.body)
			}
			if c.hit && !bytes.Equal(withoutCache(a.body), withoutCache(first.body)) {
				t.Errorf("%s: %s, want %s", name, a.body, first.body)
			}
		}
	}
	get := "/graphql?query=" + url.QueryEscape("{guildSeasons{number}}")
	cold := k.ask("GET", get, "")
	k.ask("GET", get, "", "If-None-Match", cold.header.Get("ETag")).is(t, "304", 304, "Cache-Control",
		cold.header.Get("Cache-Control"))
	k.ask("GET", get, "").is(t, "by GET", 200, "ETag", cold.header.Get("ETag"), "Age", "0")
}

// An answer that is cached costs as much as any other.
func TestHitsCost(t *testing.T) {
	k := newTestService(t, "--guest-rate", "3")
	for i, status := range []int{200, 200, 304, 429} {
		match := ""
		if i == 2 {
			match = "*"
		}
		k.ask("GET", "/v3/player/Salted", "", "If-None-Match", match).is(t, fmt.Sprint("request ", i), status,
			"RateLimit-Remaining", fmt.Sprint(max(0, 2-i)))
	}
}

// Without room nothing is cached.
func TestCacheOff(t *testing.T) {
	k := newTestService(t, "--cache-size", "0")
	for range 2 {
		k.ask("GET", "/v3/player/Salted", "").is(t, "off", 200, "Cache-Status", "", "Age", "")
	}
}
