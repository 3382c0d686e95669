package pages

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"gamedata/internal/app/apptest"
	"gamedata/internal/slowtest"
)

// openConsole opens the console in a browser and waits until it is ready.
func openConsole(t *testing.T, p *apptest.Program, address string, width, height int64, dark bool) *browserPage {
	t.Helper()
	if r := apptest.Get(t, p.Base+"/playground"); r.Status != http.StatusOK {
		skipMissing(t, "the console is not built: make build")
	}
	b := openBrowser(t, width, height, dark)
	b.do(chromedp.Navigate(p.Base + address))
	b.waitFor(`document.querySelector(".query-editor .view-lines")?.textContent.includes("{")`)
	b.waitForPage(`document.querySelector(".console")?.ariaBusy === "false"`) // the schema is there
	return b
}

// The editor completes names of the schema with their descriptions, without requests to other hosts.
func TestConsoleCompletion(t *testing.T) {
	slowtest.Only(t)
	p := apptest.Shared(t)
	query := url.QueryEscape("query Mine {\n  player(by: {username: \"Salted\"}) {\n    username\n  }\n}")
	b := openConsole(t, p, "/playground?query="+query, 1440, 900, false)
	b.waitFor(`location.hash.startsWith("#query=query%20Mine")`)
	b.do(chromedp.Click(chromedp.CSS(".query-editor .view-lines")), // the cursor comes to the end
		chromedp.KeyEvent(kb.Home, chromedp.KeyModifiers(chromedp.ModifierCtrl)), chromedp.KeyEvent(kb.ArrowDown),
		chromedp.KeyEvent(kb.ArrowDown),
		chromedp.KeyEvent(kb.End), chromedp.KeyEvent(kb.Enter), chromedp.KeyEvent("vet"))
	b.waitFor(`document.querySelector(".suggest-widget.visible")?.textContent.includes("veteran")`)
	b.do(chromedp.KeyEvent(" ", chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	b.waitFor(
		`document.querySelector(".suggest-details")?.textContent.includes("the mark of players of long standing")`,
	)
	b.screenshot("completion")
	b.do(chromedp.KeyEvent(kb.Enter), chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	b.waitFor(`document.querySelector(".result-window .view-lines")?.textContent.includes("veteran")`)
	b.expectClean(p.Base)
}

// A run sends the digits of variables as they are typed.
func TestConsoleDigits(t *testing.T) {
	slowtest.Only(t)
	p := apptest.Shared(t)
	values := url.Values{
		"query":     {"query Q($n: Int64) { guilds(filter: {wars: {min: $n}}) { totalCount } }"},
		"variables": {"{\"n\": 9007199254740993, /* as typed */}"},
	}
	b := openConsole(t, p, "/playground?"+strings.ReplaceAll(values.Encode(), "+", "%20"), 1440, 900, false)
	evaluate[any](b, `{
		const send = window.fetch;
		window.sent = [];
		window.fetch = (to, options) => (window.sent.push(options?.body ?? ""), send(to, options));
	}`)
	b.do(chromedp.Click(chromedp.CSS(".tools .run")))
	b.waitFor(`window.sent.some((body) => body.includes('"variables":{"n":9007199254740993}'))`)
	b.waitFor(`document.querySelector(".result-window .view-lines")?.textContent.includes("totalCount")`)
	b.expectClean(p.Base)
}

// The console saves a list of the response as CSV and NDJSON.
func TestConsoleDownloads(t *testing.T) {
	slowtest.Only(t)
	p := apptest.Shared(t)
	b := openConsole(t, p, "/playground", 1440, 900, false)
	folder, yes := t.TempDir(), true
	if _, err := chromedp.CallBrowser(b.ctx, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{
		Behavior: browser.SetDownloadBehaviorBehaviorAllow, DownloadPath: folder, EventsEnabled: &yes,
	}); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{}, 2)
	if err := chromedp.ListenBrowser(b.ctx, func(event any) {
		if e, ok := event.(*browser.EventDownloadProgress); ok && e.State == browser.DownloadProgressStateCompleted {
			done <- struct{}{}
		}
	}); err != nil {
		t.Fatal(err)
	}
	b.do(chromedp.Click(chromedp.CSS(".rail button")))
	evaluate[any](b, `[...document.querySelectorAll(".gallery button")].find(
		(e) => e.textContent === "A guild during a war").click()`)
	b.waitFor(`document.querySelector(".limits")?.textContent.includes("GUILD")`)
	b.do(chromedp.Click(chromedp.CSS(".rail button")))
	b.show("Table")
	b.choose(".response select[name=list]", "guild.members.nodes")
	b.screenshot("guild")
	for _, kind := range []string{"CSV", "NDJSON"} {
		b.do(chromedp.Click(chromedp.CSS(`.choices button[value="` + kind + `"]`)))
		select {
		case <-done:
		case <-time.After(time.Minute):
			t.Fatalf("got no %s download", kind)
		}
	}
	for name, begins := range map[string]string{
		"GuildWar-guild-members-nodes.csv": "\ufeffusername,rank,online,world,wars,contributed," +
			"weekly.completed,weekly.streak\r\n",
		"GuildWar-guild-members-nodes.ndjson": `{"username":"`,
	} {
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil || !strings.HasPrefix(string(text), begins) || strings.Count(string(text), "\n") < 5 {
			t.Errorf("%s: %v %.200q", name, err, text)
		}
	}
	b.expectClean(p.Base)
}

// The console's tools and views can be reached by keyboard, links reuse a tab, and an error leads to its line.
func TestConsoleByKeyboard(t *testing.T) {
	slowtest.Only(t)
	t.Parallel()
	p := apptest.Shared(t)
	b := openConsole(t, p, "/playground", 1440, 900, false)
	b.waitFor(`document.querySelector(".limits")?.textContent.includes("PLAYER")`)
	b.do(chromedp.Focus(chromedp.CSS(`.views button[value="JSON"]`)), chromedp.KeyEvent(kb.Tab),
		chromedp.KeyEvent(" "))
	b.waitFor(`document.querySelector(".views button[value=Table]").ariaPressed === "true"`)
	for _, want := range []string{
		"CHART-BUTTON", "CODE-BUTTON", "REST-BUTTON", "LIST-SELECT", "INPUT", "SUMMARY", "CSV-BUTTON", "NDJSON-BUTTON",
		"SCROLL-DIV",
	} {
		b.do(chromedp.KeyEvent(kb.Tab))
		got := evaluate[string](b, `((e) => [e.tagName === "SELECT" ? e.name : e.value ?? e.className, e.tagName].
			filter(Boolean).join("-"))(document.activeElement)`)
		if !strings.EqualFold(got, want) {
			t.Errorf("Tab: got the focus on %s, want %s", got, want)
		}
	}
	width := `document.querySelector(".response").getBoundingClientRect().width`
	before := evaluate[float64](b, width)
	b.do(chromedp.Focus(chromedp.CSS(`[role=separator][aria-label="Width of the query"]`)),
		chromedp.KeyEvent(kb.ArrowLeft))
	b.waitFor(fmt.Sprintf("%s > %v", width, before))

	for _, query := range []string{"query First {\n  nothing\n}", "query Second {\n  viewer {\n    nobody\n  }\n}"} {
		b.do(chromedp.Navigate(p.Base + "/account/sign-in"))
		b.do(chromedp.Navigate(p.Base + "/playground?query=" + url.QueryEscape(query)))
		b.waitForPage(`document.querySelector(".console")?.ariaBusy === "false"`)
		b.waitFor(`document.querySelectorAll(".tabs .tab").length === 2`)
	}
	b.waitFor(`document.querySelector(".tabs .active")?.textContent === "Second"`)
	b.do(chromedp.Click(chromedp.CSS(".run")))
	b.waitFor(`document.querySelector(".errors")?.textContent.includes("Cannot query field")`)
	b.do(chromedp.Click(chromedp.CSS(".errors button")))
	b.waitFor(`document.querySelector(".query-editor .active-line-number")?.textContent === "3"`)
	b.screenshot("error")
	b.expectClean(p.Base)
}
