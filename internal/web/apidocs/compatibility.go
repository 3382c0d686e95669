package apidocs

import (
	"net/http"

	"gamedata/internal/httpapi"
	"gamedata/rest"
	"gamedata/rest/openapi"
)

// group is a part of the surface on the compatibility page.
type group struct {
	Name      string
	Endpoints []endpoint
}

// endpoint is a row with the cases that it is held to.
type endpoint struct {
	Method, Path, Operation, Anchor string
	Explain, Docs, Console          string
	Cases                           []listed
}

// listed is a case. Link is its request when a browser can send it.
type listed struct {
	rest.Case
	Link string
}

// compatibility is the page of all rows and cases.
func (r *Reference) compatibility() (httpapi.Answer, error) {
	cases, err := rest.Cases()
	if err != nil {
		return httpapi.Answer{}, err
	}
	byPath := map[string][]listed{}
	var strays []listed // ask for no documented path
	for _, c := range cases {
		l := listed{Case: c}
		if c.Method == http.MethodGet && len(c.Header) == 0 {
			l.Link = c.Target
		}
		if row, _, ok := c.Row(); ok {
			byPath[row.Path] = append(byPath[row.Path], l)
		} else {
			strays = append(strays, l)
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
			Explain: rest.ExplainPrefix + rest.Prefix + row.Path, Docs: docs(row), Cases: byPath[row.Path],
		}
		if op := r.ops[row.Operation]; op != nil {
			e.Console = console(op.Document(), nil)
		}
		last := &groups[len(groups)-1]
		last.Endpoints = append(last.Endpoints, e)
	}
	return r.page("compatibility", struct {
		Title            string
		Groups           []group
		Strays           []listed
		Endpoints, Cases int
	}{"Compatibility", groups, strays, len(rest.Rows), len(cases)})
}
