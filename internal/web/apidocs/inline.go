package apidocs

import (
	"html/template"
	"regexp"
	"strings"
)

var codeSpan = regexp.MustCompile("`([^`]+)`")

// inline renders a text with code in backquotes. link returns the address of the page about a code, empty for none.
func inline(text string, link func(string) string) template.HTML {
	var b strings.Builder
	for text != "" {
		at := codeSpan.FindStringSubmatchIndex(text)
		if at == nil {
			break
		}
		code := text[at[2]:at[3]]
		escaped := "<code>" + template.HTMLEscapeString(code) + "</code>"
		if link != nil {
			if to := link(code); to != "" {
				escaped = `<a href="` + template.HTMLEscapeString(to) + `">` + escaped + "</a>"
			}
		}
		b.WriteString(template.HTMLEscapeString(text[:at[0]]))
		b.WriteString(escaped)
		text = text[at[1]:]
	}
	b.WriteString(template.HTMLEscapeString(text))
	return template.HTML(b.String()) //nolint:gosec // escaped above
}

// cut shortens a text of more than limit bytes: after a word, or inside one that is longer.
func cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	text = text[:limit]
	if space := strings.LastIndexByte(text, ' '); space > 0 {
		return text[:space] + " …"
	}
	return strings.ToValidUTF8(text, "") + "…"
}
