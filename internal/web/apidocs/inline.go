package apidocs

import (
	"html"
	"html/template"
	"regexp"
	"strings"
)

var codeSpan = regexp.MustCompile("`[^`]+`")

// inline renders a text with code in backquotes. link returns the address of the page about a code, empty for none.
func inline(text string, link func(string) string) template.HTML {
	escaped := template.HTMLEscapeString(text)                                             // which leaves backquotes
	return template.HTML(codeSpan.ReplaceAllStringFunc(escaped, func(span string) string { //nolint:gosec // escaped above
		code := strings.Trim(span, "`")
		out := "<code>" + code + "</code>"
		if link != nil {
			if to := link(html.UnescapeString(code)); to != "" {
				out = `<a href="` + template.HTMLEscapeString(to) + `">` + out + "</a>"
			}
		}
		return out
	}))
}

// cut shortens a text to limit bytes, after a word if possible.
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
