package site

import (
	"html/template"
	"slices"

	"gamedata/graph"
	"gamedata/internal/web"
)

// Spot returns the middle of the discovery.
func (d Discovery) Spot() Place {
	return Place{(d.Location.Start.X + d.Location.End.X) / 2, (d.Location.Start.Z + d.Location.End.Z) / 2}
}

// MoreItems returns how many items are not listed.
func (p *SearchPage) MoreItems() int64 {
	return p.Search.Items.TotalCount - int64(len(p.Search.Items.Nodes))
}

func showSearch(c *renderContext, data *SearchPage) *errorPage {
	if data.Search.IsEmpty {
		return newErrorPage(graph.ErrNotFound)
	}
	guilds := &data.Search.Guilds
	guilds.ByPrefix = slices.DeleteFunc(guilds.ByPrefix, func(g GuildName) bool { // already listed by its name
		return slices.Contains(guilds.ByName, g)
	})
	c.NoIndex = true
	c.Search = c.variable("query")
	title := "Search results for “" + c.Search + "”"
	return c.show(title, "Players, guilds, items and places with this name.", data)
}

type suggestion struct {
	Path string `json:"path"`
	Text string `json:"text"`
	Kind string `json:"kind"`

	Picture template.HTML `json:"picture"`
}

// showSuggestions lists the pages that a search field suggests, as JSON for its script.
func showSuggestions(c *renderContext, data *Suggestions) *errorPage {
	list := []suggestion{}
	for _, p := range data.Search.Players.Nodes {
		list = append(list, suggestion{web.Path("players", p.UUID), p.Username, "Player", web.Avatar(p.UUID)})
	}
	for _, g := range data.Search.Guilds.Nodes {
		text := g.Name + " [" + g.Prefix + "]"
		list = append(list, suggestion{web.Path("guilds", g.Name), text, "Guild", web.GuildDot(g.Colour)})
	}
	for _, i := range data.Search.Items.Nodes {
		list = append(list, suggestion{web.Path("items", i.InternalName), i.DisplayName, i.Kind(), i.Picture()})
	}
	for _, t := range data.Search.Territories.Nodes {
		list = append(list, suggestion{web.Path("territories", t.Name), t.Name, "Territory", web.Icon("map")})
	}
	c.json = list
	return nil
}
