package site

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"unicode/utf8"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"gamedata/graph"
	"gamedata/internal/httpapi"
	"gamedata/internal/web"
)

type page struct {
	route
	op    web.Operation
	costs map[string]int // of the operation, by bucket
	about string         // the response key of the first root field
}

func newPage(exec *graph.Executor, r route, op web.Operation) (*page, error) {
	if op.Operation == nil {
		return nil, fmt.Errorf("operation %s is missing", r.operation)
	}
	first, ok := op.Def.SelectionSet[0].(*ast.Field)
	if !ok || op.Def.Operation != ast.Query {
		return nil, fmt.Errorf("%s must be a query that begins with a field", r.operation)
	}
	costs, tooExpensive := exec.Charges(op.Operation, nil)
	if tooExpensive != nil {
		return nil, tooExpensive
	}
	return &page{route: r, op: op, costs: costs, about: first.Alias}, nil
}

// bind returns the variables of the operation: those in the path, the others from the query, each
// exactly once. Other parameters are ignored, since links collect them.
func (p *page) bind(path map[string]string, query string) (map[string]any, *graph.Error) {
	values, err := url.ParseQuery(query)
	if err != nil {
		return nil, graph.Errorf(graph.InvalidQueryParams, "The address of this page is malformed.")
	}
	for name, value := range path {
		values[name] = []string{value}
	}
	for _, v := range p.op.Def.VariableDefinitions {
		given := values[v.Variable]
		if len(given) == 0 {
			return nil, graph.Errorf(graph.InvalidQueryParams, "Enter a search term.")
		}
		if len(given) != 1 || !utf8.ValidString(given[0]) {
			return nil, graph.Errorf(graph.InvalidQueryParams, "Give %s once in the address of this page.", v.Variable)
		}
	}
	variables := web.Bind(p.op, values)
	for _, v := range p.op.Def.VariableDefinitions {
		if v.Type.NamedType == "Int" {
			n, err := strconv.ParseInt(values.Get(v.Variable), 10, 32)
			if err != nil {
				return nil, graph.ErrNotFound
			}
			variables[v.Variable] = n
		}
	}
	return variables, nil
}

// maxSearchTerm is how many characters the search field takes.
const maxSearchTerm = 100

// searchTerm returns the name that a page is about, to search for it when there is no such page.
func (p *page) searchTerm(variables map[string]any) string {
	for _, def := range p.op.Def.VariableDefinitions {
		if text, ok := variables[def.Variable].(string); ok && utf8.RuneCountInString(text) <= maxSearchTerm {
			return text
		}
	}
	return ""
}

// errorOf returns why the page cannot be shown: the error of the field that it is about. Errors of
// other fields leave parts of the page empty.
func (p *page) errorOf(data json.RawMessage, errors gqlerror.List) *graph.Error {
	if p.partial && len(data) > 0 && string(data) != "null" {
		return nil
	}
	var roots map[string]json.RawMessage
	if json.Unmarshal(data, &roots) == nil && roots[p.about] != nil && string(roots[p.about]) != "null" {
		return nil
	}
	if len(errors) == 0 {
		return graph.ErrNotFound
	}
	for _, e := range errors {
		if len(e.Path) > 0 && e.Path[0] == ast.PathName(p.about) {
			return graph.ErrorOf(e)
		}
	}
	return graph.ErrorOf(errors[0])
}

// cacheRequest is what a cached page depends on, and its policy.
func (s *Site) cacheRequest(p *page, variables map[string]any) httpapi.CacheRequest {
	key, err := json.Marshal(variables)
	q := httpapi.CacheRequest{
		Key: "page " + p.op.Name + string(key), MaxAge: p.op.Policy.MaxAge, Scope: p.op.Policy.Scope,
		Source: httpapi.SourceGraphQL, ErrorResponse: s.errorResponse,
	}
	if err != nil {
		q.MaxAge = 0
	}
	for _, cost := range p.costs {
		q.Cost += cost
	}
	return q
}
