package pages

import (
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"gamedata/internal/app/apptest"
)

// guildSeason is the example that the console shows in the documentation.
const guildSeason = "../../web/console/examples/analyst/GuildSeason.graphql"

// The pictures of the documentation, in the folder DOCS_SCREENSHOTS: `make screenshots`.
func TestDocumentationScreenshots(t *testing.T) {
	folder := os.Getenv("DOCS_SCREENSHOTS")
	if folder == "" {
		t.Skip("DOCS_SCREENSHOTS is not set")
	}
	query := apptest.ReadFile(t, guildSeason)
	p := apptest.Start(t, "--demo", "--data-dir", t.TempDir(), "--leaderboard-refresh", "10m", "--guest-rate", "10000")
	b := openConsole(t, p, "/playground#query="+url.PathEscape(string(query)), 1280, 800, false)
	b.show("Chart") // an example runs at once
	b.waitFor(`document.querySelector(".plot canvas")?.getBoundingClientRect().height > 100`)
	b.documentationScreenshot(filepath.Join(folder, "console.webp"))
	for _, c := range []struct {
		name, path    string
		width, height int64
		scheme        string
		shown         string // expression that is true when the page is drawn
	}{
		{"front", "/", 1280, 800, "light", ""},
		{"guild", "/guilds/Mossbound%20Company", 1280, 1180, "light", chartShown},
		{"items", "/items?tier=MYTHIC&identification=walkSpeed&sort=LEVEL", 1280, 800, "dark", ""},
		{"map", "/map", 1280, 800, "dark", `document.querySelector(".map-live")?.textContent === "Live"`},
		{"season", "/seasons", 1280, 800, "dark", chartShown},
		{"reference", "/docs/rest/Player", 1280, 800, "light", ""},
		{"player-phone", "/players/Salted", 390, 1100, "dark", chartShown},
	} {
		b.resize(c.width, c.height, c.scheme)
		b.do(chromedp.Navigate(p.Base + c.path))
		b.waitForPage(`location.href !== "about:blank"`)
		if c.shown != "" {
			b.waitFor(c.shown)
		}
		b.documentationScreenshot(filepath.Join(folder, c.name+".webp"))
	}
}

// chartShown is true when a script has drawn a chart.
const chartShown = `document.querySelector("[data-chart] canvas") !== null`

// documentationScreenshot writes a picture of the window.
func (b *browserPage) documentationScreenshot(name string) {
	b.t.Helper()
	quality := int64(80)
	shot, err := chromedp.Call(b.ctx, page.CaptureScreenshot, page.CaptureScreenshotParams{
		Format: page.CaptureScreenshotFormatWebp, Quality: &quality,
	})
	if err != nil {
		b.fail(err)
	}
	if err := os.WriteFile(name, shot.Data, 0o600); err != nil {
		b.t.Fatal(err)
	}
}
