package card

import (
	"image"
	"image/color"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	"golang.org/x/text/unicode/norm"
)

// typeface is a font, parsed when it is first used.
type typeface func() *opentype.Font

var regular, bold = parsed(goregular.TTF), parsed(gobold.TTF)

func parsed(ttf []byte) typeface {
	return sync.OnceValue(func() *opentype.Font {
		f, err := opentype.Parse(ttf)
		if err != nil {
			panic(err) // the font is part of the program
		}
		return f
	})
}

func (t typeface) face(size int) font.Face {
	f, err := opentype.NewFace(t(), &opentype.FaceOptions{Size: float64(size), DPI: 72, Hinting: font.HintingNone})
	if err != nil {
		panic(err) // the options are constants
	}
	return f
}

func (t typeface) has(r rune) bool {
	index, err := t().GlyphIndex(nil, r)
	return err == nil && index != 0
}

const (
	// unknownRune replaces characters that the fonts lack.
	unknownRune = '?'
	// maxText is the maximum number of characters measured and drawn; more do not fit on any picture.
	maxText = 160
)

// clean reduces a text to characters that the fonts have. Others, such as full-width letters, become their plain form;
// a run of unknown ones becomes a question mark. White space becomes one blank. Long texts are cut.
func clean(text string) string {
	var out []rune
	for _, r := range norm.NFC.String(text[:min(len(text), 8*maxText)]) {
		switch {
		case len(out) >= maxText:
			return strings.Join(strings.Fields(string(out)), " ") + "…"
		case bold.has(r) && unicode.IsPrint(r):
			out = append(out, r)
			continue
		case unicode.IsSpace(r):
			out = append(out, ' ')
			continue
		case !unicode.IsGraphic(r), unicode.IsMark(r):
			continue
		}
		known := false
		for _, part := range norm.NFKD.String(string(r)) {
			if bold.has(part) {
				out, known = append(out, part), true
			}
		}
		if !known && (len(out) == 0 || out[len(out)-1] != unknownRune) {
			out = append(out, unknownRune)
		}
	}
	return strings.Join(strings.Fields(string(out)), " ")
}

// text writes a text whose baseline begins at a point.
func (p *canvas) text(x, y int, t typeface, size int, c color.Color, text string) {
	d := font.Drawer{Dst: p.RGBA, Src: image.NewUniform(c), Face: t.face(size), Dot: fixed.P(x, y)}
	d.DrawString(text)
}

func textWidth(t typeface, size int, text string) int {
	return font.MeasureString(t.face(size), text).Ceil()
}

func lineHeight(size int) int { return size * 6 / 5 }

// Sizes of titles: on one line, or on two when one would be too small.
var (
	oneLineSizes = []int{88, 80, 72, 64, 58}
	twoLineSizes = []int{64, 58, 52, 46, 40}
)

// fit returns the largest size in which a title is not wider than width, and its lines. A title that is too long in
// every size ends with an ellipsis.
func fit(title string, width int) (size int, lines []string) {
	for _, size = range oneLineSizes {
		if textWidth(bold, size, title) <= width {
			return size, []string{title}
		}
	}
	for _, size = range twoLineSizes {
		lines = wrap(bold, size, width, 2, title)
		if !strings.HasSuffix(lines[len(lines)-1], "…") {
			break
		}
	}
	return size, lines
}

// sizeOf returns the largest size between two in which no text is wider than width, else the smallest.
func sizeOf(t typeface, largest, smallest, width int, texts []string) int {
	size := largest
	for _, text := range texts {
		for size > smallest && textWidth(t, size, text) > width {
			size--
		}
	}
	return size
}

// wrap breaks a text between words into up to most lines no wider than width. If the text is longer, the last line ends
// with an ellipsis.
func wrap(t typeface, size, width, most int, text string) []string {
	var lines []string
	for text != "" {
		if len(lines) == most-1 || !strings.Contains(text, " ") {
			return append(lines, shorten(t, size, width, text))
		}
		end := len(text)
		for end > 0 && textWidth(t, size, text[:end]) > width {
			end = max(strings.LastIndexByte(text[:end], ' '), 0)
		}
		if end == 0 { // the first word is too long: it gets its own line
			end = strings.IndexByte(text, ' ')
		}
		lines = append(lines, shorten(t, size, width, text[:end]))
		text = strings.TrimSpace(text[end:])
	}
	return lines
}

// shorten ends a text that is wider than width with an ellipsis.
func shorten(t typeface, size, width int, text string) string {
	if textWidth(t, size, text) <= width {
		return text
	}
	runes := []rune(text)
	for len(runes) > 0 && textWidth(t, size, string(runes)+"…") > width {
		runes = runes[:len(runes)-1]
	}
	return strings.TrimSpace(string(runes)) + "…"
}
