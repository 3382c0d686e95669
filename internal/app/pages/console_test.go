package pages

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"gamedata/internal/app/apptest"
	"gamedata/internal/slowtest"
)

// The console opens with an example and its response, shows it in every view, and every panel fits, on a desktop and on
// a phone, in light and in dark mode.
func TestConsoleInBrowser(t *testing.T) {
	slowtest.Only(t)
	t.Parallel()
	p := apptest.Shared(t)
	for _, c := range []struct {
		name          string
		width, height int64
		dark          bool
	}{
		{"desk", 1440, 900, false},
		{"phone in the dark", 390, 844, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := openConsole(t, p, "/playground", c.width, c.height, c.dark)
			b.waitFor(`document.querySelector(".result-window .view-lines")?.textContent.includes("Salted")`)
			b.waitFor(`document.querySelector(".limits")?.textContent.startsWith("Cost 1 (PLAYER) · ")`)
			if limits := b.text(".limits"); !strings.Contains(limits, " of 1,000,000 left") {
				t.Errorf("got the limits %q", limits)
			}
			if facts := b.text(".facts"); !regexp.MustCompile(`^200\s+[\d.]+ m?s\s+[\d.]+ kB$`).MatchString(facts) {
				t.Errorf("got %q, want status, time and size", facts)
			}
			check := func(name string) {
				t.Helper()
				b.subject = name + ": "
				b.expectAccessible()
				if evaluate[bool](b, `document.documentElement.scrollWidth > innerWidth`) {
					t.Errorf("%s: the page is wider than the window", name)
				}
				b.screenshot(name)
			}
			check("json")

			b.show("Table")
			b.choose(".response select[name=list]", "player.characters.nodes")
			if head := b.text(".response thead"); strings.Join(strings.Fields(head),
				" ") != "nickname classKey level totalLevel gamemodes meta.died" {
				t.Errorf("the head of the table is %q", head)
			}
			level := `document.querySelector(".response tbody tr")?.children[3].textContent`
			b.do(chromedp.Click(chromedp.CSS(".response th:nth-child(4) button")))
			b.waitFor(`document.querySelector(".response th[aria-sort=ascending]")?.textContent === "totalLevel"`)
			low := evaluate[string](b, level)
			b.do(chromedp.Click(chromedp.CSS(".response th:nth-child(4) button")))
			b.waitFor(`document.querySelector(".response th[aria-sort=descending]") !== null`)
			if high := evaluate[string](b, level); number(t, low) >= number(t, high) {
				t.Errorf("sorted by total level: %s is first, then %s", low, high)
			}
			check("table")

			b.show("Chart")
			b.waitFor(`document.querySelector(".plot canvas")?.getBoundingClientRect().height > 100`)
			check("chart")
			b.show("Code")
			if code := b.text(".response pre"); !strings.Contains(code, "curl -sS '"+p.Base+"/graphql'") ||
				strings.Contains(code, "#") {
				t.Errorf("the code is %q", code)
			}
			check("code")
			b.show("REST")
			b.waitFor(`document.querySelector(".rest-request a")?.getAttribute("href") === "/v3/player/Salted?fullResult"`)
			check("rest")
			b.show("JSON")
			b.waitFor(`document.querySelector(".result-window").checkVisibility()`)

			for i, shows := range []string{"A search field", "Mutation", "onlinePlayers", "PlayerPage"} {
				button := chromedp.CSS(fmt.Sprintf(".rail li:nth-child(%d) button", i+1))
				b.do(chromedp.Click(button))
				b.waitFor(`document.querySelector("#panel")?.textContent.includes("` + shows + `")`)
				check("panel " + shows)
				b.do(chromedp.Click(button))
				b.waitFor(`document.querySelector("#panel") === null`)
			}
			b.expectClean(p.Base)
		})
	}
}

func number(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// show selects a view of the response.
func (b *browserPage) show(view string) {
	b.t.Helper()
	b.do(chromedp.Click(chromedp.CSS(`.views button[value="` + view + `"]`)))
}

// choose selects an option of a select element, as a user does.
func (b *browserPage) choose(selector, option string) {
	b.t.Helper()
	set := `(() => {
		const select = document.querySelector(` + "`" + selector + "`" + `);
		Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, "value").set.call(select, ` + "`" + option + "`" + `);
		select.dispatchEvent(new Event("change", { bubbles: true }));
		return select.value;
	})()`
	if got := evaluate[string](b, set); got != option {
		b.fail(fmt.Errorf("%s has no option %s", selector, option))
	}
}
