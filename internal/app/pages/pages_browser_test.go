package pages

import (
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"gamedata/internal/app/apptest"
	"gamedata/internal/slowtest"
)

// Times are relative to the clock of the service, not to that of the browser: what happened just now is neither in the
// future nor an hour ago.
func TestWrongClocks(t *testing.T) {
	slowtest.Only(t)
	t.Parallel()
	p := apptest.Shared(t)
	for _, wrong := range []string{"-36e5", "36e5"} {
		b := openBrowser(t, 800, 600, false)
		call(b, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{
			Source: "const real = Date.now; const D = Date; Date = class extends D {" +
				"constructor(...a) { super(...(a.length > 0 ? a : [real() + " + wrong + "])); }" +
				"static now() { return real() + " + wrong + "; } };",
		})
		b.do(chromedp.Navigate(p.Base + "/map"))
		b.waitFor(`/now|moment|ago|in /.test(document.querySelector("time[data-relative]")?.textContent)`)
		text := evaluate[string](b, `[...document.querySelectorAll("time[data-relative]")].map((e) => {
			const ago = (performance.timeOrigin + performance.now() - Date.parse(e.dateTime)) / 60000;
			return ago < 50 && ago >= 0 && !/just now|minute/.test(e.textContent) ? e.textContent : "";
		}).join("")`)
		future := evaluate[string](b, `document.querySelector("time[data-relative]").textContent`)
		if text != "" || strings.HasPrefix(future, "in ") {
			t.Errorf("%s: got %q, %q", wrong, text, future)
		}
		b.expectClean(p.Base)
	}
}

// sweptPages are the pages that every sweep looks at, with a word for the name of their screenshots.
var sweptPages = []struct{ name, path string }{
	{"front", "/"},
	{"search", "/search?query=moss"},
	{"nothing", "/players/nobody-has-this-name"},
	{"players", "/players"},
	{"player", "/players/Salted"},
	{"character", "/players/Salted/characters/6c1f0b52-8f3e-4d0a-b7a1-2e9c4d5f6a70"},
	{"hidden", "/players/Veiled"},
	{"player-week", "/players/Salted/week"},
	{"guilds", "/guilds"},
	{"guild", "/guilds/Mossbound%20Company"},
	{"members", "/guilds/Mossbound%20Company/members"},
	{"guild-week", "/guilds/Mossbound%20Company/week"},
	{"items", "/items?tier=MYTHIC&identification=walkSpeed&sort=LEVEL"},
	{"item", "/items/Bellwether%20Cap"},
	{"compare", "/items/compare?items=Bellwether%20Cap,Alderheart%20Ring,Alderheart%20Arc"},
	{
		"compare-players",
		"/players/compare?players=3f2b8c1e-7a4d-4e9b-9c55-0d1e2f3a4b5c,c7d4e5f6-1a2b-4c3d-9e8f-7a6b5c4d3e2f",
	},
	{"classes", "/classes"},
	{"class", "/classes/archer"},
	{"recipes", "/recipes?skill=COOKING"},
	{"recipe", "/recipes/Boots1-3"},
	{"world-events", "/world-events"},
	{"world-event", "/world-events/d40a6e17"},
	{"worlds", "/worlds"},
	{"seasons", "/seasons"},
	{"leaderboards", "/leaderboards"},
	{"leaderboard", "/leaderboards/globalPlayerContent"},
	{"gains", "/leaderboards/gains"},
	{"competition", "/competitions/company"},
	{"territories", "/territories"},
	{"map", "/map"},
	{"territory", "/territories/Fernmoor%20Keep"},
	{"news", "/news"},
	{"article", "/news/41"},
	{"sign-in", "/account/sign-in"},
	{"docs", "/docs"},
	{"guide", "/docs/guides/getting-started"},
	{"rest", "/docs/rest"},
	{"endpoint", "/docs/rest/Player"},
	{"graphql", "/docs/graphql"},
	{"type", "/docs/graphql/PlayerFilter"},
	{"query", "/docs/graphql/query/players"},
	{"docs-search", "/docs/search?q=capture"},
}

