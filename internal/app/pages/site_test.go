package pages

import (
	"encoding/xml"
	"html"
	"image"
	"image/png"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"gamedata/internal/app/apptest"
)

// inlineScript matches scripts of a page itself. Its built files and data are none.
var inlineScript = regexp.MustCompile(`<script(?: type="module")?>|<script [^>]*src="[^/]| on[a-z]+="`)

// openPage requests a page without following redirects.
func openPage(t *testing.T, p *apptest.Program, method, path string, headers ...string) (apptest.Response, string) {
	t.Helper()
	res := apptest.Request(t, method, p.Base+path, "", headers...)
	return res, string(res.Body)
}

// ownCharacter is the uuid of a character of Salted.
var _, ownCharacter, _ = strings.Cut(apptest.CastCharacter("Salted"), "/characters/")

// What the page of a character shows, and what it shows in place of it.
const (
	dungeons, points, chosen = `<h2 id="dungeons">`, "Strength", `aria-label="Chosen abilities"`
	dataHidden, buildHidden  = "Privacy setting character_data_access", "Privacy setting character_build_access"
)

// sitePages are pages with their statuses, what they contain, and behind a "!" what they do not contain.
var sitePages = []struct {
	path   string
	status int
	want   []string
}{
	{"/", 200, []string{"Players online", `id="live-map"`, "Latest captures", "curl '$BASE/v3/guild/", `action="/search"`, "/schema.graphqls", "/v3/openapi.json", "/playground?query="}},
	{"/players/Salted", 200, []string{
		"<h1><bdi>Salted", `<a href="/players?world=EU37">EU37</a>`, "Mossbound Company", "metric=PLAYTIME", "days=30",
		`">Get this data</a>`,
		`<meta property="og:title" content="Salted">`,
		"?around=" + apptest.CastUUID("Salted"), `<details class="character">`, `href="` + apptest.CastCharacter("Salted") + `"`,
		`<link rel="canonical" href="$BASE/players/` + apptest.CastUUID("Salted") + `">`,
	}},
	{"/players/Veiled", 200, []string{
		"<bdi>Veiled</bdi> shares only name, rank and guild.", `title="Privacy setting main_access"`,
		`title="Privacy setting guild_history_access"`,
	}},
	{"/players/Twinleaf", 300, []string{"<h1>Which Twinleaf?</h1>", `class="card" href="/players/`, "level "}},
	{"/players/Twinleaf/week", 300, []string{`/week">`}},
	{"/players/Twinleaf/week?week=2026-W11", 300, []string{`/week?week=2026-W11">`}},
	{"/players/Salted/week?week=-1-W03", 400, []string{"Enter a week that has begun"}},
	{"/players/unknown", 404, []string{"<h1>Player not found</h1>", "No player named “unknown”", `name="query"`, `value="unknown"`}},
	{"/players/Saltd", 404, []string{"Did you mean", `"><bdi>Salted</bdi></a>`}},
	{"/guilds/Mossbond%20Company", 404, []string{"Did you mean", `<a href="/guilds/Mossbound%20Company">`}},
	{"/leaderboards/woodcutingLevel", 404, []string{"Did you mean", `<a href="/leaderboards/woodcuttingLevel">`}},
	{"/search?query=saltd", 404, []string{"Did you mean", `"><bdi>Salted</bdi></a>`}},
	{"/search?query=SALT", 200, []string{"<mark>Salt</mark>ed"}},
	{"/players/" + strings.Repeat("a", 101), 404, []string{`value=""`}}, // longer than a search term may be
	{"/players/salted/characters/" + ownCharacter, 200, []string{
		"Assassin</span> “<bdi>Dusk</bdi>”", "Combat level", "Woodcutting <small>", dungeons, "Nest of the Grootslangs", points,
		" completed, ", " open</small>", chosen, `class="chosen"`, `href="/classes/assassin#ability-`,
		`<link rel="canonical" href="$BASE` + apptest.CastCharacter("Salted") + `">`, "!hidden by the player",
	}},
	{apptest.CastCharacter("Sealed"), 200, []string{"Combat level", dataHidden, chosen, "!" + dungeons, "!" + points}},
	{apptest.CastCharacter("Loomkeeper"), 200, []string{dungeons, buildHidden, "!" + chosen, "!" + points}},
	{apptest.CastCharacter("Listless"), 200, []string{dungeons, points, chosen}},
	{apptest.CastCharacter("Veiled"), 200, []string{
		"<h1>Character of <bdi>Veiled</bdi></h1>", "Privacy setting character_list_access", dataHidden, "noindex",
		"!Combat level", "!" + dungeons, "!" + chosen,
	}},
	// The same for a uuid of no character: whether there is one is hidden.
	{"/players/Veiled/characters/" + ownCharacter, 200, []string{"<h1>Character of <bdi>Veiled</bdi></h1>", dataHidden}},
	{"/players/Okapi/characters/" + ownCharacter, 404, []string{
		"<h1>Character not found</h1>", "Okapi has no character with this UUID.", "All about Okapi",
	}},
	{"/players/Salted/characters/x", 404, []string{"<h1>Page not found</h1>"}},
	{"/players/unknown/characters/" + ownCharacter, 404, []string{"a name like “unknown”"}},
	{"/players/Twinleaf/characters/" + ownCharacter, 300, []string{"<h1>Which Twinleaf?</h1>"}},
	{"/players/Sealed", 200, []string{`href="` + apptest.CastCharacter("Sealed") + `"`, dataHidden}},
	{"/leaderboards/combatSoloLevel", 200, []string{`/characters/`}},
	{"/items", 200, []string{
		"<span>5,", `value="Alderheart Arc"`, `rel="next"`, `<option value="MYTHIC">`, "format=csv",
	}},
	{"/items?query=&tier=MYTHIC&min=50&sort=LEVEL&identification=walkSpeed", 200, []string{
		`<option value="MYTHIC" selected>`, `class="tier tier-mythic"`, `value="50"`, `sort=IDENTIFICATION`,
	}},
	{"/items?query=zzzzzzzz", 200, []string{"No item matches", `<a href="/items">`}},
	{
		"/items?identification=Mana%20regen%20%E2%89%A5%205&identification=walkSpeed%3E%3D1&sort=IDENTIFICATION&by=walkSpeed",
		200,
		[]string{`value="Mana regen ≥ 5"`, `>Walk speed</a></th>`, `aria-sort="ascending"`, "<span>7 items"},
	},
	{"/items?identification=%25", 400, []string{"mana regen ≥ 5", `<a href="/items">`}},
	{"/items?identification=nothing", 400, []string{`<a href="/items">`}},
	{"/items?tier=BOGUS", 400, []string{"The tier in the address does not exist.", `<a href="/items">`}},
	{"/players?query=S&show=all&sort=TOTAL_LEVEL&direction=DESC", 200, []string{
		`<option value="USERNAME" selected>`, `aria-sort="descending"><a href="/players?query=S&amp;show=all&amp;sort=USERNAME">Name`,
		`<th scope="col" class="n">Total level</th>`, `<th scope="col">Last joined</th>`,
	}},
	{"/players?show=online&sort=TOTAL_LEVEL", 200, []string{`<option value="USERNAME" selected>`, "sort=LAST_JOINED_AT", `class="n">Total level</th>`}},
	{"/guilds?query=moss&tag=MOSS", 200, []string{"<span>1 guild<", "Mossbound Company", `<th scope="col" class="n">Level</th>`}},
	{"/map?time=" + time.Now().AddDate(-2, 0, 0).Format(time.DateOnly), 200, []string{", 0 unclaimed, ", " unknown. ", "<td>unknown</td>", "!unclaimed</td>"}},
	{"/items/compare?items=Nope", 200, []string{"1 of the items in the address of this page does not exist."}},
	{"/items/compare?items=Bellwether%20Cap,Alderheart%20Recurve,nothing", 200, []string{
		"badge good", "1 of the items in the address of this page do",
	}},
	{"/items/compare?add=alderheart", 200, []string{"Which one do you mean?"}},
	{"/classes", 200, []string{`href="/classes/archer"`}},
	{"/classes/archer", 200, []string{`href="#ability-bowlore"`, `id="ability-bowlore"`, "Galewing", `data-points="2"`, "with 1 copy"}},
	{"/recipes?skill=COOKING&sort=XP&direction=DESC", 200, []string{"Cooking", `aria-sort="descending"`}},
	{"/recipes", 200, []string{`<a href="/recipes?skill=TAILORING&amp;type=BOOTS">Boots</a>`}},
	{"/world-events", 200, []string{"The Long Siege", `<a href="/territories/`}},
	{"/players/compare?players=nobody,Okapi", 200, []string{
		"No player named “nobody”", `href="/players/compare?players=Okapi"`,
	}},
	{"/players/compare?players=Twinleaf", 300, []string{`href="/players/compare?players=`}},
	{"/guilds/Mossbound%20Company/members", 200, []string{" hide when they play</span>"}},
	{"/guilds/Mossbound%20Company/members?away=8", 400, []string{"The number of days in the address does not exist."}},
	{"/worlds", 200, []string{"players online, including players who hide it"}},
	{"/worlds?days=7&world=EU37", 200, []string{"days=30"}},
	{"/worlds?world=XX999", 200, []string{"Nothing was recorded in this time."}},
	{"/seasons", 200, []string{`<svg class="lines"`, "Ranks<span"}},
	{"/players/Salted?metric=WARS&days=365", 200, []string{"wars, times in UTC</small>", `<svg class="lines"`, `data-y="`}},
	{"/guilds/Mossbound%20Company?days=8", 400, []string{"The number of days in the address does not exist."}},
	{"/items/bellwether", 404, []string{"Similar items:", ">Bellwether Cap</a>", `value="bellwether"`}},
	{"/guilds/Mossbound%20Company", 200, []string{
		`id="live-members" data-live="presence"`, `id="live-land" data-live="captures"`,
		"[MOSS]", "<svg class=\"map\"", `class="area"`,
		`class="area dim"`, "Salted",
	}},
	{"/players/Xalted", 404, []string{"><bdi>Salted</bdi></a>"}},
	{"/players/Sxlted", 404, []string{"><bdi>Salted</bdi></a>"}},
	{"/players/alted", 404, []string{"><bdi>Salted</bdi></a>"}},
	{"/guilds/Nossbound%20Company", 404, []string{"><bdi>Mossbound Company</bdi></a>"}},
	{"/guilds/Mosbound", 404, []string{"><bdi>Mossbound Company</bdi></a>"}},
	{"/players/Saltde", 404, []string{"><bdi>Salted</bdi></a>"}},
	{"/players/Aslted", 404, []string{"><bdi>Salted</bdi></a>"}},
	{"/players/Ssalted", 404, []string{"><bdi>Salted</bdi></a>"}},
	{"/guilds/unknown", 404, []string{"No guild named “unknown”"}},
	{"/leaderboards?filter=hich", 200, []string{`href="/leaderboards/hichContent"`}},
	{"/leaderboards/hicContent", 200, []string{
		`craftsman (HIC)`, `href="/leaderboards/hicContent" aria-current="true">Hardcore ironman craftsman</a>`, `href="/leaderboards/huichContent">`,
	}},
	{"/leaderboards", 200, []string{
		`Several gamemodes together`,
		`href="/leaderboards/globalPlayerContent"`, `<span class="leader">`, `<h2>Raids</h2>`, `class="empty" hidden`,
	}},
	{"/leaderboards?filter=Level%20WOODworking", 200, []string{"Woodworking level", `value="Level WOODworking"`}},
	{"/leaderboards?filter=nothing", 200, []string{`class="empty">No leaderboard matches`}},
	{"/leaderboards/globalPlayerContent", 200, []string{
		`<svg class="lines"`, "hidden by the player", "privacy settings",
	}},
	{"/leaderboards/gains?kind=GUILD&metric=CAVES", 200, []string{"Who gained most: wars", "Refreshed"}},
	{"/leaderboards/gains?kind=GUILD&metric=CAPTURED", 200, []string{
		"<h1>Who captured most territories</h1>", ">Territories, net</option>", `format=svg`,
	}},
	{"/leaderboards/gains?after=zzz", 400, []string{"The cursor belongs to another list."}},
	{"/leaderboards/gains?around=x", 400, []string{"Enter a UUID for around.", `<a href="/leaderboards/gains">`}},
	{"/leaderboards/gains?at=yesterday", 400, []string{"Enter a day such as 2026-03-20"}},
	{"/leaderboards/globalPlayerContent?after=zzz", 400, []string{"The cursor belongs to another list."}},
	{"/leaderboards/nothing", 404, []string{"No leaderboard named “nothing”"}},
	{"/territories", 200, []string{
		"<svg class=\"map\"", " territories.</p>", "<desc id=\"map-desc\">", "<th scope=\"col\">Guild</th>",
	}},
	{"/news", 200, []string{`<a href="/news.atom">`, `<h2><a href="/news/`}},
	{"/news/41", 200, []string{"Ends <time", "<h2>Which gate?</h2>", `<span>North</span>`, `<span class="n">7</span>`}},
	{"/news/42", 200, []string{"Ended <time", "<li>The last beekeeper</li>", "The counts are not public."}},
	{"/news/x", 404, []string{"<h1>Article not found"}},
	{"/search?query=moss", 200, []string{`<a href="/guilds/Mossbound%20Company">`, `value="moss"`}},
	{"/search?query=zzzzzzzz", 404, []string{"<h1>Nothing found", "a name like “zzzzzzzz”", `value="zzzzzzzz"`}},
	{"/search", 400, []string{"Enter a search term"}},
	{"/search?query=%3Cscript%3Ealert(1)%3C/script%3E", 404, nil},
}

