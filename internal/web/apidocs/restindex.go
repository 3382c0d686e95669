package apidocs

import (
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

func (d *Docs) restIndex(s *spec) *restIndex {
	cases := conformanceCases()
	page := &restIndex{
		Errors: failures(rest.Row{}.PossibleErrors(nil)), Count: len(rest.Rows), Others: cases[""],
	}
	for _, row := range rest.Rows {
		e := d.endpoint(s, row, s.document.Object("paths", row.Path, strings.ToLower(row.Method)))
		e.Cases = cases[e.Path]
		if len(page.Groups) == 0 || page.Groups[len(page.Groups)-1].Name != e.Group {
			page.Groups = append(page.Groups, restGroup{Name: e.Group})
		}
		last := &page.Groups[len(page.Groups)-1]
		last.Endpoints = append(last.Endpoints, e)
	}
	for name, header := range s.document.Object("components", "headers").All() {
		page.Headers = append(page.Headers, term{name, inline(header.Text("description"), nil)})
	}
	return page
}
