package pages

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"gamedata/internal/app/apptest"
	"gamedata/internal/slowtest"
)

// The console sends requests as the signed-in user and shows the account.
func TestConsoleWithSession(t *testing.T) {
	slowtest.Only(t)
	t.Parallel()
	p, _ := apptest.StartDemo(t)
	const query = "/playground?query=%7B%20viewer%20%7B%20kind%20account%20%7D%20%7D"
	b := openConsole(t, p, query, 1440, 900, false)
	b.waitFor(`document.querySelector(".limits .account")?.textContent === "Not signed in. Sign in"`)
	b.do(chromedp.Navigate(p.Base + "/account/sign-up"))
	b.waitForPage(`document.activeElement.id === "name"`)
	b.pressKeys("Moss Keeper", kb.Tab, "a long password", kb.Tab, "a long password", kb.Enter)
	b.waitForPage(
		`location.pathname === "/account" &&
			document.querySelector("header a.account")?.textContent === "Moss Keeper"`,
	)
	b.do(chromedp.Navigate(p.Base + query))
	b.waitForPage(`document.querySelector(".limits .account")?.textContent === "Signed in as Moss Keeper"`)
	b.do(chromedp.Click(chromedp.CSS(".run")))
	b.waitFor(`document.querySelector(".result-window .view-lines")?.textContent.includes("SESSION")`)
	b.waitFor(`document.querySelector(".limits")?.textContent.includes("of 120 left")`)
	b.screenshot("signed in")
	b.expectClean(p.Base)
}