// Pages show the data of the APIs, name the privacy setting that hides a value, and offer similar names.
func TestSite(t *testing.T) {
	p := apptest.Shared(t)
	for _, c := range sitePages {
		t.Run(c.path, func(t *testing.T) {
			res, text := openPage(t, p, "GET", c.path)
			res.Expect(t, c.path, c.status)
			for _, want := range c.want {
				want, forbidden := strings.CutPrefix(want, "!")
				if strings.Contains(text, strings.ReplaceAll(want, "$BASE", p.Base)) == forbidden {
					t.Errorf("%q: got it: %t", want, forbidden)
				}
			}
			if inlineScript.MatchString(text) || strings.Contains(text, "style=") || strings.Contains(text, "ZgotmplZ") ||
				strings.Contains(text, "&lt;nil&gt;") {
				t.Error("the page contains a script, an inline style or a value that could not be rendered")
			}
			h := res.Header
			if !strings.HasPrefix(h.Get("Content-Type"), "text/html") || !strings.HasPrefix(h.Get("Content-Security-Policy"),
				"default-src 'none'; script-src 'self'; style-src 'self';") || h.Get("Access-Control-Allow-Origin") != "" {
				t.Error(h)
			}
			if head, rest := openPage(t, p, "HEAD", c.path); head.Status != c.status || rest != "" {
				t.Errorf("HEAD: %d %q", head.Status, rest)
			}
			for _, host := range []string{"//", "http:", "https:"} {
				for _, attribute := range []string{`src="`, `href="`, `action="`} {
					if strings.Contains(strings.ReplaceAll(text, p.Base, ""), attribute+host) {
						t.Errorf("%s%s: a link to another host", attribute, host)
					}
				}
			}
		})
	}
}

