package apidocs

import (
	"fmt"
	"html/template"
	"strings"

	"gamedata/rest"
)

// restIndex is the page of all endpoints, with what they share.
type restIndex struct {
	Groups  []restGroup
	Headers []term
	Errors  []failure
	Count   int
}

type restGroup struct {
	Name      string
	Endpoints []*endpointPage
}

type term struct {
	Name string
	Text template.HTML
}

// readEndpoints makes the pages of all routes, by group.
func (d *Docs) readEndpoints(s *spec) ([]restGroup, error) {
	var groups []restGroup
	for _, row := range rest.Rows {
		described := s.Paths.get(row.Path).get(strings.ToLower(row.Method))
		if described == nil {
			return nil, fmt.Errorf("%s is missing in the OpenAPI document", row.Path)
		}
		page, err := d.endpoint(s, row, described)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", row.Path, err)
		}
		if len(groups) == 0 || groups[len(groups)-1].Name != page.Group {
			groups = append(groups, restGroup{Name: page.Group})
		}
		last := &groups[len(groups)-1]
		last.Endpoints = append(last.Endpoints, page)
	}
	return groups, nil
}

func (d *Docs) restIndex(s *spec, groups []restGroup) *restIndex {
	page := &restIndex{Groups: groups, Errors: failures(rest.Row{}.PossibleErrors(nil)), Count: len(rest.Rows)}
	for _, h := range s.Components.Headers {
		page.Headers = append(page.Headers, term{h.Name, inline(h.Value.Description, nil)})
	}
	return page
}
