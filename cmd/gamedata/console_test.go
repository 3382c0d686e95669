package main

import (
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A person opens the console, runs the first example and looks at the answer in every way,
// at a desk and on a phone.
func TestConsoleInBrowser(t *testing.T) {
	p := start(t, demo(t)...)
	if r, _ := get(t, p.base+"/playground"); r.StatusCode != http.StatusOK {
		t.Skip("the console is not built: make build")
	}
	for _, c := range []struct {
		name          string
		width, height int64
		dark          bool
	}{
		{"desk", 1440, 900, false},
		{"desk in the dark", 1440, 900, true},
		{"phone", 390, 844, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := browse(t, c.width, c.height, c.dark)
			b.do(chromedp.Navigate(p.base + "/playground"))
			b.until(`document.querySelector(".graphiql-query-editor .view-lines")?.textContent.includes("PlayerPage")`)
			b.until(`document.querySelectorAll(".graphiql-tab").length === 4`)

			if c.width < 700 {
				b.do(chromedp.Click(chromedp.CSS(".graphiql-execute-button")))
			} else {
				b.do(chromedp.Click(chromedp.CSS(".graphiql-query-editor .view-lines")), chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(chromedp.ModifierCtrl)))
			}
			b.until(`document.querySelector(".limits")?.textContent.includes("It cost 1 in PLAYER.")`)
			b.until(`document.querySelector(".result-window .view-lines")?.textContent.includes("Salted")`)
			if says := b.text(".limits"); !strings.Contains(says, "of 1000000 requests left in PLAYER") {
				t.Errorf("the limits say %q", says)
			}
			b.picture("json")

			b.show("Table")
			if head := b.text(".answer-view thead"); !strings.Contains(head, "type") {
				t.Errorf("the head of the table is %q", head)
			}
			b.picture("table")
			b.show("Code")
			if code := b.text(".answer-view pre"); !strings.Contains(code, "curl -sS '"+p.base+"/graphql'") {
				t.Errorf("the code is %q", code)
			}
			b.picture("code")
			b.show("REST")
			b.until(`document.querySelector(".answer-view .way a")?.getAttribute("href") === "/v3/player/Salted"`)
			b.picture("rest")
			b.show("JSON")

			if value[bool](b, `document.documentElement.scrollWidth > innerWidth`) {
				t.Error("the page is wider than the window")
			}
			b.clean(p.base)
		})
	}
}

// show chooses how to see the answer.
func (b *browser) show(view string) {
	b.t.Helper()
	b.do(chromedp.Click(chromedp.CSS(`.answer-bar button[value="` + view + `"]`)))
}
