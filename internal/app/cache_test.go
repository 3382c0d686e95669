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
func TestCacheHitsEqualMisses(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../rest/testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no goldens found", err)
	}
	svc := newTestService(t)
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
		svc.advance(25 * time.Hour) // nothing is fresh any more
		r, body := parseRequest(t, svc.url, text)
		first := send(t, r, body)
		before := svc.commandCount()
		r, body = parseRequest(t, svc.url, text)
		second := send(t, r, body)
		asked := svc.commandCount() - before
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
		wasHit := second.isHit()
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
		r, body = parseRequest(t, svc.url, text)
		r.Header.Set("If-None-Match", tag)
		send(t, r, body).expect(t, name, 304, "ETag", tag, "Cache-Status", second.header.Get("Cache-Status"), "Territorylasttick",
			first.header.Get("Territorylasttick"))
	}
	for _, row := range rest.Rows {
		if never := row.Operation == "Whoami" || strings.HasPrefix(row.Path, "/oauth/"); hits[row.Operation] == never {
			t.Errorf("answers of %s are cached: %v", row.Path, never)
		}
	}
}

// Answers are cached for their max age.
func TestCachedResponsesExpire(t *testing.T) {
	svc := newTestService(t)
	svc.request("GET", "/v3/player/Salted", "").expect(t, "cold", 200, "Cache-Status", miss, "Age", "", "Cache-Control",
		"max-age=120, private",
		"Expires", "Fri, 20 Mar 2026 00:02:00 GMT")
	svc.advance(119 * time.Second)
	svc.request("GET", "/v3/player/Salted?nonsense=1&full=x", "").expect(t, "cached", 200, "Cache-Status", "gamedata; hit; ttl=1",
		"Age", "119",
		"Expires", "Fri, 20 Mar 2026 00:02:00 GMT", "Date", "Fri, 20 Mar 2026 00:01:59 GMT", "Cache-Control",
		"max-age=120, private")
	svc.request("GET", "/v3/player/Salted?fullResult", "").expect(t, "another question", 200, "Cache-Status", miss)
	svc.request("HEAD", "/v3/player/Salted", "").expect(t, "HEAD", 200, "Cache-Status", "gamedata; hit; ttl=1")
	svc.advance(time.Second)
	svc.request("GET", "/v3/player/Salted", "").expect(t, "expired", 200, "Cache-Status", miss, "Expires",
		"Fri, 20 Mar 2026 00:04:00 GMT")
	// The list of territories is as old as the copy it is made of, whoever read that.
	svc.request("POST", "/graphql", `{"query":"{territories{refreshedAt}}"}`).expect(t, "the copy", 200)
	svc.advance(9 * time.Second)
	svc.request("GET", "/v3/guild/list/territory", "").expect(t, "of a copy", 200, "Cache-Status", miss, "Age", "9", "Expires",
		"Fri, 20 Mar 2026 00:02:10 GMT")
	svc.advance(999 * time.Millisecond)
	svc.request("GET", "/v3/guild/list/territory", "").expect(t, "cached, of a copy", 200, "Cache-Status", "gamedata; hit; ttl=1",
		"Age", "9")
	svc.advance(2 * time.Millisecond)
	svc.request("GET", "/v3/guild/list/territory", "").expect(t, "a new copy", 200, "Cache-Status", miss, "Age", "", "Expires",
		"Fri, 20 Mar 2026 00:02:20 GMT")
}