// Suggestions of the search field have the drawings of guilds.
func TestSuggestionsHavePictures(t *testing.T) {
	p := apptest.Shared(t)
	_, text := openPage(t, p, "GET", "/search/suggestions?query=moss")
	if strings.Count(text, `"text":`) != 2 || strings.Count(text, "\\u003csvg class=") != 2 {
		t.Errorf("got %s", text)
	}
}

// Lists link to pages of their entries and to their next pages.
func TestLinksOfLists(t *testing.T) {
	p := apptest.Shared(t)
	for _, c := range []struct{ list, link, want string }{
		{"/news", `href="(/news\?after=[^"]+)"`, `rel="prev"`},
		{"/recipes?skill=COOKING", `href="(/recipes/[^"]+)"`, "<h2 id=\"materials\">Materials</h2>"},
		{"/recipes?skill=COOKING", `href="(/recipes/[^"]+)"`, "Ingredients for cooking"},
		{"/world-events", `href="(/world-events/[^"]+)">The Long Siege<`, `<circle class="spot"`},
		{"/guilds/Mossbound%20Company", `href="(/guilds/[^"]+/members)"`, "<h1>Members of <bdi>Mossbound Company</bdi></h1>"},
		{"/players?guild=mossbound%20company", "", "<h1>Members of <bdi>Mossbound Company</bdi></h1>"},
		{"/players?guild=5e0f9a7b-2c3d-4e1f-8a6b-9c0d1e2f3a4b&rank=OWNER", "", "<h1>Members of <bdi>Mossbound Company</bdi></h1>"},
	} {
		res, text := openPage(t, p, "GET", c.list)
		path := res.Header.Get("Location")
		if c.link != "" {
			found := regexp.MustCompile(c.link).FindStringSubmatch(text)
			if found == nil {
				t.Errorf("%s: got no link %s", c.list, c.link)
				continue
			}
			path = html.UnescapeString(found[1])
		}
		res, text = openPage(t, p, "GET", path)
		if res.Status != 200 || !strings.Contains(text, c.want) {
			t.Errorf("%s from %s: got %d without %q", path, c.list, res.Status, c.want)
		}
	}
}

