package site

import "gamedata/graph"

type searchResults struct {
	IsEmpty bool
	Players struct {
		Nodes []struct{ UUID, Username string }
	}
	Guilds struct {
		ByName, ByPrefix []struct{ Name, Prefix string }
	}
	Items struct {
		TotalCount int
		Nodes      []itemSummary
	}
	Territories, Discoveries struct{ Nodes []struct{ Name string } }
}

// MoreItems returns how many items are not listed.
func (r searchResults) MoreItems() int { return r.Items.TotalCount - len(r.Items.Nodes) }

func showSearch(c *renderContext) *graph.Error {
	var data struct{ Search searchResults }
	if bad := c.read(&data); bad != nil {
		return bad
	}
	if data.Search.IsEmpty {
		return graph.ErrNotFound
	}
	c.NoIndex = true
	c.Search = c.variable("query")
	return c.show("Search results for “"+c.Search+"”", "Players, guilds, items and places with this name.", data.Search)
}
