package pages

import (
	"fmt"
	"net/url"
	"strconv"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"gamedata/internal/app/apptest"
	"gamedata/internal/slowtest"
)

// mapPixel is the colour of the map near its middle, beside where roads and texts are.
const mapPixel = `(() => {
	const middle = document.querySelector(".map-canvas").getBoundingClientRect();
	const canvas = document.querySelector(".leaflet-overlay-pane canvas");
	const box = canvas.getBoundingClientRect(), scale = canvas.width / box.width;
	const copy = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
	copy.drawImage(canvas, (box.x - middle.x - middle.width / 2 - 9) * scale,
		(box.y - middle.y - middle.height / 2 + 30) * scale);
	return copy.getImageData(0, 0, 1, 1).data.join();
})()`

// The map shows who holds a territory, now and in the past, and new captures. It is used with
// pointer and keyboard, and its address says what it shows.
func TestMapInBrowser(t *testing.T) {
	slowtest.Only(t)
	t.Parallel()
	p, dir := apptest.StartDemo(t)
	capture := newCapture(t, p, dir)
	territory, guilds := apptest.CaptureTargets(t, p)
	b := openBrowser(t, 1280, 1000, false)
	b.do(chromedp.Navigate(p.Base + "/map?territory=" + url.QueryEscape(territory)))
	quoted := strconv.Quote(territory)
	panelSays := func(text string) string {
		return `document.querySelector(".map-panel:not([hidden])")?.innerText.includes(` + text + `)`
	}
	b.waitForPage(panelSays(quoted) + ` && document.querySelector(".map-live").textContent === "Live"`)
	b.expectFits()
	before := evaluate[string](b, mapPixel)

	capture(territory, guilds[0])
	b.waitFor(mapPixel + ` !== "` + before + `" && ` + panelSays(`"Treasury"`) + ` && ` + panelSays(`"just now"`))
	b.screenshot("captured")
	// The capture is shown for a moment with a different edge; the middle is unchanged.
	after := evaluate[string](b, mapPixel)

	for _, step := range []struct{ name, do, want string }{
		{
			"an hour ago", `slider.value = "-1"; slider.dispatchEvent(new Event("input"))`,
			`document.querySelector("#map-view").dataset.shown !== "now" && ` + mapPixel + ` === "` + before +
				`" && location.search.includes("time=") && document.querySelector(".map-live").textContent.endsWith("UTC") &&
				document.querySelector(".map-time input").ariaValueText === document.querySelector(".map-live").textContent`,
		},
		{
			"now", `document.querySelector(".map-time button:not(.map-play)").click()`,
			mapPixel + ` === "` + after + `" && !location.search.includes("time=")`,
		},
		{
			"a layer", `document.querySelector(".map-layers").open = true;
				drawn = document.querySelector(".leaflet-overlay-pane canvas").toDataURL();
				document.querySelector(".map-layers [name=nodes]").click()`,
			`location.search.includes("nodes") && document.querySelectorAll(".map-filters option").length > 10 &&
				document.querySelector(".leaflet-overlay-pane canvas").toDataURL() !== drawn`,
		},
		{
			"a filter", `const field = document.querySelector(".map-filters select"); field.value = "MINING";
				field.dispatchEvent(new Event("change"))`,
			`location.search.includes("profession=MINING")`,
		},
		{"without the layer", `document.querySelector(".map-layers [name=nodes]").click()`, `!location.search.includes("nodes")`},
		{
			"a territory that is joined", `document.querySelector(".map-panel button.link").click()`,
			`!` + panelSays(quoted+` + "\n"`) + ` || document.querySelector(".map-panel h2").textContent !== ` + quoted,
		},
		{
			"a search", `const field = document.querySelector(".map-search input"); field.value = ` + quoted + `;
				field.form.requestSubmit()`,
			`document.querySelector(".map-panel h2")?.textContent === ` + quoted + ` && ` + mapPixel + ` === "` + after + `"`,
		},
		{
			"a play", `document.querySelector(".map-play").click()`,
			`location.search.includes("time=") && document.querySelector(".map-play").textContent === "Pause"`,
		},
		{
			"the end of a play", `document.querySelector(".map-play").click();
				document.querySelector(".map-time button:not(.map-play)").click()`,
			mapPixel + ` === "` + after + `" && !location.search.includes("time=")`,
		},
		{
			"a place", `const field = document.querySelector(".map-search input"); field.value = "Blacksmith";
				field.form.requestSubmit()`,
			`document.querySelector(".map-pin") && ` + panelSays(`"Blacksmith"`),
		},
		{
			"the territory again", `const field = document.querySelector(".map-search input"); field.value = ` + quoted + `;
				field.form.requestSubmit()`,
			`document.querySelector(".map-panel h2")?.textContent === ` + quoted + ` && !document.querySelector(".map-pin")`,
		},
		{
			"a guild of the legend", `document.querySelector(".map-guilds button")
				.dispatchEvent(new PointerEvent("pointerover", { bubbles: true }))`,
			mapPixel + ` !== "` + after + `"`,
		},
		{
			"no guild", `document.querySelector(".map-guilds").dispatchEvent(new PointerEvent("pointerleave"))`,
			mapPixel + ` === "` + after + `"`,
		},
		{"closing", `document.querySelector(".map-close").click()`, `document.querySelector(".map-panel").hidden`},
	} {
		b.during(step.name, func() {
			evaluate[bool](b, `{ const slider = document.querySelector(".map-time input"); `+step.do+` } true`)
			b.waitFor(step.want)
		})
	}
	b.screenshot("nodes")
	middle := evaluate[[]float64](b, `(() => { const m = document.querySelector(".map-canvas").getBoundingClientRect();
		return [m.x + m.width / 2, m.y + m.height / 2] })()`)
	b.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, middle[0]+2, middle[1]+2))
	b.waitFor(`document.querySelector(".map-card")?.innerText.includes(` + quoted + `)`)
	b.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, middle[0], 10))
	b.waitFor(`document.querySelector(".map-card") === null`)
	b.do(chromedp.MouseClickXY(middle[0]+3, middle[1]+3))
	b.waitFor(`!document.querySelector(".map-panel").hidden`)
	where := evaluate[string](b, `location.search`)
	b.do(chromedp.Focus(chromedp.CSS(".map-canvas")))
	b.pressKeys(kb.ArrowRight)
	b.waitFor(`location.search !== ` + strconv.Quote(where))
	b.expectClean(p.Base)
}

