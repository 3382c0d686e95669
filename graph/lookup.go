package graph

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator/core"
)

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
