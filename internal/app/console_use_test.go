package app_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// openConsole opens the console in a browser and waits until it is ready.
func openConsole(t *testing.T, p *program, address string, width, height int64, dark bool) *browserPage {
	t.Helper()
	if r, _ := get(t, p.base+"/playground"); r.StatusCode != http.StatusOK {
		skipMissing(t, "the console is not built: make build")
	}
	b := openBrowser(t, width, height, dark)
	b.do(chromedp.Navigate(p.base + address))
	b.waitFor(`document.querySelector(".graphiql-query-editor .view-lines")?.textContent.includes("{")`)
	b.waitFor(`document.querySelector(".limits")?.textContent.includes("SHARED")`) // the schema is there
	return b
}

// The editor completes names of the schema with their descriptions, without requests to other hosts.
func TestConsoleCompletion(t *testing.T) {
	p := sharedService(t)
	b := openConsole(
		t,
		p,
		"/playground?query=query+Mine+%7B%0A++player%28by%3A+%7Busername%3A+%22Salted%22%7D%29+%7B%0A++++username%0A++%7D%0A%7D",
		1440,
		900,
		false,
	)
	b.waitFor(`document.querySelectorAll(".graphiql-tab").length === 8`)     // the link's beside the examples
	b.do(chromedp.Click(chromedp.CSS(".graphiql-query-editor .view-lines")), // the cursor comes to the end
		chromedp.KeyEvent(kb.Home, chromedp.KeyModifiers(chromedp.ModifierCtrl)), chromedp.KeyEvent(kb.ArrowDown),
		chromedp.KeyEvent(kb.ArrowDown),
		chromedp.KeyEvent(kb.End), chromedp.KeyEvent(kb.Enter), chromedp.KeyEvent("vet"))
	b.waitFor(`document.querySelector(".suggest-widget.visible")?.textContent.includes("veteran")`)
	b.do(chromedp.KeyEvent(" ", chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	b.waitFor(
		`document.querySelector(".suggest-details")?.textContent.includes("Whether the player carries the veteran mark.")`,
	)
	b.screenshot("completion")
	b.do(chromedp.KeyEvent(kb.Enter), chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	b.waitFor(`document.querySelector(".result-window .view-lines")?.textContent.includes("veteran")`)
	b.expectClean(p.base)
}

// The console saves a list of the response as CSV and NDJSON.
func TestConsoleDownloads(t *testing.T) {
	p := sharedService(t)
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
	b.do(chromedp.Click(chromedp.CSS("#graphiql-session-tab-1")), chromedp.Click(chromedp.CSS(".graphiql-execute-button")))
	b.waitFor(`document.querySelector(".limits")?.textContent.includes("GUILD")`)
	b.show("Table")
	b.choose(".response-view select", "guild.members.nodes")
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
		"GuildWar-guild-members-nodes.csv": "\ufeffusername,rank,online,server,wars,contributed," +
			"weekly.completed,weekly.streak\r\n",
		"GuildWar-guild-members-nodes.ndjson": `{"username":"`,
	} {
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil || !strings.HasPrefix(string(text), begins) || strings.Count(string(text), "\n") < 5 {
			t.Errorf("%s: %v %.200q", name, err, text)
		}
	}
	b.expectClean(p.base)
}

// The console's views of a response can be reached by keyboard.
func TestConsoleByKeyboard(t *testing.T) {
	p := sharedService(t)
	b := openConsole(t, p, "/playground", 1440, 900, false)
	b.do(chromedp.Focus(chromedp.CSS(".graphiql-execute-button")), chromedp.KeyEvent(kb.Enter))
	b.waitFor(`document.querySelector(".limits")?.textContent.includes("PLAYER")`)
	b.do(chromedp.Focus(chromedp.CSS(`.response-bar button[value="JSON"]`)), chromedp.KeyEvent(kb.Tab),
		chromedp.KeyEvent(" "))
	b.waitFor(`document.querySelector(".response-bar button[value=Table]").ariaPressed === "true"`)
	for _, want := range []string{"CODE-BUTTON", "REST-BUTTON", "SELECT", "CSV-BUTTON", "NDJSON-BUTTON", "scroll-DIV"} {
		b.do(chromedp.KeyEvent(kb.Tab))
		got := evaluate[string](
			b,
			`(() => {
				const e = document.activeElement;
				return [e.tagName === "SELECT" ? "" : e.value ?? e.className, e.tagName].filter(Boolean).join("-");
			})()`,
		)
		if !strings.EqualFold(got, want) {
			t.Errorf("Tab: got the focus on %s, want %s", got, want)
		}
	}
	b.expectClean(p.base)
}
