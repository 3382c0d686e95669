package app_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

// openPage asks for a page without following it elsewhere.
func openPage(t *testing.T, p *program, method, path string, headers ...string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, p.base+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer, string(text)
}

// Pages tell what the APIs tell, say what is hidden and by which rule, and lead on where a name
// is not exact.
func TestSite(t *testing.T) {
	t.Parallel()
	p, dir := serveDemo(t, "--guest-rate", "100000")
	for _, c := range []struct {
		path   string
		status int
		says   []string
	}{
		{"/", 200, []string{"Players online", `<a href="/territories">Claimed territories</a>`, "curl &#39;" + p.base +
			"/v3/guild/", `action="/search"`, "/schema.graphqls", "/v3/openapi.json", "/playground?query="}},
		{"/players/Salted", 200, []string{
			"<h1>Salted</h1>", "online on EU37", "Mossbound Company", "<svg class=\"chart\"",
			"/v3/player/Salted?fullResult", "/explain/v3/player/Salted",
			`<meta property="og:title" content="Salted">`, `<link rel="canonical" href="` + p.base + `/players/Salted">`,
		}},
		{"/players/" + castUUID("Salted"), 200, []string{"<h1>Salted</h1>"}},
		{"/players/Veiled", 200, []string{
			"hidden by the player <code>main_access</code>", "<code>online_status</code>",
			"<code>character_list_access</code>", "<code>guild_history_access</code>",
		}},
		{"/players/Twinleaf", 300, []string{"Which one do you mean?", `href="/players/`}},
		{"/players/nobody", 404, []string{"No player named “nobody”", `name="query"`, `value="nobody"`}},
		{"/players/" + strings.Repeat("a", 101), 404, []string{`value=""`}}, // longer than a search may be
		{"/items/bellwether", 404, []string{"Similar items:", ">Bellwether Cap</a>", `value="bellwether"`}},
		{"/guilds/Mossbound%20Company", 200, []string{
			"[MOSS]", "<svg class=\"map\"", `class="area own"`,
			`class="area other"`, "Salted",
		}},
		{"/guilds/seasons", 200, []string{
			`<a href="/v3/guild/uuid/b0000000-0000-4000-8000-000000000101">`,
			`<a href="/explain/v3/guild/uuid/b0000000-0000-4000-8000-000000000101">`,
		}},
		{"/guilds/mossbound%20company", 200, []string{"Mossbound Company"}},
		{"/guilds/nobody", 404, []string{"No guild named “nobody”"}},
		{"/leaderboards", 200, []string{`<a href="/leaderboards/globalPlayerContent">Global player content</a>`}},
		{"/leaderboards/globalPlayerContent", 200, []string{
			"<svg class=\"chart\"", "hidden by the player", "main_access",
			"▲",
		}},
		{"/leaderboards/guildWars", 200, []string{"<th scope=\"col\" class=\"n\">Wars</th>"}},
		{"/leaderboards/nothing", 400, []string{"no leaderboard with this name"}},
		{"/territories", 200, []string{"<svg class=\"map\"", "<desc id=\"map-desc\">", "<th scope=\"col\">Guild</th>"}},
		{"/search?query=moss", 200, []string{`<a href="/guilds/Mossbound%20Company">`, `value="moss"`}},
		{"/search?query=zzzzzzzz", 404, []string{"Nothing found for “zzzzzzzz”", `value="zzzzzzzz"`}},
		{"/search", 400, []string{"Enter a search term"}},
		{"/search?query=a&query=b", 400, []string{"Give query once"}},
		{"/search?query=%3Cscript%3Ealert(1)%3C/script%3E", 404, nil},
	} {
		answer, text := openPage(t, p, "GET", c.path)
		if answer.StatusCode != c.status {
			t.Errorf("%s: %d, want %d", c.path, answer.StatusCode, c.status)
		}
		for _, says := range c.says {
			if !strings.Contains(text, says) {
				t.Errorf("%s lacks %q", c.path, says)
			}
		}
		if strings.Contains(text, "<script") || strings.Contains(text, "style=") || strings.Contains(text, "ZgotmplZ") ||
			strings.Contains(text, "&lt;nil&gt;") {
			t.Errorf("%s holds a script, a style or what could not be written", c.path)
		}
		h := answer.Header
		if !strings.HasPrefix(h.Get("Content-Type"), "text/html") || !strings.HasPrefix(h.Get("Content-Security-Policy"),
			"default-src 'none'; style-src 'self';") || h.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: %v", c.path, h)
		}
		if head, rest := openPage(t, p, "HEAD", c.path); head.StatusCode != c.status || rest != "" {
			t.Errorf("HEAD %s: %d %q", c.path, head.StatusCode, rest)
		}
		for _, host := range []string{"//", "http:", "https:"} {
			for _, attribute := range []string{`src="`, `href="`, `action="`} {
				if strings.Contains(strings.ReplaceAll(text, p.base, ""), attribute+host) {
					t.Errorf("%s leads to another host", c.path)
				}
			}
		}
	}

	t.Run("cached", func(t *testing.T) {
		first, _ := openPage(t, p, "GET", "/leaderboards")
		again, text := openPage(t, p, "GET", "/leaderboards", "If-None-Match", first.Header.Get("ETag"))
		if again.StatusCode != 304 || text != "" || !strings.Contains(again.Header.Get("Cache-Status"), "hit") ||
			again.Header.Get("Cache-Control") != "max-age=600, public" {
			t.Errorf("%d %v", again.StatusCode, again.Header)
		}
		if r, _ := openPage(t, p, "GET", "/players/Salted"); r.Header.Get("Cache-Control") != "max-age=120, private" ||
			r.Header.Get("RateLimit-Bucket") != "PLAYER" {
			t.Error(r.Header)
		}
	})
	t.Run("item", func(t *testing.T) { testItemPages(t, p) })
	t.Run("own", func(t *testing.T) { testOwnPage(t, p, dir) })
	t.Run("refused", func(t *testing.T) {
		if r, _ := openPage(t, p, "GET", "/players/Salted", "Authorization", "Bearer gdt_nothing"); r.StatusCode != 401 {
			t.Errorf("a wrong token: %d", r.StatusCode)
		}
		if r, text := openPage(t, p, "GET", "/players/Veiled", "Cookie", "__Host-session=ended"); r.StatusCode != 200 ||
			!strings.Contains(text, "main_access") {
			t.Errorf("a session that ended: %d", r.StatusCode)
		}
		if r, _ := openPage(t, p, "POST", "/territories"); r.StatusCode != 405 || r.Header.Get("Allow") != "GET, HEAD" {
			t.Errorf("POST: %d", r.StatusCode)
		}
		for _, path := range []string{"/players", "/players/", "/players/a/b", "/territories/", "//", "/items"} {
			if r, _ := openPage(t, p, "GET", path); r.StatusCode != 404 {
				t.Errorf("%s: %d", path, r.StatusCode)
			}
		}
	})
	t.Run("no page", func(t *testing.T) {
		for _, path := range []string{"/players", "/guilds/", "/items", "/leaderboards/a/b", "/nothing"} {
			r, text := openPage(t, p, "GET", path, "Accept", "text/html,*/*;q=0.8", "Authorization", "Bearer gdt_nothing")
			if r.StatusCode != 404 || !strings.Contains(text, "Page not found") || !strings.Contains(text,
				`name="query"`) || r.Header.Get("RateLimit-Bucket") != "SHARED" {
				t.Errorf("%s: %d %v %s", path, r.StatusCode, r.Header, text)
			}
			if r, text := openPage(t, p, "GET", path, "Accept", "text/html;q=0"); r.StatusCode != 404 || !strings.HasPrefix(text,
				`{"error":"NotFound"`) {
				t.Errorf("%s for a program: %d %s", path, r.StatusCode, text)
			}
		}
	})
	t.Run("links", func(t *testing.T) { testLinks(t, p) })
	t.Run("hostile", func(t *testing.T) {
		for _, value := range hostile {
			if value == "" || value == "%zz" {
				continue // no address of a page
			}
			for _, path := range []string{"/players/", "/guilds/", "/items/", "/leaderboards/", "/search?query="} {
				if r, text := openPage(t, p, "GET", path+value); r.StatusCode >= 500 || strings.Contains(text, "ZgotmplZ") {
					t.Errorf("%s%s: %d", path, value, r.StatusCode)
				}
			}
		}
	})
}