// A player whom nobody knew is found at most 10 seconds later, and a changed rule holds when
// the max age is over.
func TestCachedResponsesFollowTheStore(t *testing.T) {
	svc := newTestService(t)
	store := svc.secondStore() // of another process: what this one writes is seen at once
	found, err := svc.store.PlayersByUUID(t.Context(), []string{castUUID("Salted")})
	if err != nil {
		t.Fatal(err)
	}
	salted := *found[0]
	newcomer := salted
	newcomer.UUID, newcomer.Username = "11111111-2222-4333-8444-555555555555", "Newcomer"
	svc.request("GET", "/v3/player/Newcomer", "").expect(t, "unknown", 404, "Cache-Control", "max-age=0, private, no-store", "ETag",
		"")
	if err := store.PutPlayers(t.Context(), []*model.Player{&newcomer}); err != nil {
		t.Fatal(err)
	}
	before := svc.commandCount()
	svc.advance(10*time.Second - 1)
	svc.request("GET", "/v3/player/Newcomer", "").expect(t, "unknown still", 404, "Cache-Control", "max-age=0, private, no-store",
		"Age", "", "Cache-Status", "")
	if n := svc.commandCount() - before; n > 0 {
		t.Errorf("a 404 that is cached takes %d commands", n)
	}
	svc.advance(1)
	svc.request("GET", "/v3/player/Newcomer", "").expect(t, "known", 200)
	svc.request("GET", "/v3/player/Mirrored", "").expect(t, "several", 300)
	svc.request("GET", "/v3/player/Mirrored", "").expect(t, "several again", 300, "Cache-Status", "")

	open := svc.request("GET", "/v3/player/Salted", "")
	salted.Rules[model.MainAccess] = model.Private
	if err := store.PutPlayers(t.Context(), []*model.Player{&salted}); err != nil {
		t.Fatal(err)
	}
	svc.advance(2*time.Minute - 1)
	if res := svc.request("GET", "/v3/player/Salted", ""); !bytes.Equal(res.body, open.body) {
		t.Error("the answer is not cached")
	}
	svc.advance(1)
	for path, body := range map[string]string{
		"/v3/player/Salted": "",
		"/graphql":          `{"query":"{player(username:\"Salted\"){globalData{wars}}}"}`,
	} {
		method := map[bool]string{true: "GET", false: "POST"}[body == ""]
		if res := svc.request(method, path, body); strings.Contains(string(res.body), `"wars"`) && !strings.Contains(string(res.body),
			`"globalData":null`) || len(res.body) == 0 {
			t.Errorf("%s still shows %.300s", path, res.body)
		}
	}
}

// A thousand cold requests for one key read the store once.
func TestNoCacheStampede(t *testing.T) {
	svc := newTestService(t)
	cold := func(path string, n int) int64 {
		before := svc.commandCount()
		var all sync.WaitGroup
		for range n {
			all.Go(func() { svc.request("GET", path, "").expect(t, path, 200) })
		}
		all.Wait()
		return svc.commandCount() - before
	}
	alone := int64(0)
	for i := range 3 { // a batch that is cut in two on a busy machine takes a command more
		svc.advance(time.Hour)
		alone = max(alone, cold(fmt.Sprintf("/v3/player/Salted?fullResult&x=%d", i), 1))
	}
	svc.advance(time.Hour)
	if n := cold("/v3/player/Salted?fullResult", 1000); n == 0 || n >= 2*alone {
		t.Errorf("1,000 requests take %d commands, one takes %d", n, alone)
	}
}

// While the store is away the answers that are cached keep coming, marked when they are stale,
// and everything else is told to wait; when it is back nothing is stale.
func TestStoreOutage(t *testing.T) {
	t.Parallel()
	svc := newTestService(t)
	const query = `{"query":"{player(username:\"Okapi\"){username rank}}"}`
	warm := svc.request("GET", "/v3/player/Salted", "")
	svc.request("POST", "/graphql", query).expect(t, "warm", 200)
	svc.request("GET", "/v3/guild/list/guild", "").expect(t, "warm", 200)
	svc.stopStore()
	svc.request("GET", "/v3/player/Salted", "").expect(t, "fresh", 200, "Cache-Status", "gamedata; hit; ttl=120")
	svc.advance(2*time.Minute + 30*time.Second)
	for range 2 {
		stale := svc.request("GET", "/v3/player/Salted", "")
		stale.expect(t, "stale", 200, "Cache-Status", "gamedata; hit; ttl=-30", "Age", "150", "Expires",
			"Fri, 20 Mar 2026 00:02:00 GMT", "ETag", warm.header.Get("ETag"))
		if !bytes.Equal(stale.body, warm.body) {
			t.Error("the stale answer differs")
		}
	}
	svc.request("POST", "/graphql", query).expect(t, "stale GraphQL", 200, "Cache-Status", "gamedata; hit; ttl=-30")
	svc.request("GET", "/v3/player/Okapi", "").expect(t, "cold", 503, "Retry-After", "5", "Cache-Status", "")
	var refused struct {
		Errors []struct{ Extensions struct{ Code string } }
	}
	cold := svc.request("POST", "/graphql", `{"query":"{player(username:\"Okapi\"){uuid}}"}`)
	if err := json.Unmarshal(cold.body, &refused); err != nil || len(refused.Errors) == 0 ||
		refused.Errors[0].Extensions.Code != "SERVICE_UNAVAILABLE" {
		t.Errorf("cold GraphQL: %s", cold.body)
	}
	svc.advance(10 * time.Minute) // USER answers are stale for so long
	svc.request("GET", "/v3/player/Salted", "").expect(t, "too old", 503, "Cache-Status", "")
	svc.advance(23 * time.Hour) // SHARED ones for a day
	svc.request("GET", "/v3/guild/list/guild", "").expect(t, "a day old", 200, "Age", fmt.Sprint(23*3600+600+150))

	svc.startStore()
	for deadline := time.Now().Add(30 * time.Second); ; {
		if res := svc.request("GET", "/v3/player/Salted", ""); res.status == 200 {
			res.expect(t, "back", 200, "Cache-Status", miss, "ETag", warm.header.Get("ETag"))
			break
		} else if time.Now().After(deadline) {
			t.Fatalf("the store is back for long: %d %s", res.status, res.body)
		}
	}
	svc.advance(time.Second)
	svc.request("GET", "/v3/guild/list/guild", "").expect(t, "back", 200, "Cache-Status", miss, "Age", "")
}

