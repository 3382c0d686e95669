package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gamedata/internal/app/apptest"
	"gamedata/rest"
)

// The second response to a golden's request equals the first. It comes from the cache, without a store command, exactly
// if the response is cacheable.
func TestCacheHitsEqualMisses(t *testing.T) {
	t.Parallel()
	svc := apptest.NewService(t)
	hits := map[string]bool{}
	requests := map[string]string{"a whole tree": "GET /v3/ability/tree/archer"}
	for file, archive := range goldens(t, cases) {
		requests[filepath.Base(file)] = string(section(archive, "request"))
	}
	for name, text := range requests {
		svc.Advance(25 * time.Hour) // everything expires
		r, body := parseRequest(t, svc.URL, text)
		first := apptest.Do(t, r, body)
		before := svc.CommandCount()
		r, body = parseRequest(t, svc.URL, text)
		second := apptest.Do(t, r, body)
		commands := svc.CommandCount() - before
		if second.Status != first.Status || !bytes.Equal(second.Body, first.Body) {
			t.Errorf("%s: %d, then %d; %.200s, then %.200s", name, first.Status, second.Status, first.Body, second.Body)
		}
		for _, h := range []string{
			"Content-Type", "Content-Encoding", "Cache-Control", "ETag", "Expires",
			"Territorylasttick", "Allow", "Vary", "Access-Control-Allow-Origin",
		} {
			if first.Header.Get(h) != second.Header.Get(h) {
				t.Errorf("%s: %s is %q, then %q", name, h, first.Header.Get(h), second.Header.Get(h))
			}
		}
		wasHit := second.Hit()
		if cached := first.Status == 200 &&
			!strings.Contains(first.Header.Get("Cache-Control"), "no-store"); cached != wasHit ||
			cached && (commands > 0 || second.Header.Get("Age") != "0") {
			t.Errorf("%s: %d, %q, then %q of age %q, with %d commands", name, first.Status, first.Header.Get("Cache-Status"),
				second.Header.Get("Cache-Status"), second.Header.Get("Age"), commands)
		}
		if row, _, ok := rest.Lookup(r.URL); ok && wasHit {
			hits[row.Operation] = true
		}
		tag := second.Header.Get("ETag")
		if !wasHit || r.Method == "POST" {
			continue
		}
		r, body = parseRequest(t, svc.URL, text)
		r.Header.Set("If-None-Match", tag)
		apptest.Do(t, r, body).Expect(t, name, 304, "ETag", tag, "Cache-Status", second.Header.Get("Cache-Status"),
			"Territorylasttick", first.Header.Get("Territorylasttick"))
	}
	for _, row := range rest.Rows {
		if never := row.Operation == "Whoami" || strings.HasPrefix(row.Path, "/oauth/"); hits[row.Operation] == never {
			t.Errorf("%s: got a cache hit: %v, want %v", row.Path, hits[row.Operation], !never)
		}
	}
}

