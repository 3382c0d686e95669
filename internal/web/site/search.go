package site

import "gamedata/graph"

type searchResults struct {
	Players              []struct{ UUID, Username string }
	Guilds, GuildsPrefix []struct{ Name, Prefix string }
	Items                []itemSummary
	Territories          []struct{ Name string }
	Discoveries          []struct{ Name string }
}

func showSearch(c *renderContext) *graph.Error {
	var data struct{ Search searchResults }
	if bad := c.read(&data); bad != nil {
		return bad
	}
	c.Search = c.variable("query")
	return c.show("Search results for “"+c.Search+"”", "Players, guilds, items and places with this name.", data.Search)
}
