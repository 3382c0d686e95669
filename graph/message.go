package graph

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// The parser and the validator quote what the caller sent. Names help to find the place
// and are kept; values are not repeated.
var (
	quoted = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)
	// nameLike is an identifier in quotes, with the marks of a variable, a directive, a type
	// or a field of a type.
	nameLike = regexp.MustCompile(`^"[$@]?\[*[_A-Za-z][_0-9A-Za-z.]*[\]!]*"$`)
	// literal is a value as the parser names it: String "…".
	literal = regexp.MustCompile(`\b(String|BlockString|Int|Float|Comment) "(?:[^"\\]|\\.)*"`)
	// echo is where the validator goes on to repeat a value, and the lexer an escape
	// sequence: both to the end of the message.
	echo = regexp.MustCompile(`(?s)(?:( value| sequence): |, found [^A-Z<]).*$`)
)

const (
	maxName    = 40  // bytes of a name that are shown
	maxMessage = 200 // bytes of a message that may quote a document
)

// withoutValues rewords a message of the parser or the validator.
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

// shorten cuts a name of the caller to a length that helps to find it.
func shorten(name string) string { return cut(name, maxName) }

// cut returns at most n bytes of s in whole characters, with an ellipsis when it cut.
func cut(s string, n int) string {
	if len(s) <= n {
		return strings.ToValidUTF8(s, "…")
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return strings.ToValidUTF8(s[:n], "…") + "…"
}
