package model

import (
	"regexp"
	"strings"

	"github.com/microcosm-cc/bluemonday"
	"golang.org/x/net/html"
)

// The documented pieces, as patterns.
const (
	classPattern = `font-(?:ascii|common|profession)`
	stylePattern = `(?:color:#[0-9A-Fa-f]{6}|font-weight:bolder|text-decoration: underline|` +
		`margin-left: [0-9]{1,3}(?:\.[0-9]{1,3})?px)`
)

// longestPiece is an upper bound for the bytes of one documented tag.
const longestPiece = 100

var (
	piece = regexp.MustCompile(`^(?:<span class='` + classPattern + `'(?: style='` + stylePattern + `')?>|</span>|</br>)$`)
	class = regexp.MustCompile(`^` + classPattern + `$`)
	style = regexp.MustCompile(`^` + stylePattern + `$`)

	policy = pagePolicy()
)

func pagePolicy() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements("br")
	p.AllowAttrs("class").Matching(class).OnElements("span")
	p.AllowAttrs("style").Matching(style).OnElements("span")
	return p
}

// isRendered distinguishes rendered text that quotes § signs from source: it begins with a documented span, every <
// opens a documented element, and every § is inside a span. Recorded bodies contain such texts.
func isRendered(s string) bool {
	if !strings.HasPrefix(s, "<span ") {
		return false
	}
	for depth := 0; ; {
		text, rest, more := strings.Cut(s, "<")
		if depth == 0 && strings.Contains(text, sign) {
			return false
		}
		if !more {
			return true
		}
		end := strings.IndexByte(rest[:min(len(rest), longestPiece)], '>') + 1
		switch tag := "<" + rest[:end]; {
		case !piece.MatchString(tag):
			return false
		case tag == "</span>":
			depth = max(depth-1, 0)
		case tag != "</br>":
			depth++
		}
		s = rest[end:]
	}
}

// SafeHTML returns the text for web pages: balanced HTML with the documented spans, <br> for each line
// break, and text; everything else is removed. It is idempotent.
func SafeHTML(m Markup) string {
	var out strings.Builder
	var spans []bool // the open spans; true if a span was written
	closeLast := func() {
		if last := len(spans) - 1; last >= 0 {
			if spans[last] {
				out.WriteString("</span>")
			}
			spans = spans[:last]
		}
	}
	z := html.NewTokenizer(strings.NewReader(policy.Sanitize(m.Valid())))
	for kind := z.Next(); kind != html.ErrorToken; kind = z.Next() {
		switch token := z.Token(); {
		case kind == html.TextToken:
			writeText(&out, token.Data)
		case token.Data == "br":
			out.WriteString("<br>")
		case token.Data == "span" && kind == html.EndTagToken:
			closeLast()
		case token.Data == "span":
			spans = append(spans, writeSpan(&out, token))
		}
	}
	for len(spans) > 0 {
		closeLast()
	}
	return out.String()
}

// writeSpan writes the span in the documented form, or nothing if it has no documented class.
func writeSpan(out *strings.Builder, token html.Token) bool {
	font := attribute(token, "class")
	if !class.MatchString(font) {
		return false
	}
	out.WriteString("<span class='" + font + "'")
	if value := attribute(token, "style"); style.MatchString(value) {
		out.WriteString(" style='" + value + "'")
	}
	out.WriteString(">")
	return true
}

func writeText(out *strings.Builder, text string) {
	for _, r := range text {
		if esc, found := escapes[r]; found {
			out.WriteString(esc)
		} else {
			out.WriteRune(r)
		}
	}
}

// attribute returns the value of the first attribute with a name. HTML ignores the others.
func attribute(token html.Token, name string) string {
	for _, a := range token.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}
