package site

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strings"

	"gamedata/graph"
	"gamedata/internal/httpapi"
	"gamedata/internal/web"
)

// errorPage says why a page cannot be shown. Its title is that of the status.
type errorPage struct {
	layout
	Status     int
	Header     http.Header // of the response
	Text       string
	Candidates []link // that the user may have meant
}

type link struct{ Path, Text, Note string }

// errorTexts are the texts of codes that differ from those of other pages.
var errorTexts = map[graph.Code]string{
	graph.NotFound:                "Nothing found. Try a search:",
	graph.InvalidForm:             "A filter has a value that does not exist.",
	graph.MultipleObjectsReturned: "Several players have this name. Which one do you mean?",
}

func (r route) notFoundText(name string) string {
	switch {
	case name == "":
		return errorTexts[graph.NotFound]
	case r.noun == "":
		return fmt.Sprintf("Nothing found for “%s”. Try another search:", name)
	}
	return fmt.Sprintf("No %s named “%s”. Try a search:", r.noun, name)
}

func (s *Site) errorResponse(e *graph.Error) httpapi.Response { return s.renderError(newErrorPage(e)) }

// errorPage says why the page cannot be shown, with a link to it without parameters when one of them is wrong.
func (p *page) errorPage(e *graph.Error) errorPage {
	out := newErrorPage(e)
	path := p.path
	if !strings.Contains(path, "{") && out.Status == http.StatusBadRequest && p.optional() {
		out.Candidates = append(out.Candidates, link{Path: path, Text: "Start again without filters"})
	}
	return out
}

func newErrorPage(e *graph.Error) errorPage {
	status, header, text := web.ErrorPage(e)
	if special := errorTexts[e.Code]; special != "" {
		text = special
	}
	p := errorPage{Status: status, Header: header, Text: text}
	for _, object := range e.Objects {
		p.Candidates = append(p.Candidates, candidate(object))
	}
	return p
}

func (s *Site) renderError(p errorPage) httpapi.Response {
	p.NoIndex = true
	p.Title = http.StatusText(p.Status)
	a := s.renderTemplate(p.Status, "problem", p)
	maps.Copy(a.Header, p.Header)
	return a
}

// candidate links to one of several players with the same name.
func candidate(object any) link {
	var p struct{ UUID, Username string }
	text, err := json.Marshal(object)
	if err == nil {
		_ = json.Unmarshal(text, &p) // what cannot be read stays empty
	}
	return link{Path: web.Path("players", p.UUID), Text: p.Username, Note: p.UUID}
}
