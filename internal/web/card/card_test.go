package card

import (
	"bytes"
	"image"
	"image/png"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gamedata/internal/web"
)

func example(title string) Card {
	return Card{
		Kind: "Player", Title: title, Subtitle: "Strategist of " + title, Drawing: web.Identicon("x"), Colour: "#3997c6",
		Figures: []Figure{
			{Name: "Total level", Value: "1,234", Note: title},
			{Name: "Playtime", Value: "999 h"},
			{Name: "Content completed", Value: title},
			{Name: "Raids", Value: "0"},
			{},
		},
		Rows: []Figure{{Name: title, Value: title, Bar: 100}, {Name: "B"}},
	}
}

func rendered(t *testing.T, c Card) image.Image {
	t.Helper()
	file, err := c.PNG()
	if err != nil {
		t.Fatal(err)
	}
	m, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	if m.Bounds() != image.Rect(0, 0, Width, Height) || len(file) > 150_000 {
		t.Errorf("got %v of %d bytes", m.Bounds(), len(file))
	}
	return m
}

// Whatever the texts are, the margins of the picture stay empty.
func TestTextFits(t *testing.T) {
	for _, title := range []string{
		"", "A", "Mossbound Company [MOSS]", strings.Repeat("W", 40), strings.Repeat("long name ", 200),
		strings.Repeat("W", 20) + " " + strings.Repeat("m", 3000),
		"日本語", "a\u0000b\u202e\n", "Ünïcödé Ωμέγα Привет",
	} {
		plain, m := rendered(t, Card{Colour: "#3997c6"}), rendered(t, example(title))
		for y := range Height {
			for _, x := range []int{margin - 8, Width - margin + 8} {
				if m.At(x, y) != plain.At(x, y) {
					t.Fatalf("%.50q: the margin is not empty at %d, %d", title, x, y)
				}
			}
		}
	}
}

func TestClean(t *testing.T) {
	for text, want := range map[string]string{
		"Ünïcödé Ωμέγα Привет":    "Ünïcödé Ωμέγα Привет",
		" a\t\nb ":                "a b",
		"Ｆｕｌｌ":                    "Full",
		"日本語 guild 🙂":             "? guild ?",
		"a\u0000\u202e\u200db":    "ab",
		"e\u0301":                 "é",
		strings.Repeat("a", 1000): strings.Repeat("a", maxText) + "…",
	} {
		if got := clean(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// Paths are filled by the even-odd rule, as on pages, or drawn as lines.
func TestFillMask(t *testing.T) {
	for path, want := range map[string]int{
		"M2 2h6v6H2z":                         36,
		"M0 0h10v10H0zM2 2h6v6h-6z":           64, // a hole, whatever the direction
		"M1 1 9 1 9 9 1 9z":                   64,
		"m1 1 8 0 0 8-8 0z":                   64,
		"M5 0a5 5 0 1 1 0 10 5 5 0 0 1 0-10z": 78,
		"M-50-50h100v100h-100z":               100,
		"M0 0C1 1 2 2 3 3z":                   0,
		"h5":                                  0,
		"M0 0h10v10H0z5":                      100,
		"":                                    0,
		"M20 20h5v5h-5z":                      0,
		"M2 0h6a2 2 0 0 1 2 2v6a2 2 0 0 1-2 2H2z": 78,
	} {
		sum := 0
		for _, a := range fillMask(image.Rect(0, 0, 10, 10), parsePath(path)).Pix {
			sum += int(a)
		}
		if got := (sum + 127) / 255; got < want-1 || got > want+1 {
			t.Errorf("%q: got an area of %d, want %d", path, got, want)
		}
	}
	sum := 0
	for _, a := range lineMask(image.Rect(0, 0, 20, 20), parsePath("M2 4h12v12"), 2).Pix {
		sum += int(a)
	}
	if got := (sum + 127) / 255; got != 52 { // with square corners and ends
		t.Errorf("got a line of %d, want 52", got)
	}
}

// The logo on pictures is the icon of the pages.
func TestLogoIsIcon(t *testing.T) {
	text, err := os.ReadFile("../icon.svg")
	if err != nil {
		t.Fatal(err)
	}
	var got []web.Shape
	for _, m := range regexp.MustCompile(`<path fill="([^"]*)" d="([^"]*)"/>`).FindAllStringSubmatch(string(text), -1) {
		got = append(got, web.Shape{Fill: m[1], Path: m[2]})
	}
	if !slices.Equal(got, logo.Shapes) {
		t.Errorf("got %v in icon.svg, want %v", got, logo.Shapes)
	}
}
