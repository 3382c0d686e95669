package apidocs

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/internal/httpapi"
	"gamedata/internal/web"
	"gamedata/rest"
)

const explanationID = "explain"

type explanation struct {
	Method string `json:"method"`
	// Path contains its variables in braces, Target their values.
	Path   string `json:"path"`
	Target string `json:"target"`
	About  string `json:"about"`
	// Operation is null for the token endpoint of OAuth2, which runs no operation.
	Operation *operation `json:"operation"`
	// Variables holds the operation's variables, Shaping the variables that only change the body. Missing lists path
	// variables without a value.
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

// caching says how many seconds a response may be cached, and for whom.
type caching struct {
	MaxAge int         `json:"maxAge"`
	Scope  graph.Scope `json:"scope"`
}

// restriction is an access rule that can hide something in the response.
type restriction struct {
	Rule string `json:"rule"`
	// Scope is the OAuth2 scope that grants access to the player's own data; null if there is none.
	Scope *string  `json:"scope"`
	Keys  []string `json:"keys"`
}

// links lead to other views; Response and Console are empty if the view does not exist.
type links struct {
	Response      string `json:"response,omitempty"`
	Console       string `json:"console,omitempty"`
	Docs          string `json:"docs"`
	OpenAPI       string `json:"openapi"`
	Compatibility string `json:"compatibility"`
}

// explain explains the endpoint of an encoded path without ExplainPrefix. Variables may be left in braces.
func (d *Docs) explain(path, query string) (*explanation, *graph.Error) {
	u, err := url.ParseRequestURI(path)
	if err != nil {
		return nil, graph.ErrNotFound
	}
	row, vars, ok := rest.Lookup(u)
	if !ok {
		return nil, graph.ErrNotFound
	}
	op := d.ops[row.Operation]
	e := &explanation{
		Method: row.Method, Path: rest.Prefix + row.Path, Target: path, Cost: 1, Bucket: httpapi.Shared,
		Cache:     caching{Scope: graph.User},
		Variables: map[string]any{}, Shaping: map[string]any{}, Missing: []string{}, Fields: []field{},
		Restrictions: []restriction{},
		Links: links{
			Docs: endpointPath(row), OpenAPI: rest.DocumentPath, Compatibility: endpointPath(row) + "#" + compatibilityID,
		},
		Errors: failures(row.PossibleErrors(op)),
	}
	if query != "" {
		e.Target += "?" + query
	}
	if op == nil {
		e.About = "Exchanges an authorization code for an access token. Has no GraphQL operation."
		return e, nil
	}
	known := maps.Clone(vars)
	for name, v := range vars {
		if v == "{"+name+"}" {
			e.Missing = append(e.Missing, name)
			delete(known, name)
		}
	}
	bound, bad := op.Bind(known, query, nil)
	if bad != nil {
		return nil, bad
	}
	slices.Sort(e.Missing)
	e.Variables = op.Variables(bound)
	for name, v := range bound {
		if _, ok := e.Variables[name]; !ok {
			e.Shaping[name] = v
		}
	}
	plan := op.Plan()
	title, more := op.About()
	e.About = strings.TrimSpace(title + ". " + more)
	e.Operation = &operation{op.Name, op.RootField(), op.Hash(), op.Document()}
	policy := op.Policy(d.exec.FieldPolicy(op.RootField()))
	e.Bucket, e.Cache = policy.Bucket, caching{int(policy.MaxAge.Seconds()), policy.Scope}
	e.Fields = fieldMap(plan, bound)
	e.Restrictions = restrictions(e.Fields)
	e.Links.Console = web.ConsoleLink(op.Document(), e.Variables)
	if row.Method == http.MethodGet && len(e.Missing) == 0 {
		e.Links.Response = e.Target
	}
	return e, nil
}

func restrictions(fields []field) []restriction {
	out := []restriction{}
	for _, f := range fields {
		for _, rule := range f.Restricted {
			i := slices.IndexFunc(out, func(r restriction) bool { return r.Rule == rule })
			if i < 0 {
				i, out = len(out), append(out, restriction{Rule: rule})
				if slices.Contains(model.ScopeNames, rule) {
					out[i].Scope = &rule
				}
			}
			out[i].Keys = append(out[i].Keys, f.Key)
		}
	}
	return out
}