// An item has one page, under its internal name; the names shown in the game lead to it.
func testItemPages(t *testing.T, p *program) {
	list := askData(
		t,
		p,
		`{ itemDatabase(fullResult: true) { results { internalName displayName identifications { key } } } }`,
	)
	shown := map[string][]string{}
	for _, i := range list["itemDatabase"].(map[string]any)["results"].([]any) {
		item := i.(map[string]any)
		shown[item["displayName"].(string)] = append(shown[item["displayName"].(string)], item["internalName"].(string))
	}
	opened := 0
	for name, internal := range shown {
		if opened++; opened > 60 { // in the random order of maps
			break
		}
		page := "/items/" + url.PathEscape(internal[0])
		if r, text := openPage(t, p, "GET", page); r.StatusCode != 200 || !strings.Contains(text, "<dt>Level</dt>") {
			t.Errorf("%s: %d", page, r.StatusCode)
		}
		if len(internal) == 1 && internal[0] != name {
			if r, _ := openPage(t, p, "GET", "/items/"+url.PathEscape(strings.ToUpper(name))); r.StatusCode != 303 ||
				r.Header.Get("Location") != page {
				t.Errorf("%s: %d to %s, want %s", name, r.StatusCode, r.Header.Get("Location"), page)
			}
		}
	}
	if len(shown) < 20 {
		t.Errorf("%d items", len(shown))
	}
}