// Every page fits a desktop in light and a phone in dark mode, loads nothing from other hosts, has no errors in the
// console of the browser and no violation that axe finds.
func TestPagesInBrowser(t *testing.T) {
	slowtest.Only(t)
	t.Parallel()
	p := apptest.Shared(t)
	b := openBrowser(t, 1280, 1400, false)
	for _, page := range sweptPages {
		b.during("desk "+page.path, func() {
			b.do(chromedp.Navigate(p.Base + page.path))
			b.waitForPage(`location.href === ` + strconv.Quote(p.Base+page.path))
			b.expectFits()
			b.expectAccessible()
			b.screenshots(page.name)
		})
		b.during("phone "+page.path, func() {
			b.resize(390, 1400, "dark")
			b.expectFits()
			b.expectAccessible()
			b.resize(1280, 1400, "light")
		})
	}
	b.during("desk search", func() { b.searchFor(p.Base) })
	b.resize(390, 1400, "dark")
	b.during("phone search", func() { b.searchFor(p.Base) })
	b.expectClean(p.Base)
}

// A name of 120 wide letters, which have no place to break, makes no page wider than the window.
func TestLongNames(t *testing.T) {
	slowtest.Only(t)
	t.Parallel()
	p, dir := apptest.StartDemo(t)
	const guild, player = "5e0f9a7b-2c3d-4e1f-8a6b-9c0d1e2f3a4b", "3f2b8c1e-7a4d-4e9b-9c55-0d1e2f3a4b5c"
	name := strings.Repeat("W", 120)
	apptest.Request(t, "POST", p.Base+"/feed",
		`{"id": "1", "event": "GuildRenamed", "data": {"guild": "`+guild+`", "name": "`+name+`", "prefix": "MOSS"}}`+"\n"+
			`{"id": "2", "event": "PlayerRenamed", "data": {"player": "`+player+`", "username": "`+name+`"}}`+"\n"+
			`{"id": "3", "event": "TerritoryCaptured", "data": {"territory": "Fernmoor Keep", "guild": "`+guild+`"}}`,
		"Authorization", "Bearer "+apptest.CreateFeedToken(t, dir), "Content-Type", "application/x-ndjson").
		Expect(t, "feed", 200)
	b := openBrowser(t, 1280, 1000, false)
	paths := strings.NewReplacer("Salted", player, "Mossbound%20Company", name)
	for _, page := range sweptPages {
		if strings.HasPrefix(page.path, "/docs") {
			continue
		}
		path := paths.Replace(page.path)
		b.during(path, func() {
			b.do(chromedp.Navigate(p.Base + path))
			b.waitForPage(`location.href === ` + strconv.Quote(p.Base+path))
			b.expectFits()
			b.resize(360, 1000, "light")
			b.expectFits()
			b.resize(1280, 1000, "light")
		})
	}
}

// Pages that are open in the dark theme are printed dark on white.
func TestPrintingInDarkTheme(t *testing.T) {
	slowtest.Only(t)
	t.Parallel()
	p := apptest.Shared(t)
	b := openBrowser(t, 1280, 1000, true)
	call(b, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{
		Source: `localStorage.setItem("theme", "dark")`,
	})
	for _, path := range []string{"/guilds/Mossbound%20Company", "/items/Bellwether%20Cap", "/docs", "/playground"} {
		b.do(chromedp.Navigate(p.Base + path))
		b.waitForPage(`document.documentElement.dataset.theme === "dark"`)
		call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
		pale := evaluate[string](b, `[document.body, ...document.querySelectorAll("main :is(h1, p, dt, dd, td)")].filter((e) =>
			e.checkVisibility() && Math.max(...getComputedStyle(e).color.match(/\d+/g).slice(0, 3)) > 200)[0]?.outerHTML ?? ""`)
		if pale != "" {
			t.Errorf("%s: pale on paper: %.200s", path, pale)
		}
		b.resize(1280, 1000, "dark")
	}
}

// More pages can be open than a browser has connections to a host. Web Locks are missing by plain HTTP.
func TestManyTabs(t *testing.T) {
	slowtest.Only(t)
	t.Parallel()
	p := apptest.Shared(t)
	b := openBrowser(t, 800, 600, false)
	for range 8 {
		ctx, cancel := chromedp.NewContext(b.ctx)
		t.Cleanup(cancel)
		tab := &browserPage{t: t, ctx: ctx}
		call(tab, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{
			Source: `Object.defineProperty(navigator, "locks", { value: undefined })`,
		})
		tab.do(chromedp.Navigate(p.Base + "/map"))
		tab.waitForPage(`document.querySelector(".map-live")?.textContent === "Live"`)
	}
}

