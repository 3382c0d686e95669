package model

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// sign begins every code of the source form.
const sign = "§"

// palette holds the sixteen classic colours of §0 to §f.
var palette = [16]string{
	"#000000", "#0000AA", "#00AA00", "#00AAAA", "#AA0000", "#AA00AA", "#FFAA00", "#AAAAAA",
	"#555555", "#5555FF", "#55FF55", "#55FFFF", "#FF5555", "#FF55FF", "#FFFF55", "#FFFFFF",
}

// escapes maps the characters that text must not contain literally. A sign that opens no code is among them, so that
// rendered text is never mistaken for source.
var escapes = map[rune]string{
	'&': "&amp;", '<': "&lt;", '>': "&gt;", '\'': "&#39;", '"': "&#34;", '§': "&#167;",
}

// look is the format of the following text, set by the codes read so far.
type look struct {
	color           string
	bold, underline bool
}

// spans lists the opening tags of a look, outermost first: one style value each, as recorded.
func (l look) spans() []string {
	var tags []string
	if l.color != "" {
		tags = append(tags, "<span class='font-ascii' style='color:"+l.color+"'>")
	}
	if l.bold {
		tags = append(tags, "<span class='font-ascii' style='font-weight:bolder'>")
	}
	if l.underline {
		tags = append(tags, "<span class='font-ascii' style='text-decoration: underline'>")
	}
	return tags
}

// renderSource turns source form into the documented pieces, balanced and in one pass:
//
//   - §0 to §f and §#RRGGBB set the colour and end bold and underline, §l is bolder, §n
//     underlined, §r ends all three; letters in either case;
//   - a line feed is </br>, inside the spans that are open;
//   - a private-use code point is an icon: <span class='font-common'>;
//   - all else is text and escaped, a § that opens no code or a cut-off one included; a byte that
//     is not UTF-8 becomes U+FFFD.
//
// Spans open before the first character that needs them, so codes without text leave nothing.
func renderSource(s string) string {
	var (
		out        strings.Builder
		want, have look
		open       int
	)
	turn := func(to look) {
		for ; open > 0; open-- {
			out.WriteString("</span>")
		}
		for _, tag := range to.spans() {
			out.WriteString(tag)
			open++
		}
		have = to
	}
	for s != "" {
		if next, size := readCode(s, want); size > 0 {
			want, s = next, s[size:]
			continue
		}
		r, size := utf8.DecodeRuneInString(s)
		s = s[size:]
		if want != have {
			turn(want)
		}
		switch esc, found := escapes[r]; {
		case found:
			out.WriteString(esc)
		case r == '\n':
			out.WriteString("</br>")
		case unicode.Is(unicode.Co, r):
			out.WriteString("<span class='font-common'>" + string(r) + "</span>")
		default:
			out.WriteRune(r)
		}
	}
	turn(look{})
	return out.String()
}

// readCode reads the code at the start of s. It returns the look after the code and the code's length in bytes, 0
// without a code.
func readCode(s string, now look) (look, int) {
	rest, found := strings.CutPrefix(s, sign)
	if !found || rest == "" {
		return now, 0
	}
	size := len(sign) + 1
	switch c := rest[0]; {
	case c == '#':
		const digits = len("#RRGGBB")
		if len(rest) < digits || strings.ContainsFunc(rest[1:digits], notHex) {
			return now, 0
		}
		return look{color: rest[:digits]}, len(sign) + digits
	case !notHex(rune(c)):
		n, _ := strconv.ParseUint(rest[:1], 16, 8) // cannot fail: it is one digit
		return look{color: palette[n]}, size
	case c == 'l' || c == 'L':
		now.bold = true
		return now, size
	case c == 'n' || c == 'N':
		now.underline = true
		return now, size
	case c == 'r' || c == 'R':
		return look{}, size
	}
	return now, 0
}

func notHex(r rune) bool { return !unicode.Is(unicode.ASCII_Hex_Digit, r) }
