package graph

import (
	"context"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator/core"
)

const (
	maxSuggestions   = 3  // names in one error
	maxSuggestedName = 40 // bytes of a name that similar ones are searched for
	suggestionStart  = " Did you mean "
)

func fieldNames(def *ast.Definition) (names []string) {
	if def == nil {
		return nil
	}
	for _, f := range def.Fields {
		if !strings.HasPrefix(f.Name, "__") {
			names = append(names, f.Name)
		}
	}
	return names
}

func enumValues(def *ast.Definition) (names []string) {
	if def == nil {
		return nil
	}
	for _, v := range def.EnumValues {
		names = append(names, v.Name)
	}
	return names
}

// suggestion returns ` Did you mean "a" or "b"?` with the known names that are similar to a name; empty when none is.
func suggestion(name string, known []string) string { return didYouMean(SimilarNames(name, known)) }

// SimilarNames returns the known names that are similar to a name, the most similar first.
func SimilarNames(name string, known []string) []string {
	if len(name) > maxSuggestedName {
		return nil
	}
	similar := core.SuggestionList(name, known)
	return similar[:min(len(similar), maxSuggestions)]
}

func didYouMean(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return suggestionStart + core.QuotedOrList(names...) + "?"
}

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

// withoutValues removes values from a message of the parser or the validator. A suggestion at its end contains names of
// the schema only.
func withoutValues(message string) string {
	if i := strings.LastIndex(message, suggestionStart); i >= 0 {
		return withoutValues(message[:i]) + message[i:]
	}
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

// maxUnknownNames is how many unknown names of an operation have suggestions: comparing names takes time.
const maxUnknownNames = 10

// UnknownName is the error of an argument with a name that nothing has: its detail and its extensions suggest similar
// names. The known names must be public.
func UnknownName(ctx context.Context, code Code, detail, name string, known []string) *Error {
	err := &Error{Code: code, Detail: detail}
	if runOf(ctx).unknownNames.Add(1) <= maxUnknownNames {
		err.Suggestions = SimilarNames(name, known)
		err.Detail += didYouMean(err.Suggestions)
	}
	return err
}
