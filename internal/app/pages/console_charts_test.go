package pages

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gamedata/internal/app/apptest"
	"gamedata/internal/slowtest"
)

var chartLine = regexp.MustCompile(`(?m)^# chart: (.*)$`)

// Every example with a chart draws the values of its response, with every series to be seen, on axes of their size. An
// example that is opened after another one shows nothing of it.
func TestConsoleExampleCharts(t *testing.T) {
	slowtest.Only(t)
	t.Parallel()
	p := apptest.Start(t, "--demo", "--data-dir", t.TempDir(), "--guest-rate", "10000")
	files, err := filepath.Glob("../../web/console/examples/*/*.graphql")
	if err != nil {
		t.Fatal(err)
	}
	script := apptest.ReadFile(t, "testdata/drawn.js")
	b := openConsole(t, p, "/playground", 1440, 900, false)
	evaluate[any](b, `{
		const drawn = `+strings.TrimSpace(string(script))+`;
		const responses = new Map(); // of the console, by document: the world changes between two of them
		const fetched = window.fetch;
		window.fetch = (...args) => {
			const response = fetched(...args);
			const { query } = args[1]?.method === "POST" ? JSON.parse(args[1].body) : {};
			if (query) responses.set(query.trim(), response.then((r) => r.clone().json()));
			return response;
		};
		window.check = (query, chart) => {
			window.checked = null;
			drawn(responses.get(query.trim()), chart).catch(String).then((wrong) => (window.checked = wrong));
		};
	}`)
	open := func(title string) {
		t.Helper()
		b.subject = title + ": "
		evaluate[any](b, `[...document.querySelectorAll(".gallery button")].find((e) => e.textContent === "`+title+`").click()`)
	}
	evaluate[any](b, `document.querySelector(".rail button").click()`)
	b.waitFor(`document.querySelector(".gallery") !== null`)
	for _, file := range files {
		document := apptest.ReadFile(t, file)
		chart := chartLine.FindSubmatch(document)
		if chart == nil {
			continue
		}
		title, _, _ := strings.Cut(strings.TrimPrefix(string(document), "# "), "\n")
		open(title)
		b.waitFor(`document.querySelector(".chart-title")?.textContent === "` + title + `" &&
			document.querySelector(".plot")?.ariaLabel?.includes(" on an axis ") && document.querySelector(".plot canvas").height > 100`)
		args, err := json.Marshal([]any{string(document), strings.Fields(string(chart[1]))})
		if err != nil {
			t.Fatal(err)
		}
		evaluate[any](b, "check(..."+string(args)+")")
		b.waitFor(`typeof window.checked === "string"`)
		if wrong := evaluate[string](b, "window.checked"); wrong != "" {
			t.Errorf("%s: %s", title, wrong)
		}
		b.screenshot(strings.TrimSuffix(filepath.Base(file), ".graphql"))
	}
	open("Live: territories that change hands")
	b.waitFor(`document.querySelector(".result .empty")?.textContent === "Press Run to connect."`)
	const rest = `[".facts", ".plot", ".limits span", ".result-window .view-lines"].map(
		(part) => document.querySelector(part)?.textContent ?? "").join("").trim()`
	if shown := evaluate[string](b, rest); shown != "" {
		t.Errorf("a subscription that does not run shows %q", shown)
	}
	b.expectClean(p.Base)
}