// Who is signed in sees what is theirs, and nobody else is shown it.
func testOwnPage(t *testing.T, p *program, dir string) {
	user := newWebUser(t, p)
	user.signUp("Owner of Veiled").submit("/account/sign-out")
	linkPlayer(t, dir, "Owner of Veiled", "Veiled")
	user.open("/account/sign-in").submit("/account/sign-in", "name", "Owner of Veiled", "password", "a long password").expect(200,
		"Veiled")
	user.open("/players/Veiled").expect(200, "You are signed in", "<h2 id=\"stats\">Lifetime stats</h2>", "<dt>Mobs killed</dt>")
	if strings.Contains(user.text, "hidden by") || user.response.Header.Get("Cache-Control") != "max-age=120, private" {
		t.Errorf("%v %s", user.response.Header, user.text)
	}
	if _, text := openPage(t, p, "GET", "/players/Veiled"); strings.Contains(text, "Mobs killed") {
		t.Error("everybody sees it")
	}
}

// askData is the data of a GraphQL query.
func askData(t *testing.T, p *program, query string) map[string]any {
	t.Helper()
	body, err := json.Marshal(map[string]string{"query": query})
	if err != nil {
		t.Fatal(err)
	}
	var answer struct{ Data map[string]any }
	if err := json.Unmarshal(requestOK(t, p.base, "POST", "/graphql", string(body)), &answer); err != nil {
		t.Fatal(err)
	}
	return answer.Data
}

// A page is cached as any answer is: while the store is away it goes on being shown, and what was
// never asked for says in words that the service is not available. The front page keeps its doors
// open then.
func TestSiteWithoutStore(t *testing.T) {
	t.Parallel()
	svc := newTestService(t)
	warm := svc.request("GET", "/players/Salted", "")
	warm.expect(t, "warm", 200, "Cache-Status", miss, "Cache-Control", "max-age=120, private")
	svc.stopStore()
	svc.request("GET", "/players/Salted", "").expect(t, "fresh", 200, "Cache-Status", "gamedata; hit; ttl=120")
	svc.advance(3 * time.Minute)
	stale := svc.request("GET", "/players/Salted", "")
	if stale.expect(t, "stale", 200, "Cache-Status", "gamedata; hit; ttl=-60", "Age", "180"); !bytes.Equal(stale.body,
		warm.body) {
		t.Error("the page differs")
	}
	for path, says := range map[string]string{"/players/Okapi": "temporarily unavailable", "/": "temporarily unavailable"} {
		res := svc.request("GET", path, "")
		res.expect(t, path, 503, "Retry-After", "5", "Content-Type", "text/html; charset=utf-8", "Cache-Control",
			"max-age=0, private, no-store")
		if !strings.Contains(string(res.body), says) {
			t.Errorf("%s: %s", path, res.body)
		}
	}
}
