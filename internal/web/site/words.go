package site

import (
	"html"
	"html/template"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// words are the functions of the templates.
var words = template.FuncMap{
	"path": path, "day": day, "moment": moment, "num": num, "hours": hours, "label": label, "paragraphs": paragraphs,
	"add": func(a, b int) int { return a + b },
}

// path is that of a page about something with a name.
func path(room, name string) string { return "/" + room + "/" + url.PathEscape(name) }

func day(t time.Time) string { return t.UTC().Format("2 January 2006") }

func moment(t time.Time) string { return t.UTC().Format("2 January 2006, 15:04 UTC") }

// num groups the digits of a whole number by threes.
func num(n int64) string {
	digits := strconv.FormatInt(n, 10)
	sign := ""
	if digits[0] == '-' {
		sign, digits = "−", digits[1:]
	}
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return sign + digits
}

func hours(h float64) string { return num(int64(h)) + " h" }

// label spells a key of the data as people do: rawHealth is Raw health, VERY_LOW is Very low.
func label(key string) string {
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
		case unicode.IsUpper(r), unicode.IsDigit(r) && !unicode.IsDigit(before):
			b.WriteByte(' ')
			next = unicode.ToLower(r)
		}
		b.WriteRune(next)
		before = r
	}
	return b.String()
}

// The pieces of markup that is safe for pages: signs of the game's own fonts, and tags.
var (
	sign = regexp.MustCompile(`<span class='font-(?:common|profession)'[^>]*>[^<]*</span> ?`)
	tag  = regexp.MustCompile(`<[^>]*>`)
)

// paragraphs are the lines of a text of the game, without its colours and its own signs.
func paragraphs(safe string) []string {
	var out []string
	for line := range strings.SplitSeq(sign.ReplaceAllString(safe, ""), "<br>") {
		line = html.UnescapeString(tag.ReplaceAllString(line, ""))
		line = strings.Map(func(r rune) rune {
			if unicode.Is(unicode.Co, r) {
				return -1
			}
			return r
		}, line)
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return out
}
