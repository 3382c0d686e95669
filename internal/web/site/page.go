package site

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"unicode/utf8"

	"github.com/vektah/gqlparser/v2/ast"

	"gamedata/graph"
	"gamedata/internal/httpapi"
)

// page is a row made ready.
type page struct {
	row
	op       *graph.Operation
	charges  map[string]int // what a page costs, by bucket
	document string
	about    string // the response key of the first root field
}

func newPage(exec *graph.Executor, r row) (*page, error) {
	text, err := files.ReadFile("operations/" + r.operation + ".graphql")
	if err != nil {
		return nil, err
	}
	op, problems := exec.Parse(string(text), r.operation)
	if len(problems) > 0 {
		return nil, problems
	}
	first, ok := op.Def.SelectionSet[0].(*ast.Field)
	if !ok || op.Def.Operation != ast.Query {
		return nil, fmt.Errorf("%s must be a query that begins with a field", r.operation)
	}
	charges, tooDear := exec.Price(op, nil)
	if tooDear != nil {
		return nil, tooDear
	}
	return &page{row: r, op: op, charges: charges, document: string(text), about: first.Alias}, nil
}

// readQuery takes the variables that the path does not give from the parameters of their names.
// Other parameters are ignored: links gather them.
func (p *page) readQuery(query string, variables map[string]any) *graph.Error {
	given, err := url.ParseQuery(query)
	if err != nil {
		return graph.Errorf(graph.InvalidQueryParams, "The address of this page is malformed.")
	}
	for _, def := range p.op.Def.VariableDefinitions {
		if _, ok := variables[def.Variable]; ok {
			continue
		}
		values := given[def.Variable]
		if len(values) == 0 {
			return graph.Errorf(graph.InvalidQueryParams, "Write what to look for.")
		}
		if len(values) != 1 || !utf8.ValidString(values[0]) {
			return graph.Errorf(graph.InvalidQueryParams, "Give %s once in the address of this page.", def.Variable)
		}
		variables[def.Variable] = values[0]
	}
	return nil
}

// longestSearch is how many characters may be searched for, as the search field has it.
const longestSearch = 100

// sought is the name that a page was asked for, to search for it when there is no such page.
func (p *page) sought(variables map[string]any) string {
	for _, def := range p.op.Def.VariableDefinitions {
		if text, ok := variables[def.Variable].(string); ok && utf8.RuneCountInString(text) <= longestSearch {
			return text
		}
	}
	return ""
}

// question is what a kept page depends on, at its price by bucket.
func (s *Site) question(p *page, variables map[string]any, prices map[string]int) httpapi.Question {
	key, err := json.Marshal(variables)
	q := httpapi.Question{
		Key: "page " + p.op.Name + string(key), MaxAge: p.op.Policy.MaxAge, Scope: p.op.Policy.Scope,
		Source: httpapi.SourceGraphQL, Refuse: s.problem,
	}
	if err != nil {
		q.MaxAge = 0
	}
	for _, cost := range prices {
		q.Cost += cost
	}
	return q
}

// admit takes what the operation costs, as /graphql does, and looks at the credential. When it
// reports false the refusal is already written.
func (s *Site) admit(w http.ResponseWriter, r *http.Request, prices map[string]int) bool {
	if !s.charge(w, r, prices) {
		return false
	}
	httpapi.ForgetSession(w)
	if bad := httpapi.Refused(w); bad != nil {
		s.send(w, r, s.problem(bad))
		return false
	}
	return true
}

// charge takes prices by bucket, whatever the credential. When it reports false the refusal is
// already written.
func (s *Site) charge(w http.ResponseWriter, r *http.Request, prices map[string]int) bool {
	dec, bad := s.door.TakeAll(w, prices)
	if bad != nil {
		s.send(w, r, s.problem(bad))
		return false
	}
	s.door.SetRateHeaders(w, dec)
	if !dec.Allowed {
		wait := strconv.Itoa(httpapi.WholeSeconds(dec.RetryAfter))
		a := s.problem(graph.Errorf(graph.TooManyRequests, "Too many requests. Try again in %s seconds.", wait))
		a.Header.Set("Retry-After", wait)
		s.send(w, r, a)
	}
	return dec.Allowed
}
