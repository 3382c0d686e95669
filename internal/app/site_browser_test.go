package app_test

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Every page of the site fits the screen, on a desktop and on a phone in dark mode, loads nothing from other hosts and
// has no errors. Charts and the map have accessible names.
func TestSiteInBrowser(t *testing.T) {
	t.Parallel()
	p := sharedService(t)
	for _, c := range []struct {
		name          string
		width, height int64
		dark          bool
	}{{"desk", 1280, 1400, false}, {"phone in the dark", 390, 1400, true}} {
		t.Run(c.name, func(t *testing.T) {
			b := openBrowser(t, c.width, c.height, c.dark)
			b.do(chromedp.Navigate(p.base + "/"))
			b.waitForPage(`document.title === "gamedata"`)
			b.expectFits()
			b.screenshot("front")
			b.pressKeys(kb.Tab)
			if where := evaluate[string](b, `document.activeElement.className`); where != "skip" {
				t.Errorf("Tab: got the focus on %q, want the skip link", where)
			}
			b.do(chromedp.Focus(chromedp.CSS("#query")))
			b.pressKeys("mossbound", kb.Enter)
			b.waitForPage(`document.title.startsWith("Search results for “mossbound”")`)
			b.expectFits()
			b.do(chromedp.Click(chromedp.CSS(`a[href="/guilds/Mossbound%20Company"]`)))
			b.waitForPage(`document.title.startsWith("Mossbound Company")`)
			b.expectFits()
			b.expectDrawn("svg.map", "svg.chart")
			b.screenshot("guild")
			b.do(chromedp.Click(chromedp.CSS(`a[href="/players/` + castUUID("Salted") + `"]`)))
			b.waitForPage(`document.title.startsWith("Salted")`)
			b.expectFits()
			b.expectDrawn("svg.chart")
			b.screenshot("player")
			for _, page := range []struct{ path, name string }{
				{"/leaderboards/globalPlayerContent", "leaderboard"},
				{"/leaderboards", "leaderboards"},
				{"/territories", "map"},
				{"/news", "news"},
				{"/players/Veiled", "hidden"},
			} {
				b.do(chromedp.Navigate(p.base + page.path))
				b.waitForPage(`location.pathname === "` + page.path + `"`)
				b.expectFits()
				b.screenshot(page.name)
			}
			b.do(chromedp.Navigate(p.base + "/search?query=wand"))
			b.waitForPage(`document.title.startsWith("Search results")`)
			b.do(chromedp.Click(chromedp.CSS(`a[href^="/items/"]`)))
			b.waitForPage(`location.pathname.startsWith("/items/")`)
			b.expectFits()
			b.screenshot("item")
			b.expectClean(p.base)
		})
	}
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
