package apidocs

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"gamedata/graph"
	"gamedata/graph/viewer"
	"gamedata/internal/httpapi"
	"gamedata/rest"
	"gamedata/rest/openapi"
)

// explanation tells how a documented path is answered.
type explanation struct {
	Method string `json:"method"`
	// Path has its variables in braces, Target the values that were asked about.
	Path   string `json:"path"`
	Target string `json:"target"`
	About  string `json:"about"`
	// Operation is null for the one endpoint that no operation stands behind.
	Operation *operation `json:"operation"`
	// Variables are those of the operation as the target gives them, Shaping those that only
	// shape the body, Missing those of the path that the target leaves open.
	Variables map[string]any `json:"variables"`
	Shaping   map[string]any `json:"shaping"`
	Missing   []string       `json:"missing"`

	Bucket string  `json:"bucket"`
	Cost   int     `json:"cost"`
	Cache  caching `json:"cache"`

	Fields       []field       `json:"fields"`
	Restrictions []restriction `json:"restrictions"`
	Errors       []failure     `json:"errors"`
	Links        links         `json:"links"`
}

type operation struct {
	Name     string `json:"name"`
	Field    string `json:"field"`
	Hash     string `json:"sha256"`
	Document string `json:"document"`
}

// caching is for how many seconds an answer may be kept, and for whom.
type caching struct {
	MaxAge int         `json:"maxAge"`
	Scope  graph.Scope `json:"scope"`
}

// restriction is an access rule that can take effect on the answer.
type restriction struct {
	Rule string `json:"rule"`
	// Scope is what lifts the rule for an application of the player's owner; null when nothing does.
	Scope *string  `json:"scope"`
	Keys  []string `json:"keys"`
}

// failure is an error that a request can be answered with.
type failure struct {
	Status int        `json:"status"`
	Error  string     `json:"error"`
	Code   graph.Code `json:"code"`
	Detail string     `json:"detail"`
}

// links lead to other views of the same; Answer and Console are empty when there is no such view.
type links struct {
	Answer        string `json:"answer,omitempty"`
	Console       string `json:"console,omitempty"`
	Docs          string `json:"docs"`
	OpenAPI       string `json:"openapi"`
	Compatibility string `json:"compatibility"`
}

// explain tells about an encoded path behind ExplainPrefix, whose variables may stand in braces
// for any value.
func (r *Reference) explain(path, query string) (*explanation, *graph.Error) {
	row, vars, ok := rest.MatchPath(path)
	if !ok {
		return nil, graph.ErrNotFound
	}
	e := &explanation{
		Method: row.Method, Path: rest.Prefix + row.Path, Target: path, Cost: 1, Bucket: httpapi.Shared,
		Cache:     caching{Scope: graph.User},
		Variables: map[string]any{}, Shaping: map[string]any{}, Missing: []string{}, Fields: []field{},
		Restrictions: []restriction{},
		Links: links{Docs: docs(row), OpenAPI: rest.DocumentPath, Compatibility: CompatibilityPath + "#" +
			anchor(row)},
	}
	if query != "" {
		e.Target += "?" + query
	}
	op := r.ops[row.Operation]
	for _, err := range row.Refusals(op) {
		status, name := httpapi.Status(err.Code)
		e.Errors = append(e.Errors, failure{status, name, err.Code, err.Detail})
	}
	if op == nil {
		e.About = "Takes a form and gives what no field tells: an access token for an authorization code."
		return e, nil
	}
	bound, bad := op.Bind(vars, query, nil)
	if bad != nil {
		return nil, bad
	}
	for name, v := range vars {
		if v == "{"+name+"}" {
			e.Missing = append(e.Missing, name)
			delete(bound, name)
		}
	}
	slices.Sort(e.Missing)
	e.Variables = op.Variables(bound)
	for name, v := range bound {
		if _, ok := e.Variables[name]; !ok {
			e.Shaping[name] = v
		}
	}
	plan := op.Plan()
	e.About = openapi.Words(plan.Field.Description)
	e.Operation = &operation{op.Name, op.RootField(), op.Hash(), op.Document()}
	if policy, ok := r.exec.FieldPolicy(op.RootField()); ok {
		e.Bucket, e.Cache = policy.Bucket, caching{int(policy.MaxAge.Seconds()), policy.Scope}
	}
	e.Fields = fieldMap(plan, bound)
	e.Restrictions = restrictions(e.Fields)
	e.Links.Console = console(op.Document(), e.Variables)
	if row.Method == http.MethodGet && len(e.Missing) == 0 {
		e.Links.Answer = e.Target
	}
	return e, nil
}

// restrictions are the access rules of some fields.
func restrictions(fields []field) []restriction {
	out := []restriction{}
	for _, f := range fields {
		for _, rule := range f.Restricted {
			i := slices.IndexFunc(out, func(r restriction) bool { return r.Rule == rule })
			if i < 0 {
				i, out = len(out), append(out, restriction{Rule: rule})
				if slices.Contains(viewer.AllScopes, rule) {
					out[i].Scope = &rule
				}
			}
			out[i].Keys = append(out[i].Keys, f.Key)
		}
	}
	return out
}

// console opens an operation in the console.
func console(document string, variables map[string]any) string {
	link := "/playground?query=" + url.QueryEscape(document)
	if text, err := json.MarshalIndent(variables, "", "  "); err == nil && len(variables) > 0 {
		link += "&variables=" + url.QueryEscape(string(text))
	}
	return strings.ReplaceAll(link, "+", "%20")
}

// docs is where the API reference describes a row.
func docs(row rest.Row) string {
	name := row.Operation
	if name == "" {
		name = openapi.ExchangeName
	}
	return "/docs#/" + strings.ReplaceAll(url.PathEscape(openapi.Group(row)), "+", "%20") + "/" + name
}

// anchor is where the compatibility page lists a row.
func anchor(row rest.Row) string {
	if row.Operation == "" {
		return openapi.ExchangeName
	}
	return row.Operation
}
