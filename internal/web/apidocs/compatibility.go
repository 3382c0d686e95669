package apidocs

import (
	"net/http"

	"gamedata/internal/httpapi"
	"gamedata/rest"
)

// conformanceCase is a case. Link is its request if a browser can send it.
type conformanceCase struct {
	rest.Case
	Link string
}

// compatibilityBody has the cases by the paths of their endpoints, and cases of undocumented paths.
type compatibilityBody struct {
	*restIndex
	Cases  map[string][]conformanceCase
	Others []conformanceCase
	Total  int
}

func (d *Docs) compatibility() (httpapi.Response, error) {
	cases, err := rest.Cases()
	if err != nil {
		return httpapi.Response{}, err
	}
	r, err := d.reference()
	if err != nil {
		return httpapi.Response{}, err
	}
	body := compatibilityBody{restIndex: r.rest, Cases: map[string][]conformanceCase{}, Total: len(cases)}
	for _, c := range cases {
		listed := conformanceCase{Case: c}
		if c.Method == http.MethodGet && len(c.Header) == 0 {
			listed.Link = c.Target
		}
		if row, _, ok := c.Row(); ok {
			path := rest.Prefix + row.Path
			body.Cases[path] = append(body.Cases[path], listed)
		} else {
			body.Others = append(body.Others, listed)
		}
	}
	return d.framed("compatibility", CompatibilityPath, &referencePage{
		title: "Conformance cases", section: restSection,
		description: "The conformance cases of every REST endpoint: requests with their exact responses.",
		body:        func() any { return body },
	}), nil
}
