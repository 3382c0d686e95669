package site

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/internal/httpapi"
	"gamedata/internal/web"
)

type page struct {
	route
	op    web.Operation
	costs map[string]int // of the operation, by bucket
	about string         // the response key of the first root field
}

// newPage returns a page. Its operation begins with a field, and TestPageCosts proves that it is within the limits.
func newPage(exec *graph.Executor, r route, op web.Operation) *page {
	costs, _ := exec.Charges(op.Operation, nil)
	return &page{route: r, op: op, costs: costs, about: op.Def.SelectionSet[0].(*ast.Field).Alias}
}

type request struct {
	variables map[string]any // of the operation
	// query holds the known parameters of the address, without empty ones.
	query url.Values
}

// notParameters are variables that no parameter sets: the page size, and variables that chart pages derive from other
// parameters.
var notParameters = []string{firstVariable, lastVariable, "from", "interval"}

// Variables and parameters of paging.
const (
	firstVariable, lastVariable     = "first", "last"
	afterParameter, beforeParameter = "after", "before"
	aroundParameter                 = "around" // the uuid of the entry to show with its neighbours
)

// bind returns the variables of the operation: those in the path, the others from the query. A parameter without a
// value counts as missing, because forms send empty fields. bind ignores unknown parameters, since links collect them.
func (p *page) bind(now time.Time, path map[string]string, query string) (request, *graph.Error) {
	values, err := url.ParseQuery(query)
	if err != nil {
		return request{}, graph.Errorf(graph.InvalidQueryParams, "The address of this page is malformed.")
	}
	out := request{map[string]any{}, url.Values{}}
	for _, name := range p.parameters() {
		for _, text := range values[name] {
			if !utf8.ValidString(text) {
				return request{}, graph.Errorf(graph.InvalidQueryParams, "The address of this page is malformed.")
			}
			text = strings.TrimSpace(text)
			if text != "" {
				out.query.Add(name, text)
			}
		}
	}
	given := maps.Clone(out.query)
	for name, value := range path {
		given[name] = []string{value}
	}
	if p.values != nil {
		if bad := p.values(now, given); bad != nil {
			return request{}, bad
		}
	}
	for _, v := range p.op.Def.VariableDefinitions {
		value, bad := valueOf(v, given[v.Variable], path[v.Variable] != "")
		switch {
		case bad != nil:
			return request{}, bad
		case value != nil:
			out.variables[v.Variable] = value
		}
	}
	if given.Has(beforeParameter) { // the previous page, counted from its end
		out.variables[lastVariable], out.variables[firstVariable] = p.pageSize(), nil
	}
	return out, nil
}

// pageSize returns the number of entries on a page of the list: the operation's default.
func (p *page) pageSize() any {
	n, _ := p.op.Def.VariableDefinitions.ForName(firstVariable).DefaultValue.Value(nil) // a literal has a value
	return n
}

// parameters returns the names of the query parameters that a page knows.
func (p *page) parameters() []string {
	out := slices.Clone(p.params)
	for _, v := range p.op.Def.VariableDefinitions {
		if !slices.Contains(slices.Concat(notParameters, out), v.Variable) && !strings.Contains(p.path, "{"+v.Variable+"}") {
			out = append(out, v.Variable)
		}
	}
	return out
}

// valueOf returns the value of a variable, nil if none is given.
func valueOf(v *ast.VariableDefinition, given []string, inPath bool) (any, *graph.Error) {
	switch {
	case len(given) == 0 && v.Type.NonNull && v.DefaultValue == nil:
		if v.Variable == "query" {
			return nil, graph.Errorf(graph.InvalidQueryParams, "Enter a search term.")
		}
		return nil, graph.Errorf(graph.InvalidQueryParams, "Enter a value for %s.", v.Variable)
	case len(given) == 0:
		return nil, nil
	case v.Type.Elem != nil:
		list := make([]any, len(given))
		for i, text := range given {
			value, bad := scalar(v, text)
			if bad != nil {
				return nil, bad
			}
			list[i] = value
		}
		return list, nil
	case len(given) > 1:
		return nil, graph.Errorf(graph.InvalidQueryParams, "Give %s once in the address of this page.", v.Variable)
	}
	value, bad := scalar(v, given[0])
	if bad != nil && inPath {
		return nil, graph.ErrNotFound
	}
	return value, bad
}

