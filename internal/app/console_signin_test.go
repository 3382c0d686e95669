package app_test

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A signed-in user asks as themselves in the console, which says so.
func TestConsoleSignedIn(t *testing.T) {
	p := start(t, demo(t)...)
	const query = "/playground?query=%7B%20viewer%20%7B%20kind%20account%20%7D%20%7D"
	b := openConsole(t, p, query, 1440, 900, false)
	b.until(`document.querySelector(".limits .account")?.textContent === "Not signed in. Sign in"`)
	b.do(chromedp.Navigate(p.base + "/account/sign-up"))
	b.arrives(`document.activeElement.id === "name"`)
	b.keys("Moss Keeper", kb.Tab, "a long password", kb.Tab, "a long password", kb.Enter)
	b.arrives(
		`location.pathname === "/account" && document.querySelector("header a[href='/account']")?.textContent === "Moss Keeper"`,
	)
	b.do(chromedp.Navigate(p.base + query))
	b.arrives(`document.querySelector(".limits .account")?.textContent === "Signed in as Moss Keeper"`)
	b.do(chromedp.Click(chromedp.CSS(".graphiql-execute-button")))
	b.until(`document.querySelector(".result-window .view-lines")?.textContent.includes("SESSION")`)
	b.until(`document.querySelector(".limits")?.textContent.includes("of 120 left in SHARED")`)
	b.picture("signed in")
	b.clean(p.base)
}
