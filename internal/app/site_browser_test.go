package app_test

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A user looks around from the front page by keyboard, at a desk, and on a phone in the dark:
// every page fits, loads nothing from elsewhere and complains of nothing, and charts and the map
// have names for those who hear them.
func TestSiteInBrowser(t *testing.T) {
	t.Parallel()
	p := shared(t)
	for _, c := range []struct {
		name          string
		width, height int64
		dark          bool
	}{{"desk", 1280, 1400, false}, {"phone in the dark", 390, 1400, true}} {
		t.Run(c.name, func(t *testing.T) {
			b := browse(t, c.width, c.height, c.dark)
			b.do(chromedp.Navigate(p.base + "/"))
			b.arrives(`document.title === "gamedata"`)
			b.fits()
			b.picture("front")
			b.keys(kb.Tab)
			if where := value[string](b, `document.activeElement.className`); where != "skip" {
				t.Errorf("the first stop of the keyboard is %q", where)
			}
			b.do(chromedp.Focus(chromedp.CSS("#query")))
			b.keys("mossbound", kb.Enter)
			b.arrives(`document.title.startsWith("Search results for “mossbound”")`)
			b.fits()
			b.do(chromedp.Click(chromedp.CSS(`a[href="/guilds/Mossbound%20Company"]`)))
			b.arrives(`document.title.startsWith("Mossbound Company")`)
			b.fits()
			b.drawn("svg.map", "svg.chart")
			b.picture("guild")
			b.do(chromedp.Click(chromedp.CSS(`a[href="/players/` + castUUID("Salted") + `"]`)))
			b.arrives(`document.title.startsWith("Salted")`)
			b.fits()
			b.drawn("svg.chart")
			b.picture("player")
			for _, page := range []struct{ path, name string }{
				{"/leaderboards/globalPlayerContent", "leaderboard"},
				{"/leaderboards", "leaderboards"},
				{"/territories", "map"},
				{"/players/Veiled", "hidden"},
			} {
				b.do(chromedp.Navigate(p.base + page.path))
				b.arrives(`location.pathname === "` + page.path + `" && document.readyState === "complete"`)
				b.fits()
				b.picture(page.name)
			}
			b.do(chromedp.Navigate(p.base + "/search?query=wand"))
			b.arrives(`document.title.startsWith("Search results")`)
			b.do(chromedp.Click(chromedp.CSS(`a[href^="/items/"]`)))
			b.arrives(`location.pathname.startsWith("/items/")`)
			b.fits()
			b.picture("item")
			b.clean(p.base)
		})
	}
}

// drawn checks that drawings are there, in view of a style sheet, and have a title and a
// description.
func (b *page) drawn(selectors ...string) {
	b.t.Helper()
	for _, s := range selectors {
		if !value[bool](b, `(() => {
			const drawing = document.querySelector("`+s+`");
			const says = drawing?.getAttribute("aria-labelledby").split(" ").every((id) => document.getElementById(id).textContent.length > 10);
			const fill = drawing && getComputedStyle(drawing.querySelector("rect, circle")).fill;
			return says && drawing.getBoundingClientRect().height > 100 && fill !== "none";
		})()`) {
			b.t.Errorf("%s is not drawn", s)
		}
	}
}