// An open page shows what happens.
func TestLivePages(t *testing.T) {
	slowtest.Only(t)
	t.Parallel()
	p, dir := apptest.StartDemo(t)
	capture := newCapture(t, p, dir)
	territory, guilds := apptest.CaptureTargets(t, p)
	b := openBrowser(t, 1280, 1000, false)
	b.do(chromedp.Navigate(p.Base + "/map"))
	b.waitForPage(`document.querySelector(".map-live")?.textContent === "Live"`)
	b.do(chromedp.Navigate(p.Base + "/"))
	b.waitForPage(`document.querySelector("#live-captures li") !== null && document.body.dataset.stream === "Live"`)
	evaluate[bool](b, `document.querySelector("time[data-relative]").dispatchEvent(
		new PointerEvent("pointerover", { bubbles: true }))`)
	b.waitFor(`/\d{4} at \d\d:\d\d/.test(document.querySelector("time[data-relative]").title)`)
	capture(territory, guilds[0])
	b.waitFor(`document.querySelector("#live-captures li").innerText.includes(` + strconv.Quote(territory) + `)`)
	b.expectFits()

	name := apptest.Query[struct{ Guild struct{ Name string } }](t, p.Base, `{guild(by: {uuid: "`+guilds[1]+`"}) {name}}`)
	b.do(chromedp.Navigate(p.Base + "/guilds/" + url.PathEscape(name.Guild.Name)))
	b.waitForPage(`document.querySelector("#live-land") !== null && document.body.dataset.stream === "Live"`)
	capture(territory, guilds[1])
	b.waitFor(`document.querySelector("#live-land").innerText.includes(` + strconv.Quote(territory) + `)`)
	b.expectFits()
	b.expectClean(p.Base)
}

// newCapture returns a function that sends captures of territories to the feed.
func newCapture(t *testing.T, p *apptest.Program, dir string) func(territory, guild string) {
	token, sent := apptest.CreateFeedToken(t, dir), 0
	return func(territory, guild string) {
		t.Helper()
		sent++
		apptest.Request(t, "POST", p.Base+"/feed", fmt.Sprintf(`{"id": "%d", "event": "TerritoryCaptured", "data": `+
			`{"territory": %q, "guild": %q}}`, sent, territory, guild), "Authorization", "Bearer "+token,
			"Content-Type", "application/x-ndjson").Expect(t, "feed", 200)
	}
}