// during runs a check of a page and names the page in what goes wrong. A page's status 404 is no problem.
func (b *browserPage) during(page string, check func()) {
	b.t.Helper()
	b.mu.Lock()
	before := len(b.problems)
	b.mu.Unlock()
	b.subject = page + ": "
	check()
	b.subject = ""
	b.mu.Lock()
	defer b.mu.Unlock()
	var mine []string
	for _, problem := range b.problems[before:] {
		if !strings.Contains(problem, "status of 404") {
			mine = append(mine, page+": "+problem)
		}
	}
	b.problems = append(b.problems[:before], mine...)
}

// readAxe reads the accessibility checker, which is installed with the console's packages.
var readAxe = sync.OnceValues(func() ([]byte, error) {
	return os.ReadFile("../../web/console/node_modules/axe-core/axe.min.js")
})

// axeVisualRules are the rules of axe whose result depends on colours and sizes.
var axeVisualRules = []string{
	"color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size", //nolint:misspell // axe's names
}

// expectAccessible checks that axe finds no violation on the page: in a wide window of all rules, in a narrow one of
// those whose result may differ there. Of the territories on a map and of the rows of a table, which are all alike, it
// looks at the first ones.
func (b *browserPage) expectAccessible() {
	b.t.Helper()
	rules := []string{"wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"}
	if evaluate[bool](b, `innerWidth < 700`) {
		rules = axeVisualRules
	}
	only, err := json.Marshal(rules)
	if err != nil {
		b.fail(err)
	}
	if evaluate[bool](b, `window.axe === undefined`) {
		axe, err := readAxe()
		if err != nil {
			skipMissing(b.t, "axe-core is not installed: make console")
		}
		evaluate[bool](b, string(axe)+"; true")
	}
	found, err := chromedp.Run(b.ctx, chromedp.Evaluate[[]string](`
		axe.run({ exclude: [".map a ~ a", ".map text", "tbody tr:nth-child(n+7)"] }, {
			runOnly: `+string(only)+`, resultTypes: ["violations"] // the descriptions of what passes take long
		}).then(
			(r) => r.violations.flatMap((v) => v.nodes.slice(0, 5).map(
				(n) => v.id + " " + n.target + ": " + n.failureSummary.replace(/\s+/g, " "))))`, chromedp.EvalAwaitPromise))
	if err != nil {
		b.fail(err)
	}
	for _, violation := range found {
		b.t.Errorf("%s%s", b.subject, violation)
	}
}

// searchFor uses the skip link, the search field with its suggestions, and the keyboard.
func (b *browserPage) searchFor(base string) {
	b.do(chromedp.Navigate(base + "/leaderboards"))
	b.waitForPage(`location.pathname === "/leaderboards"`)
	b.pressKeys(kb.Tab)
	if where := evaluate[string](b, `document.activeElement.className`); where != "skip" {
		b.t.Errorf("Tab: got the focus on %q, want the skip link", where)
	}
	// As an event: the keys that the driver presses reach the field although the script handles them.
	if where := evaluate[string](b, `document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "k", ctrlKey: true, bubbles: true})),
		document.activeElement.id`); where != "find" {
		b.t.Errorf("Ctrl+K: got the focus on %q, want the search", where)
	}
	b.pressKeys("mossbound")
	b.waitFor(`document.querySelectorAll("#find-suggestions [role=option]").length > 0`)
	b.pressKeys(kb.ArrowDown)
	b.waitFor(`document.querySelector("#find").hasAttribute("aria-activedescendant")`)
	b.pressKeys(kb.Enter)
	b.waitForPage(`document.title.startsWith("Mossbound Company")`)
	b.expectDrawn("svg.map")
}

// expectDrawn checks that drawings exist, are styled, and have a title and a description.
func (b *browserPage) expectDrawn(selectors ...string) {
	b.t.Helper()
	for _, s := range selectors {
		if !evaluate[bool](b, `(() => {
			const drawing = document.querySelector("`+s+`");
			const ids = drawing?.getAttribute("aria-labelledby").split(" ");
			const says = ids?.every((id) => document.getElementById(id).textContent.length > 10);
			const fill = drawing && getComputedStyle(drawing.querySelector("rect, circle")).fill;
			return says && drawing.getBoundingClientRect().height > 100 && fill !== "none";
		})()`) {
			b.t.Errorf("%s is not drawn", s)
		}
	}
}
