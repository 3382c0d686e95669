package site

import (
	"encoding/json"
	"fmt"
	"net/http"

	"gamedata/graph"
	"gamedata/internal/httpapi"
	"gamedata/internal/web"
)

// errorPage says why a page cannot be shown. Its title is that of the status.
type errorPage struct {
	layout
	Status     int
	Text       string
	Candidates []link // that the user may have meant
}

// link leads to another page.
type link struct{ Path, Text, Note string }

// errorTexts are the texts of codes; those of other codes are their details.
var errorTexts = map[graph.Code]string{
	graph.NotFound:                "Nothing found. Try a search:",
	graph.MultipleObjectsReturned: "Several players have this name. Which one do you mean?",
	graph.InvalidLeaderboardType:  "There is no leaderboard with this name.",
	graph.ServiceUnavailable:      "The service is temporarily unavailable. Try again in a moment.",
	graph.Internal:                "Something went wrong on our side. We have logged it.",
	graph.InvalidToken:            "The access token is missing or invalid.",
	graph.MethodNotAllowed:        "Method not allowed.",
}

// notFoundText says that there is nothing with a name.
func (r route) notFoundText(name string) string {
	switch {
	case name == "":
		return errorTexts[graph.NotFound]
	case r.noun == "":
		return fmt.Sprintf("Nothing found for “%s”. Try another search:", name)
	}
	return fmt.Sprintf("No %s named “%s”. Try a search:", r.noun, name)
}

// errorResponse is the page of an error.
func (s *Site) errorResponse(e *graph.Error) httpapi.Response { return s.renderError(newErrorPage(e)) }

func newErrorPage(e *graph.Error) errorPage {
	status, _ := httpapi.Status(e.Code)
	p := errorPage{Status: status, Text: errorTexts[e.Code]}
	if p.Text == "" {
		p.Text = e.Detail
	}
	for _, object := range e.Objects {
		p.Candidates = append(p.Candidates, candidate(object))
	}
	return p
}

func (s *Site) renderError(p errorPage) httpapi.Response {
	p.Title = http.StatusText(p.Status)
	a := s.renderTemplate(p.Status, "problem", p)
	switch p.Status {
	case http.StatusServiceUnavailable:
		a.Header.Set("Retry-After", "5")
	case http.StatusUnauthorized:
		httpapi.SetUnauthorized(a.Header)
	}
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