// While the store is down cached responses are served, marked when they are stale, and other requests get 503 with
// Retry-After. Once it is up again nothing is stale.
func TestStoreOutage(t *testing.T) {
	t.Parallel()
	svc := apptest.NewService(t)
	const query = `{"query":"{player(by:{username:\"Okapi\"}){username rank{key}}}"}`
	warm := svc.Request("GET", "/v3/player/Salted", "")
	svc.Request("POST", "/graphql", query).Expect(t, "warm", 200)
	svc.Request("GET", "/v3/guild/list/guild", "").Expect(t, "warm", 200)
	svc.Request("GET", "/v3/guild/list/territory", "").Expect(t, "warm", 200)
	svc.Request("GET", "/players/Salted", "").Expect(t, "warm", 200, "Cache-Control", "max-age=10, private")
	svc.StopStore()
	svc.Request("GET", "/v3/player/Salted", "").Expect(t, "fresh", 200, "Cache-Status", "gamedata; hit; ttl=120")
	svc.Advance(2*time.Minute + 30*time.Second)
	for range 2 {
		stale := svc.Request("GET", "/v3/player/Salted", "")
		stale.Expect(t, "stale", 200, "Cache-Status", "gamedata; hit; ttl=-30", "Age", "150", "Expires",
			"Fri, 20 Mar 2026 00:02:00 GMT", "ETag", warm.Header.Get("ETag"))
		if !bytes.Equal(stale.Body, warm.Body) {
			t.Error("got another body, want the stale one")
		}
	}
	svc.Request("POST", "/graphql", query).Expect(t, "stale GraphQL", 200, "Cache-Status", "gamedata; hit; ttl=-30")
	svc.Request("GET", "/players/Salted", "").Expect(t, "a stale page", 200, "Cache-Status", "gamedata; hit; ttl=-140")
	for path, want := range map[string]string{
		"/v3/player/Okapi": "is not available right now", "/players/Okapi": "temporarily unavailable",
		"/": "temporarily unavailable",
	} {
		cold := svc.Request("GET", path, "")
		cold.Expect(t, path, 503, "Retry-After", "5", "Cache-Status", "", "Cache-Control", "max-age=0, private, no-store")
		if !cold.Has(want) {
			t.Errorf("%s: got %s, want %q", path, cold.Body, want)
		}
	}
	cold := svc.Request("POST", "/graphql", `{"query":"{player(by:{username:\"Okapi\"}){uuid}}"}`)
	if !cold.Has(`"extensions":{"code":"SERVICE_UNAVAILABLE"}`) {
		t.Errorf("cold GraphQL: %s", cold.Body)
	}
	svc.Request("GET", "/v3/guild/list/territory", "").Expect(t, "stale territories", 200,
		"Cache-Status", "gamedata; hit; ttl=-140")
	svc.Advance(3 * time.Minute) // more than the stale window of territories
	for _, path := range []string{"/v3/guild/list/territory", "/v3/classes", "/v3/classes/mage"} {
		svc.Request("GET", path, "").Expect(t, path, 503, "Retry-After", "5", "Cache-Status", "")
	}
	svc.Advance(7 * time.Minute) // the stale window of USER responses
	svc.Request("GET", "/v3/player/Salted", "").Expect(t, "too old", 503, "Cache-Status", "")
	svc.Advance(23 * time.Hour) // SHARED responses are stale for a day
	svc.Request("GET", "/v3/guild/list/guild", "").Expect(t, "a day old", 200, "Age", fmt.Sprint(23*3600+600+150))

	svc.StartStore()
	var back apptest.Response
	apptest.Await(t, "the store", func() bool {
		back = svc.Request("GET", "/v3/player/Salted", "")
		return back.Status == 200
	})
	back.Expect(t, "back", 200, "Cache-Status", apptest.Miss, "ETag", warm.Header.Get("ETag"))
	svc.Advance(time.Second)
	svc.Request("GET", "/v3/guild/list/guild", "").Expect(t, "back", 200, "Cache-Status", apptest.Miss, "Age", "")
}

// GraphQL responses are cached by the meaning of the request, not by its spelling. Responses with errors and responses
// of mutations are not cached.
func TestGraphQLResponsesAreCached(t *testing.T) {
	svc := apptest.NewService(t)
	post := func(query, vars, name string) apptest.Response {
		body, err := json.Marshal(map[string]any{"query": query, "variables": json.RawMessage(vars), "operationName": name})
		if err != nil {
			t.Fatal(err)
		}
		return svc.Request("POST", "/graphql", string(body))
	}
	const plain = `query A($u: String!) { player(by:{reference:$u}) { username } }
		query B($u: String!) { player(by:{reference:$u}) { rank{key} } }`
	first := post(plain, `{"u":"Salted"}`, "A")
	first.Expect(t, "first", 200, "Cache-Status", apptest.Miss, "Cache-Control", "max-age=120, private")
	for name, c := range map[string]struct {
		query, vars, operation string
		hit                    bool
	}{
		"again":             {plain, `{"u":"Salted"}`, "A", true},
		"another spelling":  {"# hello\n" + strings.ReplaceAll(plain, " ", "  "), `{"x":1, "u" : "Salted"}`, "A", true},
		"another variable":  {plain, `{"u":"Okapi"}`, "A", false},
		"another operation": {plain, `{"u":"Salted"}`, "B", false},
		"another selection": {strings.Replace(plain, "username }", "uuid }", 1), `{"u":"Salted"}`, "A", false},
		"an error": {
			`query A($u: String!) { players(filter:{world:$u}) { nodes { username } } }`, `{"u":"no world"}`, "A",
			false,
		},
		"no store":             {`query A { player(by:{username:"Salted"}) { username } viewer { kind } }`, `{}`, "A", false},
		"another alias":        {strings.Replace(plain, "username }", "name: username }", 1), `{"u":"Salted"}`, "A", false},
		"schema":               {`{__schema{queryType{name}}}`, `{}`, "", false},
		"operation by default": {`{player(by:{username:"Salted"}){username}}`, `null`, "", false},
	} {
		for i := range 2 {
			res := post(c.query, c.vars, c.operation)
			never := name == "an error" || name == "no store"
			if want := c.hit || i == 1 && !never; want != res.Hit() {
				t.Errorf("%s: Cache-Status %q, want a hit: %v; %.200s", name, res.Header.Get("Cache-Status"), want, res.Body)
			}
			if c.hit && !bytes.Equal(withoutCacheExtension(res.Body), withoutCacheExtension(first.Body)) {
				t.Errorf("%s: %s, want %s", name, res.Body, first.Body)
			}
		}
	}
}