func isUUID(text string) bool {
	_, ok := model.ParseUUID(text)
	return ok
}

// noSuch returns the error for a choice that the page does not offer.
func noSuch(choice string) *graph.Error {
	return graph.Errorf(graph.InvalidQueryParams, "The %s in the address does not exist. Choose one from the list.",
		choice)
}

// scalar converts a text to the type of a variable, or of its entries.
func scalar(v *ast.VariableDefinition, text string) (any, *graph.Error) {
	switch {
	case v.Definition.Kind == ast.Enum && v.Definition.EnumValues.ForName(text) == nil:
		return nil, noSuch(v.Variable)
	case v.Definition.Name == "Boolean":
		switch text {
		case "true", "false":
			return text == "true", nil
		}
		return nil, graph.Errorf(graph.InvalidQueryParams, "Enter true or false for %s.", v.Variable)
	case v.Definition.Name == "UUID" && !isUUID(text):
		return nil, graph.Errorf(graph.InvalidQueryParams, "Enter a UUID for %s.", v.Variable)
	case v.Definition.Name == "IdentificationFilter":
		filter, _, bad := condition(text)
		return filter, bad
	case v.Definition.Name == "Int":
		n, err := strconv.ParseInt(text, 10, 32)
		if err != nil {
			return nil, graph.Errorf(graph.InvalidQueryParams, "Enter a whole number for %s.", v.Variable)
		}
		return n, nil
	}
	return text, nil
}

// maxSearchTerm is the maximum number of characters in the search field.
const maxSearchTerm = 100

// searchTerm returns the name in a page's address, to search for it if the page does not exist.
func (p *page) searchTerm(variables map[string]any) string {
	for _, def := range p.op.Def.VariableDefinitions {
		if !def.Type.NonNull || def.DefaultValue != nil {
			continue
		}
		if text, ok := variables[def.Variable].(string); ok && utf8.RuneCountInString(text) <= maxSearchTerm {
			return text
		}
	}
	return ""
}

// errorOf returns the error of the page's subject, the first field of the response, without which the page cannot be
// shown, or of a parameter. Errors of other fields leave parts of the page empty.
func (p *page) errorOf(data json.RawMessage, errors gqlerror.List) *graph.Error {
	for _, e := range errors {
		if bad := graph.ErrorOf(e); bad.Code == graph.InvalidQueryParams {
			return bad
		}
	}
	missing := bytes.HasPrefix(data, []byte(`{"`+p.about+`":null`)) && !p.partial
	if bytes.HasPrefix(data, []byte("{")) && !missing {
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

// cacheRequest returns the inputs that a cached page depends on, and its policy. A cached page costs nothing.
func (s *Site) cacheRequest(w http.ResponseWriter, r *http.Request, p *page, req request, cost int,
) httpapi.CacheRequest {
	key, err := json.Marshal(req.variables)
	q := httpapi.CacheRequest{
		Key: "page " + p.op.Name + string(key) + req.query.Encode(), MaxAge: p.op.Policy.MaxAge, Scope: p.op.Policy.Scope,
		Source: httpapi.SourceGraphQL,
		Charge: func(cached bool) *graph.Error {
			if cached {
				cost = 0
			}
			return web.Charge(s.api, w, r, cost)
		},
	}
	if err != nil {
		q.MaxAge = 0
	}
	for _, cost := range p.costs {
		q.Cost += cost
	}
	return q
}
