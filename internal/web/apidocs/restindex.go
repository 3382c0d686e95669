package apidocs

import (
	"fmt"
	"html/template"
	"strings"

	"gamedata/rest"
)

// restIndex is the page about all endpoints and their common features.
type restIndex struct {
	Groups  []restGroup
	Headers []term
	Errors  []failure
	Count   int
	Others  []conformanceCase // of undocumented paths
}

type restGroup struct {
	Name      string
	Endpoints []*endpointPage
}

type term struct {
	Name string
	Text template.HTML
}

func (d *Docs) restIndex(s *spec) (*restIndex, error) {
	cases, err := conformanceCases()
	if err != nil {
		return nil, err
	}
	page := &restIndex{
		Errors: failures(rest.Row{}.PossibleErrors(nil)), Count: len(rest.Rows), Others: cases[""],
	}
	for _, row := range rest.Rows {
		described := s.Paths.get(row.Path).get(strings.ToLower(row.Method))
		if described == nil {
			return nil, fmt.Errorf("%s is missing in the OpenAPI document", row.Path)
		}
		e, err := d.endpoint(s, row, described)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", row.Path, err)
		}
		e.Cases = cases[e.Path]
		if len(page.Groups) == 0 || page.Groups[len(page.Groups)-1].Name != e.Group {
			page.Groups = append(page.Groups, restGroup{Name: e.Group})
		}
		last := &page.Groups[len(page.Groups)-1]
		last.Endpoints = append(last.Endpoints, e)
	}
	for _, h := range s.Components.Headers {
		page.Headers = append(page.Headers, term{h.Name, inline(h.Value.Description, nil)})
	}
	return page, nil
}