// Charts can be saved as CSV and SVG, and lists of members as CSV.
func TestChartFiles(t *testing.T) {
	p := apptest.Shared(t)
	for path, head := range map[string]string{
		"/players/Salted?metric=WARS&days=365&format=csv": "\ufefftime,Wars\r\n",
		"/seasons?format=csv":                             "\ufefftime,",
		"/guilds/Mossbound%20Company/members?format=csv":  "\ufeffName,Rank,Contributed,This week,",
		"/players/Veiled?days=365&format=csv":             "",
	} {
		res, text := openPage(t, p, "GET", path)
		if res.Status != 200 || !strings.HasPrefix(res.Header.Get("Content-Type"), "text/csv") ||
			!strings.HasPrefix(text, head) || head != "" && strings.Count(text, "\n") < 2 {
			t.Errorf("%s: got %d %v %.200q", path, res.Status, res.Header, text)
		}
	}
	for _, path := range []string{
		"/seasons?format=svg", "/players/Salted?format=svg", "/players/Veiled?format=svg", "/leaderboards/gains?format=svg",
	} {
		res, text := openPage(t, p, "GET", path)
		if res.Status != 200 || res.Header.Get("Content-Type") != "image/svg+xml" ||
			res.Header.Get("Content-Security-Policy") != svgPolicy ||
			xml.Unmarshal([]byte(text), new(struct{})) != nil || !strings.Contains(text, p.Base+strings.TrimSuffix(path, "?format=svg")) {
			t.Errorf("%s: got %d %v %.200q", path, res.Status, res.Header, text)
		}
	}
	apptest.Get(t, p.Base+"/items/compare?items=Alderheart%20Ring&add=bellwether%20cap").Expect(t, "an item added by name",
		303, "Location", "/items/compare?items=Alderheart%20Ring,Bellwether%20Cap")
	apptest.Get(t, p.Base+"/worlds?format=xml").Expect(t, "another format", 400)
}

