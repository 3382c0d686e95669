package apidocs

import (
	"net/http"

	"gamedata/internal/httpapi"
	"gamedata/internal/web"
	"gamedata/rest"
	"gamedata/rest/openapi"
)

// group has the endpoints of one tag.
type group struct {
	Name      string
	Endpoints []endpoint
}

// endpoint is a route with its conformance cases.
type endpoint struct {
	Method, Path, Operation, Anchor string
	Explain, Docs, Console          string
	Cases                           []conformanceCase
}

// conformanceCase is a case. Link is its request if a browser can send it.
type conformanceCase struct {
	rest.Case
	Link string
}

// compatibility renders the page of all routes and cases.
func (d *Docs) compatibility() (httpapi.Response, error) {
	cases, err := rest.Cases()
	if err != nil {
		return httpapi.Response{}, err
	}
	byPath := map[string][]conformanceCase{}
	var others []conformanceCase // of undocumented paths
	for _, c := range cases {
		listed := conformanceCase{Case: c}
		if c.Method == http.MethodGet && len(c.Header) == 0 {
			listed.Link = c.Target
		}
		if row, _, ok := c.Row(); ok {
			byPath[row.Path] = append(byPath[row.Path], listed)
		} else {
			others = append(others, listed)
		}
	}
	var groups []group
	for _, row := range rest.Rows {
		name := openapi.Group(row)
		if len(groups) == 0 || groups[len(groups)-1].Name != name {
			groups = append(groups, group{Name: name})
		}
		e := endpoint{
			Method: row.Method, Path: rest.Prefix + row.Path, Operation: row.Operation, Anchor: anchor(row),
			Explain: rest.ExplainPrefix + rest.Prefix + row.Path, Docs: endpointPath(row), Cases: byPath[row.Path],
		}
		if op := d.ops[row.Operation]; op != nil {
			e.Console = web.ConsoleLink(op.Document(), nil)
		}
		last := &groups[len(groups)-1]
		last.Endpoints = append(last.Endpoints, e)
	}
	body := struct {
		Groups           []group
		Others           []conformanceCase
		Endpoints, Cases int
	}{groups, others, len(rest.Rows), len(cases)}
	return d.framed("compatibility", &referencePage{
		title: "Conformance cases", section: restSection, body: func() any { return body },
	}), nil
}
