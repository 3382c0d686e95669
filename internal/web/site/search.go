package site

import (
	"gamedata/graph"
)

// found is what a text found.
type found struct {
	Players              []struct{ UUID, Username string }
	Guilds, GuildsPrefix []struct{ Name, Prefix string }
	Items                []kin
	Territories          []struct{ Name string }
	Discoveries          []struct{ Name string }
}

func showSearch(a *asked) *graph.Error {
	var data struct{ Search found }
	if bad := a.read(&data); bad != nil {
		return bad
	}
	a.Search = a.variable("query")
	a.Title = "Found for “" + a.Search + "”"
	a.Description = "Players, guilds, items and places of this name."
	a.Body = data.Search
	return nil
}