// Pages are cached like the responses of the APIs, and lists are saved as CSV by GraphQL.
func TestPagesAreCached(t *testing.T) {
	p := apptest.Shared(t)
	first, _ := openPage(t, p, "GET", "/classes")
	again, text := openPage(t, p, "GET", "/classes", "If-None-Match", first.Header.Get("ETag"))
	if again.Status != 304 || text != "" || !strings.Contains(again.Header.Get("Cache-Status"), "hit") ||
		again.Header.Get("Cache-Control") != "max-age=3600, public" {
		t.Errorf("%d %v", again.Status, again.Header)
	}
	if r, _ := openPage(t, p, "GET", "/players?format=csv&show=all"); r.Status != 303 ||
		!strings.HasPrefix(r.Header.Get("Location"), "/graphql?") {
		t.Errorf("CSV of a list: got %d %v", r.Status, r.Header)
	} else if list, text := openPage(t, p, "GET", r.Header.Get("Location")); list.Status != 200 ||
		!strings.HasPrefix(text, "\ufeffuuid,username,") {
		t.Errorf("CSV of a list: got %d %.100q", list.Status, text)
	}
	apptest.Get(t, p.Base+"/players/Salted").Expect(t, "a player", 200, "Cache-Control", "max-age=10, private",
		"RateLimit-Bucket", "PAGES")
}