// GraphQL answers are cached by what is asked, not by how it is written; answers with errors
// and mutations are not cached.
func TestGraphQLResponsesAreCached(t *testing.T) {
	svc := newTestService(t)
	post := func(query, vars, name string) response {
		body, err := json.Marshal(map[string]any{"query": query, "variables": json.RawMessage(vars), "operationName": name})
		if err != nil {
			t.Fatal(err)
		}
		return svc.request("POST", "/graphql", string(body))
	}
	const plain = `query A($u: String!) { player(username: $u) { username } } query B($u: String!) { player(username: $u) { rank } }`
	first := post(plain, `{"u":"Salted"}`, "A")
	first.expect(t, "first", 200, "Cache-Status", miss, "Cache-Control", "max-age=120, private")
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
			res := post(c.query, c.vars, c.operation)
			never := name == "an error" || name == "no store"
			if want := c.hit || i == 1 && !never; want != res.isHit() {
				t.Errorf("%s: Cache-Status %q, want a hit: %v; %.200s", name, res.header.Get("Cache-Status"), want, res.body)
			}
			if c.hit && !bytes.Equal(withoutCacheExtension(res.body), withoutCacheExtension(first.body)) {
				t.Errorf("%s: %s, want %s", name, res.body, first.body)
			}
		}
	}
	get := "/graphql?query=" + url.QueryEscape("{guildSeasons{number}}")
	cold := svc.request("GET", get, "")
	svc.request("GET", get, "", "If-None-Match", cold.header.Get("ETag")).expect(t, "304", 304, "Cache-Control",
		cold.header.Get("Cache-Control"))
	svc.request("GET", get, "").expect(t, "by GET", 200, "ETag", cold.header.Get("ETag"), "Age", "0")
}

// An answer that is cached costs as much as any other.
func TestCacheHitsAreCharged(t *testing.T) {
	svc := newTestService(t, "--guest-rate", "3")
	for i, status := range []int{200, 200, 304, 429} {
		match := ""
		if i == 2 {
			match = "*"
		}
		svc.request("GET", "/v3/player/Salted", "", "If-None-Match", match).expect(t, fmt.Sprint("request ", i), status,
			"RateLimit-Remaining", fmt.Sprint(max(0, 2-i)))
	}
}

// Without room nothing is cached.
func TestCacheDisabled(t *testing.T) {
	svc := newTestService(t, "--cache-size", "0")
	for range 2 {
		svc.request("GET", "/v3/player/Salted", "").expect(t, "off", 200, "Cache-Status", "", "Age", "")
	}
}

// What was asked before is answered as at first in whatever form it is wanted, and only another
// target is another question.
func TestEquivalentRequestsShareResponses(t *testing.T) {
	t.Parallel()
	svc := newTestService(t)
	const path = "/v3/leaderboards/guildWars?resultLimit=2"
	first := svc.request("GET", path, "")
	first.expect(t, "first", 200, "Content-Type", "application/json")
	csv := svc.request("GET", path, "", "Accept", "text/csv")
	csv.expect(t, "table", 200, "Content-Type", "text/csv; charset=utf-8; header=present")
	for _, again := range []struct {
		name, path, accept string
		want               response
	}{
		{"JSON again", path, "application/json", first},
		{"table again", path, "text/csv", csv},
		{"another spelling", "/v3/leaderboards/guildWars?unknown&resultLimit=%32", "", first},
	} {
		got := svc.request("GET", again.path, "", "Accept", again.accept)
		got.expect(t, again.name, 200, "Cache-Status", "gamedata; hit", "ETag", again.want.header.Get("ETag"), "Content-Type",
			again.want.header.Get("Content-Type"),
			"Link", `</explain`+again.path+`>; rel="alternate"`)
		if !bytes.Equal(got.body, again.want.body) {
			t.Errorf("%s: %.200s", again.name, got.body)
		}
	}
	if other := svc.request("GET", "/v3/leaderboards/guildWars?resultLimit=1", ""); other.status != 200 ||
		bytes.Equal(other.body, first.body) {
		t.Errorf("one entry: %d %.200s", other.status, other.body)
	}
}
