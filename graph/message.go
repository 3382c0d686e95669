package graph

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// The parser and the validator quote what the caller sent. Names help to find the error and stay in
// the message; values are removed.
var (
	quoted = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)
	// nameLike is a quoted identifier, with the marks of a variable, a directive, a type or a field of a type.
	nameLike = regexp.MustCompile(`^"[$@]?\[*[_A-Za-z][_0-9A-Za-z.]*[\]!]*"$`)
	// literal is a value in the parser's form: String "…".
	literal = regexp.MustCompile(`\b(String|BlockString|Int|Float|Comment) "(?:[^"\\]|\\.)*"`)
	// echo is where the validator repeats a value and the lexer an escape sequence, up to the end of the message.
	echo = regexp.MustCompile(`(?s)(?:( value| sequence): |, found [^A-Z<]).*$`)
)

const (
	maxName    = 40  // bytes of a name in a message
	maxMessage = 200 // bytes of a message that may quote a document
)

// withoutValues removes values from a message of the parser or the validator.
func withoutValues(message string) string {
	message = literal.ReplaceAllString(message, "$1")
	message = echo.ReplaceAllString(message, "$1.")
	message = quoted.ReplaceAllStringFunc(message, func(s string) string {
		if !nameLike.MatchString(s) {
			return `"…"`
		}
		return `"` + shorten(s[1:len(s)-1]) + `"`
	})
	return cut(message, maxMessage)
}

func shorten(name string) string { return cut(name, maxName) }

// cut truncates s to n bytes of whole characters and an ellipsis.
func cut(s string, n int) string {
	if len(s) <= n {
		return strings.ToValidUTF8(s, "…")
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return strings.ToValidUTF8(s[:n], "…") + "…"
}
