package pages

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"gamedata/internal/app/apptest"
	"gamedata/internal/slowtest"
)

// The search of the reference works by keyboard, its code can be copied, and "Try it" sends the request of the form.
func TestReferenceInBrowser(t *testing.T) {
	slowtest.Only(t)
	t.Parallel()
	p := apptest.Shared(t)
	if _, page := getHTML(t, p, "/docs"); !strings.Contains(page, "/assets/reference-") {
		skipMissing(t, "the scripts are not built: make build")
	}
	b := openBrowser(t, 1440, 900, false)
	b.do(chromedp.Navigate(p.Base + "/docs/rest/AbilityTree"))

	b.do(chromedp.KeyEvent("k", chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	b.waitFor(`document.activeElement.id === "docs-find"`)
	b.pressKeys("/v3/player/{username}")
	b.waitFor(`document.querySelector("#docs-find-suggestions [role=option]")
		?.textContent.includes("GET /v3/player/{username}")`)
	b.screenshot("search")
	b.pressKeys(kb.ArrowDown, kb.Enter)
	b.waitForPage(`location.pathname === "/docs/rest/Player" && document.querySelector("form.try:not([hidden])") !== null`)

	b.do(chromedp.Evaluate[chromedp.Void](`navigator.clipboard.writeText = async (text) => { window.copied = text; }`),
		chromedp.Click(chromedp.CSS(".endpoint-code .with-copy button")))
	b.waitFor(`window.copied?.startsWith("curl ")`)

	b.do(chromedp.Click(chromedp.CSS(`form.try [name=fullResult]`)), chromedp.Click(chromedp.CSS("form.try button")))
	b.waitFor(`document.querySelector(".try-result > pre")?.textContent.includes('"characters": {')`)
	if line := b.text(".try-result p"); !strings.HasPrefix(line, "200") ||
		!strings.HasSuffix(line, "/v3/player/Salted?fullResult") {
		t.Errorf("got the result %q", line)
	}
	b.screenshot("try it")
	b.expectFits()
	b.expectClean(p.Base)

	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("#try-username").value = "a/b"`),
		chromedp.Click(chromedp.CSS("form.try button")))
	b.waitFor(`document.querySelector(".try-result p strong")?.textContent.startsWith("404")`)
}
