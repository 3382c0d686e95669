package app_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// The console runs the first example and shows the response in every view, on a desktop and on a phone.
func TestConsoleInBrowser(t *testing.T) {
	p := sharedService(t)
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
			b := openConsole(t, p, "/playground", c.width, c.height, c.dark)
			b.waitFor(`document.querySelectorAll(".graphiql-tab").length === 7`)

			if c.width < 700 {
				b.do(chromedp.Click(chromedp.CSS(".graphiql-execute-button")))
			} else {
				b.do(chromedp.Click(chromedp.CSS(".graphiql-query-editor .view-lines")), chromedp.KeyEvent(kb.Enter,
					chromedp.KeyModifiers(chromedp.ModifierCtrl)))
			}
			b.waitFor(`document.querySelector(".limits")?.textContent.includes("Cost 1 (PLAYER)")`)
			b.waitFor(`document.querySelector(".result-window .view-lines")?.textContent.includes("Salted")`)
			if limits := b.text(".limits"); !strings.Contains(limits, "of 1,000,000 left in PLAYER") {
				t.Errorf("got the limits %q", limits)
			}
			b.screenshot("json")

			b.show("Table")
			b.choose(".response-view select", "player.characters.nodes")
			if head := b.text(".response-view thead"); strings.Join(strings.Fields(head),
				" ") != "nickname type level totalLevel gamemodes meta.died" {
				t.Errorf("the head of the table is %q", head)
			}
			b.waitFor(`document.querySelectorAll(".response-view tbody td.null").length > 0`)
			b.screenshot("table")
			b.show("Code")
			if code := b.text(".response-view pre"); !strings.Contains(code, "curl -sS '"+p.base+"/graphql'") {
				t.Errorf("the code is %q", code)
			}
			b.screenshot("code")
			b.show("REST")
			b.waitFor(`document.querySelector(".response-view .rest-request a")?.getAttribute("href") === "/v3/player/Salted?fullResult"`)
			b.screenshot("rest")
			b.show("JSON")
			b.waitFor(`document.querySelector(".result-window").checkVisibility()`)

			for _, side := range []struct{ button, shows string }{
				{"Documentation Explorer", "Query"}, {"GraphiQL Explorer", "onlinePlayers"}, {"History", "PlayerPage"},
			} {
				b.do(chromedp.Click(chromedp.CSS(`button[aria-label="Show ` + side.button + `"]`)))
				b.waitFor(`document.querySelector(".graphiql-plugin").textContent.includes("` + side.shows + `")`)
				b.screenshot(strings.ToLower(side.button))
				b.do(chromedp.Click(chromedp.CSS(`button[aria-label="Hide ` + side.button + `"]`)))
			}
			if evaluate[bool](b, `document.documentElement.scrollWidth > innerWidth`) {
				t.Error("the page is wider than the window")
			}
			b.expectClean(p.base)
		})
	}
}

// show selects a view of the response.
func (b *browserPage) show(view string) {
	b.t.Helper()
	b.do(chromedp.Click(chromedp.CSS(`.response-bar button[value="` + view + `"]`)))
}

// Every example runs unchanged against the demo world and returns data.
func TestConsoleExamples(t *testing.T) {
	files, err := filepath.Glob("../../internal/web/console/examples/*.graphql")
	if err != nil || len(files) < 4 {
		t.Fatal(files, err)
	}
	p := sharedService(t)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".graphql"), func(t *testing.T) {
			query, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			request, err := json.Marshal(map[string]string{"query": string(query)})
			if err != nil {
				t.Fatal(err)
			}
			var answer struct {
				Data   map[string]map[string]any
				Errors []any
			}
			if err := json.Unmarshal(requestOK(t, p.base, "POST", "/graphql", string(request)), &answer); err != nil {
				t.Fatal(err)
			}
			if len(answer.Errors) > 0 || len(answer.Data) != 1 {
				t.Fatalf("%v %v", answer.Data, answer.Errors)
			}
			for field, value := range answer.Data {
				if len(value) == 0 {
					t.Errorf("%s is empty", field)
				}
			}
		})
	}
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
