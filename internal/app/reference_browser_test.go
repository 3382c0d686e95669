package app_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"gamedata/rest"
)

// screens are the screen sizes of the browser tests.
var screens = []struct {
	name          string
	width, height int64
	dark          bool
}{
	{"desk", 1440, 900, false},
	{"desk in the dark", 1440, 900, true},
	{"phone", 390, 844, false},
}

// The API reference shows an endpoint with its operation, runs it, and links to the console, the explanation and the
// contract cases. No page requests another host.
func TestReferenceInBrowser(t *testing.T) {
	p := sharedService(t)
	if r, _ := get(t, p.base+"/docs"); r.StatusCode != http.StatusOK {
		skipMissing(t, "the reference is not built: make build")
	}
	for _, c := range screens {
		t.Run(c.name, func(t *testing.T) {
			b := openBrowser(t, c.width, c.height, c.dark)
			b.do(chromedp.Navigate(p.base + "/docs"))
			b.waitFor(`document.querySelectorAll(".opblock").length > 0`)
			if n := evaluate[int](b, `document.querySelectorAll(".opblock").length`); n != len(rest.Rows) {
				t.Errorf("got %d endpoints, want %d", n, len(rest.Rows))
			}
			if dark := evaluate[bool](b, `document.documentElement.classList.contains("dark-mode")`); dark != c.dark {
				t.Errorf("got dark mode %v, want %v", dark, c.dark)
			}
			b.expectFits()
			b.screenshot("docs")

			b.do(chromedp.Focus(chromedp.CSS("#operations-Player-Player .opblock-summary-control")), chromedp.KeyEvent(kb.Enter))
			b.waitFor(`document.querySelector("#operations-Player-Player .graphql pre")
				?.textContent.startsWith("query Player ")`)
			if says := b.text(
				"#operations-Player-Player .graphql-body p",
			); says != "A request costs 1 in the bucket PLAYER. Cacheable for 120 seconds, depends on the caller." {
				t.Errorf("got the cost %q", says)
			}
			b.do(chromedp.Click(chromedp.CSS("#operations-Player-Player .try-out__btn")),
				chromedp.Click(chromedp.CSS("#operations-Player-Player .execute")))
			b.waitFor(
				`document.querySelector("#operations-Player-Player .live-responses-table tbody .response-col_status")
					?.textContent.startsWith("200")`,
			)
			b.do(
				chromedp.Evaluate[chromedp.Void](`document.querySelector("#operations-Player-Player .graphql").scrollIntoView()`),
			)
			if over := evaluate[int](b, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
				t.Errorf("the endpoint is %d pixels too wide", over)
			}
			b.screenshot("endpoint")
			consoleLink := evaluate[string](
				b,
				`document.querySelector("#operations-Player-Player .graphql a").getAttribute("href")`,
			)

			b.do(chromedp.Click(chromedp.CSS(`#operations-Player-Player .graphql a[href^="/explain"]`)))
			b.waitForPage(`document.querySelector("h1")?.textContent === "GET /v3/player/{username}"`)
			b.do(chromedp.Navigate(p.base + "/explain/v3/player/Salted?fullResult"))
			b.waitForPage(`[...document.querySelectorAll(".definitions dd")].some(e => e.textContent === '"Salted"')`)
			b.expectFits()
			b.screenshot("explained")
			b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("table").scrollIntoView()`))
			b.screenshot("field map")

			b.do(chromedp.Click(chromedp.CSS(`a[href^="/compatibility#Player"]`)))
			b.waitForPage(`location.pathname === "/compatibility" && document.querySelectorAll("article").length > 40`)
			b.do(chromedp.Click(chromedp.CSS("#Player summary")))
			b.waitFor(`document.querySelector("#Player details[open] li a")?.checkVisibility()`)
			b.expectFits()
			b.screenshot("compatibility")

			if c.name != "desk" {
				b.expectClean(p.base)
				return // the rest does not depend on the screen
			}
			for _, path := range []string{
				"/v3/oauth/token",
				"/v3/ability/tree/{tree}",
			} { // without an operation, and in a group with a blank in its name
				e := explain(t, p, path)
				name := e.Links.Docs[strings.LastIndexByte(e.Links.Docs, '/')+1:]
				b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(p.base+e.Links.Docs))
				b.waitForPage(`document.querySelector("[id$=-` + name + `].is-open .graphql")
					?.textContent.includes("bucket SHARED")`)
			}
			b.do(chromedp.Navigate(p.base + consoleLink))
			b.waitForPage(`document.querySelector(".graphiql-query-editor .view-lines")?.textContent.includes("Player")`)
			b.waitFor(`document.querySelector(".limits")?.textContent.includes("SHARED")`)
			b.do(chromedp.Click(chromedp.CSS(".graphiql-execute-button")))
			b.waitFor(`document.querySelector(".result-window .view-lines")?.textContent.includes("Salted")`)
			b.expectClean(p.base)
		})
	}
}
