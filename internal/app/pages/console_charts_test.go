package pages

import (
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gamedata/internal/app/apptest"
	"gamedata/internal/slowtest"
)

var chartLine = regexp.MustCompile(`(?m)^# chart: (.*)$`)

// Every example with a chart draws that chart from the response of a demo world of today.
func TestConsoleExampleCharts(t *testing.T) {
	slowtest.Only(t)
	t.Parallel()
	p := apptest.Start(t, "--demo", "--data-dir", t.TempDir(), "--guest-rate", "10000")
	files, err := filepath.Glob("../../web/console/examples/*/*.graphql")
	if err != nil {
		t.Fatal(err)
	}
	b := openConsole(t, p, "/playground#view=chart", 1440, 900, false)
	const drawn = `[...document.querySelectorAll(".chart .u-legend .u-series")].length > 1 &&
		document.querySelector(".plot canvas")?.getBoundingClientRect().height > 100`
	const choice = `(() => {
		const at = (name) => document.querySelector(".choices select[name=" + name + "]").value;
		const series = at("series") === "" ? "" : " series=" + at("series");
		return at("kind") + " list=" + at("list") + " x=" + at("x") + " y=" + at("y") + series;
	})()`
	for _, file := range files {
		document, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		chart := chartLine.FindSubmatch(document)
		if chart == nil {
			continue
		}
		name := strings.TrimSuffix(filepath.Base(file), ".graphql")
		b.subject = name + ": "
		title, _, _ := strings.Cut(strings.TrimPrefix(string(document), "# "), "\n")
		evaluate[any](b, `location.hash = "query=`+url.QueryEscape(string(document))+`&view=chart"`)
		b.waitFor(`document.querySelector(".tabs .active")?.textContent === "` + name + `"`)
		evaluate[any](b, `document.querySelector(".run").click()`)
		b.waitFor(`document.querySelector(".chart-title")?.textContent === "` + title + `" && ` + drawn)
		if got := evaluate[string](b, choice); got != string(chart[1]) {
			t.Errorf("%s: draws %s, want %s", name, got, chart[1])
		}
		b.screenshot(name)
	}
	b.expectClean(p.Base)
}
