package site

import (
	"slices"

	"gamedata/graph"
	"gamedata/internal/web"
)

type searchResults struct {
	IsEmpty bool
	Players struct {
		Nodes []struct{ UUID, Username string }
	}
	Guilds struct{ ByName, ByPrefix []foundGuild }
	Items  struct {
		TotalCount int
		Nodes      []itemSummary
	}
	Territories struct{ Nodes []struct{ Name string } }
	Discoveries struct{ Nodes []discovery }
}

type discovery struct {
	Name     string
	Location struct{ Start, End place }
}

// Spot is the middle of the discovery.
func (d discovery) Spot() place {
	return place{(d.Location.Start.X + d.Location.End.X) / 2, (d.Location.Start.Z + d.Location.End.Z) / 2}
}

type foundGuild struct{ Name, Prefix string }

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
	guilds := &data.Search.Guilds
	guilds.ByPrefix = slices.DeleteFunc(guilds.ByPrefix, func(g foundGuild) bool { // is listed by its name
		return slices.Contains(guilds.ByName, g)
	})
	c.NoIndex = true
	c.Search = c.variable("query")
	title := "Search results for “" + c.Search + "”"
	return c.show(title, "Players, guilds, items and places with this name.", data.Search)
}

// suggestion is a page that the user may look for.
type suggestion struct {
	Path string `json:"path"`
	Text string `json:"text"`
	Kind string `json:"kind"`
}

// showSuggestions lists the pages that a search field suggests, as JSON for its script.
func showSuggestions(c *renderContext) *graph.Error {
	var data struct {
		Search struct {
			Players struct {
				Nodes []struct{ UUID, Username string }
			}
			Guilds struct {
				Nodes []struct{ Name, Prefix string }
			}
			Items       struct{ Nodes []itemSummary }
			Territories struct{ Nodes []struct{ Name string } }
		}
	}
	if bad := c.read(&data); bad != nil {
		return bad
	}
	list := []suggestion{}
	for _, p := range data.Search.Players.Nodes {
		list = append(list, suggestion{web.Path("players", p.UUID), p.Username, "Player"})
	}
	for _, g := range data.Search.Guilds.Nodes {
		list = append(list, suggestion{web.Path("guilds", g.Name), g.Name + " [" + g.Prefix + "]", "Guild"})
	}
	for _, i := range data.Search.Items.Nodes {
		list = append(list, suggestion{web.Path("items", i.InternalName), i.DisplayName, i.Kind()})
	}
	for _, t := range data.Search.Territories.Nodes {
		list = append(list, suggestion{web.Path("territories", t.Name), t.Name, "Territory"})
	}
	c.json = list
	return nil
}
