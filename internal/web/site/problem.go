package site

import (
	"encoding/json"
	"net/http"

	"gamedata/graph"
	"gamedata/internal/httpapi"
)

// trouble is a page that says why there is no other.
type trouble struct {
	frame
	Status     int
	Text       string
	Candidates []link // what may have been meant
}

// link is one to another page.
type link struct{ Path, Text, Note string }

// sentences are those of codes, for people.
var sentences = map[graph.Code]string{
	graph.NotFound:                "There is nothing of this name. Look for it:",
	graph.MultipleObjectsReturned: "Several have this name. Which one is meant?",
	graph.InvalidLeaderboardType:  "There is no leaderboard of this name.",
	graph.ServiceUnavailable:      "The service is not available right now. Try again in a moment.",
	graph.Internal:                "Something went wrong here. It was written down.",
	graph.InvalidToken:            "The access token is missing or not valid.",
	graph.MethodNotAllowed:        "This page can only be read.",
}

// problem is the page of an error.
func (s *Site) problem(e *graph.Error) httpapi.Answer { return s.trouble(troubleOf(e)) }

func troubleOf(e *graph.Error) trouble {
	status, _ := httpapi.Status(e.Code)
	t := trouble{Status: status, Text: sentences[e.Code], frame: frame{Title: http.StatusText(status)}}
	if t.Text == "" {
		t.Text = e.Detail
	}
	for _, object := range e.Objects {
		t.Candidates = append(t.Candidates, candidate(object))
	}
	return t
}

func (s *Site) trouble(t trouble) httpapi.Answer {
	a := s.rendered(t.Status, "problem", t)
	switch t.Status {
	case http.StatusServiceUnavailable:
		a.Header.Set("Retry-After", "5")
	case http.StatusUnauthorized:
		httpapi.Unauthorized(a.Header)
	}
	return a
}

// candidate is a player of a name that several share.
func candidate(object any) link {
	var p struct {
		UUID        string
		Username    string
		Rank        string
		SupportRank string
	}
	text, err := json.Marshal(object)
	if err == nil {
		_ = json.Unmarshal(text, &p) // what cannot be read stays empty
	}
	return link{Path: path("players", p.UUID), Text: p.Username, Note: p.UUID}
}
