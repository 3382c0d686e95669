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
	maxSuggestedName = 40 // bytes of the longest name that gets suggestions
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

// suggestion returns ` Did you mean "a" or "b"?` with the known names similar to a name, or "" if none is similar.
func suggestion(name string, known []string) string { return didYouMean(SimilarNames(name, known)) }

// SimilarNames returns the known names similar to a name, the most similar first.
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

// The parser and the validator quote the caller's input. Names help to find the error and stay in the message; values
// are removed.
var (
	quoted = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)
	// nameLike matches a quoted identifier, with the marks of a variable, a directive, a type or a field of a type.
	nameLike = regexp.MustCompile(`^"[$@]?\[*[_A-Za-z][_0-9A-Za-z.]*[\]!]*"$`)
	// literal matches a value in the parser's form: String "…".
	literal = regexp.MustCompile(`\b(String|BlockString|Int|Float|Comment) "(?:[^"\\]|\\.)*"`)
	// echo matches the end of a message where the validator repeats a value or the lexer an escape sequence.
	echo = regexp.MustCompile(`(?s)(?:( value| sequence): |, found [^A-Z<]).*$`)
)

const (
	maxName    = 40  // bytes of a name in a message
	maxMessage = 200 // bytes of a message that may quote a document
)

// withoutValues removes values from a message of the parser or the validator. A suggestion at the end of a message
// contains only names of the schema.
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

// maxUnknownNames is the maximum number of unknown names per operation with suggestions: comparing names takes time.
const maxUnknownNames = 10

// UnknownName returns the error for an argument with an unknown name. Its detail and extensions suggest similar known
// names, which must be public.
func UnknownName(ctx context.Context, code Code, detail, name string, known []string) *Error {
	err := &Error{Code: code, Detail: detail}
	if runOf(ctx).unknownNames.Add(1) <= maxUnknownNames {
		err.Suggestions = SimilarNames(name, known)
		err.Detail += didYouMean(err.Suggestions)
	}
	return err
}