// A wrong token is rejected, an ended session is a guest, and pages are read only.
func TestPagesRejectCredentials(t *testing.T) {
	p := apptest.Shared(t)
	apptest.Get(t, p.Base+"/players/Salted", "Authorization", "Bearer gdt_nothing").Expect(t, "a wrong token", 401)
	if r, text := openPage(t, p, "GET", "/players/Veiled", "Cookie", "__Host-session=ended"); r.Status != 200 ||
		!strings.Contains(text, "main_access") {
		t.Errorf("an expired session: got %d, want 200 for a guest", r.Status)
	}
	apptest.Request(t, "POST", p.Base+"/territories", "").Expect(t, "POST", 405, "Allow", "GET, HEAD")
}

// A browser that opens /graphql gets the console.
func TestGraphQLInBrowser(t *testing.T) {
	p := apptest.Shared(t)
	for accept, want := range map[string]int{"text/html,*/*;q=0.8": 303, "application/json": 400, "*/*": 400} {
		r, _ := openPage(t, p, "GET", "/graphql", "Accept", accept)
		if r.Status != want || want == 303 && r.Header.Get("Location") != "/playground" ||
			!slices.Contains(r.Header.Values("Vary"), "Accept") {
			t.Errorf("%s: got %d %v, want %d", accept, r.Status, r.Header, want)
		}
	}
	if r, body := openPage(t, p, "GET", "/favicon.ico"); r.Status != 200 || !strings.HasPrefix(body, "<svg") {
		t.Errorf("favicon.ico: got %d", r.Status)
	}
}

// An unknown path is a page for browsers and an error in JSON for programs.
func TestUnknownPages(t *testing.T) {
	p := apptest.Shared(t)
	for _, path := range []string{"/player", "/guilds/", "/leaderboards/a/b", "/nothing"} {
		r, text := openPage(t, p, "GET", path, "Accept", "text/html,*/*;q=0.8", "Authorization", "Bearer gdt_nothing")
		if r.Status != 404 || !strings.Contains(text, "Page not found") || !strings.Contains(text,
			`name="query"`) || r.Header.Get("RateLimit-Bucket") != "PAGES" {
			t.Errorf("%s: %d %v %s", path, r.Status, r.Header, text)
		}
		if r, text := openPage(t, p, "GET", path, "Accept", "text/html;q=0"); r.Status != 404 || !strings.HasPrefix(text,
			`{"error":"NotFound"`) {
			t.Errorf("%s as JSON: got %d %s, want 404", path, r.Status, text)
		}
	}
}

// No value in an address breaks a page.
func TestHostilePages(t *testing.T) {
	p := apptest.Shared(t)
	for _, value := range []string{
		"0", "%2B7", strings.Repeat("9", 3000), "%00", "%ff", "%0d%0aX:1", "$ne", "%7B%22%24gt%22%3A%22%22%7D",
		"a%26b", "..%2F..%2Fwhoami", strings.Repeat("%C3%A9", 500), "%D9%A3",
	} {
		for _, path := range []string{
			"/players/", "/players/Salted/characters/", "/guilds/", "/items/", "/leaderboards/", "/search?query=",
		} {
			if r, text := openPage(t, p, "GET", path+value); r.Status >= 500 || strings.Contains(text, "ZgotmplZ") {
				t.Errorf("%s%s: %d", path, value, r.Status)
			}
		}
	}
}

