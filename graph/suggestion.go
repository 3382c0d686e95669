package graph

import (
	"context"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator/core"
)

// Errors about an unknown name suggest similar names of the schema, which is public. The validator would look for them
// at every unknown name of a document; here it is done for the errors that are returned.

const (
	maxSuggestions   = 3  // names in one error
	maxSuggestedName = 40 // bytes of a name that similar ones are searched for
)

// unknownName is a form of messages of the validator about an unknown name, which is the first group.
type unknownName struct {
	message *regexp.Regexp
	// names returns the names that are known there, by the other groups.
	names func(schema *ast.Schema, groups []string) []string
}

var unknownNames = []unknownName{
	{regexp.MustCompile(`^Cannot query field "(\w+)" on type "(\w+)"\.$`), func(s *ast.Schema, g []string) []string {
		return fieldNames(s.Types[g[0]])
	}},
	{regexp.MustCompile(`^Unknown argument "(\w+)" on field "(\w+)\.(\w+)"\.$`), func(s *ast.Schema, g []string) []string {
		if def := s.Types[g[0]]; def != nil {
			if f := def.Fields.ForName(g[1]); f != nil {
				return argumentNames(f.Arguments)
			}
		}
		return nil
	}},
	{regexp.MustCompile(`^Unknown argument "(\w+)" on directive "@(\w+)"\.$`), func(s *ast.Schema, g []string) []string {
		if d := s.Directives[g[0]]; d != nil {
			return argumentNames(d.Arguments)
		}
		return nil
	}},
	{regexp.MustCompile(`^Unknown type "(\w+)"\.$`), func(s *ast.Schema, _ []string) []string {
		return slices.Sorted(maps.Keys(s.Types))
	}},
	{regexp.MustCompile(`^Field "(\w+)" is not defined by type "(\w+)"\.$`), func(s *ast.Schema, g []string) []string {
		return fieldNames(s.Types[g[0]])
	}},
	{regexp.MustCompile(`^Value "(\w+)" does not exist in "\[*(\w+)[]!]*" enum\.$`), enumNamed},
}

// notAnEnum is a message about a text where a value of an enum is expected. The type comes first.
var notAnEnum = regexp.MustCompile(`^Enum "\[*(\w+)[]!]*" cannot represent non-enum value: "(\w+)"\.$`)

func enumNamed(s *ast.Schema, groups []string) []string { return enumValues(s.Types[groups[0]]) }

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

func argumentNames(list ast.ArgumentDefinitionList) (names []string) {
	for _, a := range list {
		names = append(names, a.Name)
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

// suggestionFor returns the sentence that suggests similar names in an error with a message of the validator, empty
// when there are none.
func suggestionFor(schema *ast.Schema, message string) string {
	if len(message) > maxMessage {
		return ""
	}
	if m := notAnEnum.FindStringSubmatch(message); m != nil {
		return suggestion(m[2], enumNamed(schema, m[1:2]))
	}
	for _, u := range unknownNames {
		if m := u.message.FindStringSubmatch(message); m != nil {
			if s := suggestion(m[1], u.names(schema, m[2:])); s != "" {
				return s
			}
			return fragmentSuggestion(schema, m)
		}
	}
	return ""
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
	return " Did you mean " + core.QuotedOrList(names...) + "?"
}

// fragmentSuggestion suggests a fragment for a field that an interface or a union lacks and types of it have.
func fragmentSuggestion(schema *ast.Schema, groups []string) string {
	if len(groups) != 3 {
		return ""
	}
	def := schema.Types[groups[2]]
	if def == nil || !def.IsAbstractType() {
		return ""
	}
	var types []string
	for _, t := range schema.GetPossibleTypes(def) {
		if t.Fields.ForName(groups[1]) != nil && len(types) < maxSuggestions {
			types = append(types, t.Name)
		}
	}
	if len(types) == 0 {
		return ""
	}
	return " Did you mean to use an inline fragment on " + core.QuotedOrList(types...) + "?"
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
