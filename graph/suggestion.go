package graph

import (
	"cmp"
	"context"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"github.com/99designs/gqlgen/graphql"
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
func suggestion(name string, known []string) string {
	if len(name) > maxSuggestedName {
		return ""
	}
	similar := core.SuggestionList(name, known)
	if len(similar) == 0 {
		return ""
	}
	return " Did you mean " + core.QuotedOrList(similar[:min(len(similar), maxSuggestions)]...) + "?"
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

// Suggestion has names that are similar to an unknown one in an argument of a field, which is null or empty without an
// error. Responses list them in extensions.suggestions.
type Suggestion struct {
	// Path is the field's path in the response.
	Path ast.Path `json:"path"`
	// Names are known names, the most similar first.
	Names []string `json:"names"`
}

const (
	suggestionsExtension = "suggestions"
	// maxSuggestionLists is how many unknown names of an operation have suggestions: comparing names takes time.
	maxSuggestionLists = 10
)

// lookups collects the suggestions of one operation, whose fields resolve concurrently.
type lookups struct {
	tried atomic.Int32
	mu    sync.Mutex
	list  []Suggestion
}

// SuggestNames lists in the response those of some known names that are similar to an unknown one. Call it in the
// resolver of the field whose argument has the name. The known names must be public.
func SuggestNames(ctx context.Context, name string, known []string) {
	l := &runOf(ctx).unknown
	if len(name) > maxSuggestedName || l.tried.Add(1) > maxSuggestionLists {
		return
	}
	similar := core.SuggestionList(name, known)
	if len(similar) == 0 {
		return
	}
	one := Suggestion{graphql.GetFieldContext(ctx).Path(), similar[:min(len(similar), maxSuggestions)]}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = append(l.list, one)
}

// addTo lists the suggestions in a response, ordered by path.
func (l *lookups) addTo(response *graphql.Response) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.list) == 0 {
		return
	}
	slices.SortFunc(l.list, func(a, b Suggestion) int {
		return cmp.Or(slices.CompareFunc(a.Path, b.Path, comparePathElements), slices.Compare(a.Names, b.Names))
	})
	if response.Extensions == nil {
		response.Extensions = map[string]any{}
	}
	response.Extensions[suggestionsExtension] = l.list
}
