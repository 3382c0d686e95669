package web

import (
	"encoding/json"
	"html"
	"html/template"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/dustin/go-humanize"
)

var templateFuncs = template.FuncMap{
	"add":        func(a, b int) int { return a + b },
	"asset":      asset,
	"banner":     drawBanner,
	"drawing":    func(d Drawing) template.HTML { return d.svg("avatar") },
	"date":       func(t time.Time) string { return t.UTC().Format("2 Jan 2006") },
	"day":        Day,
	"forhtml":    html.EscapeString, // for text to copy into HTML: the page escapes it once more
	"formd":      markdown.Replace,
	"guilddot":   GuildDot,
	"has":        slices.Contains[[]string],
	"hours":      Hours,
	"icon":       Icon,
	"identicon":  Avatar,
	"int":        func(v float64) int64 { return int64(v) },
	"join":       strings.Join,
	"json":       toJSON,
	"label":      Label,
	"lower":      strings.ToLower,
	"mark":       mark,
	"moment":     Moment,
	"mul":        func(a, b int) int { return a * b },
	"num":        Number,
	"pair":       func(a, b any) pair { return pair{a, b} },
	"paragraphs": Paragraphs,
	"path":       Path,
	"style":      style,
	"upper":      strings.ToUpper,
	"when":       when,
	"yes":        func(b *bool) bool { return b != nil && *b },
}

var markdown = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`,
	">", `\>`, "&", `\&`, "~", `\~`, "|", `\|`)

// mark highlights the part of a name that matches a text, ignoring case, and isolates the name's direction from the
// text around it.
func mark(text, part string) template.HTML {
	part = strings.ToLower(part)
	folded := strings.ToLower(text)
	at := strings.Index(folded, part)
	if end := at + len(part); at >= 0 && len(folded) == len(text) { // so that positions agree
		//nolint:gosec // the texts are escaped
		return template.HTML("<bdi>" + html.EscapeString(text[:at]) + "<mark>" + html.EscapeString(text[at:end]) +
			"</mark>" + html.EscapeString(text[end:]) + "</bdi>")
	}
	return template.HTML("<bdi>" + html.EscapeString(text) + "</bdi>") //nolint:gosec // the text is escaped
}

func toJSON(v any) (string, error) {
	text, err := json.Marshal(v)
	return string(text), err
}

// Path returns the path of a page: its section, such as players, and a name.
func Path(section, name string) string { return "/" + section + "/" + url.PathEscape(name) }

// Day formats a day, in UTC.
func Day(t time.Time) string { return t.UTC().Format("2 January 2006") }

// Moment formats a time to the minute, in UTC.
func Moment(t time.Time) string { return t.UTC().Format("2 January 2006, 15:04 UTC") }

// when returns a time to the minute, which a script shows relative to now.
func when(t time.Time) template.HTML {
	at := t.UTC().Format(time.RFC3339)
	//nolint:gosec // a time has no markup
	return template.HTML(`<time datetime="` + at + `" data-relative>` + Moment(t) + `</time>`)
}

// Hours formats a number of whole hours.
func Hours(h float64) string { return Number(int64(h)) + " h" }

// Number formats a whole number with its digits grouped by threes.
func Number(n int64) string { return strings.Replace(humanize.Comma(n), "-", "−", 1) }

// experience is an abbreviation in keys.
var experience = regexp.MustCompile(`(?i)\bxp\b`)

// Label turns a key of the data into words: rawHealth into Raw health, VERY_LOW into Very low, and xpBonus into XP
// bonus.
func Label(key string) string {
	if key == strings.ToUpper(key) {
		key = strings.ToLower(key)
	}
	var b strings.Builder
	before := ' '
	for i, r := range key {
		next := r
		switch {
		case i == 0:
			next = unicode.ToUpper(r)
		case r == '_':
			next = ' '
		case before == ' ':
			next = unicode.ToLower(r)
		case unicode.IsUpper(r), unicode.IsDigit(r) && !unicode.IsDigit(before):
			b.WriteByte(' ')
			next = unicode.ToLower(r)
		}
		b.WriteRune(next)
		before = r
	}
	return experience.ReplaceAllString(b.String(), "XP")
}

// Parts of the game's markup: symbols in the game's own fonts, and tags.
var (
	fontSymbol = regexp.MustCompile(`<span class='font-(?:common|profession)'[^>]*>[^<]*</span> ?`)
	markupTag  = regexp.MustCompile(`<[^>]*>`)
)

// Paragraphs returns the lines of a text with the game's markup, without colours and symbols.
func Paragraphs(markup string) []string {
	var out []string
	for line := range strings.SplitSeq(fontSymbol.ReplaceAllString(markup, ""), "<br>") {
		line = html.UnescapeString(markupTag.ReplaceAllString(line, ""))
		line = strings.Map(func(r rune) rune {
			if unicode.Is(unicode.Co, r) {
				return -1
			}
			return r
		}, line)
		line = strings.TrimSpace(line)
		if line != "" {
			out = append(out, line)
		}
	}
	return out
}