// cardAddress matches the address of the picture of a page.
var cardAddress = regexp.MustCompile(`<meta property="og:image" content="([^"]*)">`)

// Pages name a picture that is made for a guest, even when a user requests it.
func TestCards(t *testing.T) {
	p := apptest.Shared(t)
	seen := map[string]string{}
	for _, path := range []string{
		"/players/Salted", "/players/Okapi", "/players/Veiled", "/guilds/mossbound%20company", "/guilds/Lantern%20Row",
		"/items/Bellwether%20Cap", "/items/Alderheart%20Arc", "/leaderboards/globalPlayerContent", "/leaderboards/guildWars",
		"/territories/Fernmoor%20Keep", "/guilds/Mossbound%20Company/week", "/players/Salted/week",
	} {
		_, page := openPage(t, p, "GET", path)
		match := cardAddress.FindStringSubmatch(page)
		if match == nil || !strings.HasPrefix(match[1], p.Base+"/") || !strings.Contains(page, "summary_large_image") {
			t.Errorf("%s names the picture %q, want an address in full", path, match)
			continue
		}
		at := strings.TrimPrefix(match[1], p.Base)
		res, body := openPage(t, p, "GET", at)
		picture, err := png.Decode(strings.NewReader(body))
		if zipped, _ := openPage(t, p, "GET", at, "Accept-Encoding", "gzip"); zipped.Header.Get("Content-Encoding") != "" {
			t.Errorf("%s: a picture is compressed again", at)
		}
		if res.Status != 200 || res.Header.Get("Content-Type") != "image/png" || err != nil ||
			picture.Bounds() != image.Rect(0, 0, 1200, 630) || !strings.HasSuffix(res.Header.Get("Cache-Control"), ", public") {
			t.Errorf("%s: got %d %v, error %v", at, res.Status, res.Header, err)
		}
		if other := seen[body]; other != "" {
			t.Errorf("%s has the picture of %s", path, other)
		}
		seen[body] = path
		if head, rest := openPage(t, p, "HEAD", at); head.Status != 200 || rest != "" ||
			head.Header.Get("Content-Length") != strconv.Itoa(len(body)) {
			t.Errorf("HEAD %s: got %d %v", at, head.Status, head.Header)
		}
		again, rest := openPage(t, p, "GET", at, "If-None-Match", res.Header.Get("ETag"))
		if again.Status != 304 || rest != "" {
			t.Errorf("%s unchanged: got %d, want 304", at, again.Status)
		}
	}
	apptest.Request(t, "POST", p.Base+"/players/Salted/card.png", "").Expect(t, "POST", 405)
}

// An item has one page, under its internal name; its display name redirects there.
func TestItemPages(t *testing.T) {
	p := apptest.Shared(t)
	type item struct{ InternalName, DisplayName string }
	items := apptest.Query[struct{ Items struct{ Nodes []item } }](t, p.Base,
		`{ items(first: 100000) { nodes { internalName displayName } } }`).Items.Nodes
	shown := map[string]int{}
	for _, i := range items {
		shown[i.DisplayName]++
	}
	for n := 0; n < len(items); n += len(items) / 20 {
		i := items[n]
		page := "/items/" + url.PathEscape(i.InternalName)
		if r, text := openPage(t, p, "GET", page); r.Status != 200 || !strings.Contains(text, "<dt>Level</dt>") ||
			!strings.Contains(text, `class="tooltip`) {
			t.Errorf("%s: %d", page, r.Status)
		}
		if shown[i.DisplayName] == 1 && i.InternalName != i.DisplayName {
			r, _ := openPage(t, p, "GET", "/items/"+url.PathEscape(strings.ToUpper(i.DisplayName)))
			r.Expect(t, i.DisplayName, 303, "Location", page)
		}
	}
}
