package site

import (
	"fmt"
	"net/url"
	"time"
	"unicode/utf8"

	"gamedata/graph"
	"gamedata/internal/web"
)

type playersBody struct {
	*PlayersPage
	GuildName string // of the guild that limits the list, if it has a member
	Worlds    []meter
	All       bool  // whether players who are offline are in the list
	Hiding    int64 // online players who hide it, 0 if the list leaves out others too
}

// allPlayers is the value of the parameter show that includes offline players.
const allPlayers = "all"

// Parameters of the list of players: the uuid of a guild, ranks in it, and the name of a guild to choose.
const (
	guildParameter     = "guild"
	rankParameter      = "rank"
	guildNameParameter = "guildName"
)

// valuesOfPlayers lists the players online, unless the address selects other players, a name to search or the members
// of a guild. Members can be filtered and ordered in every way. Other lists ignore ranks; the list of players online
// has no order by level, and a search by name is always ordered by name.
func valuesOfPlayers(_ time.Time, given url.Values) *graph.Error {
	show := given.Get("show")
	if show != "" && show != allPlayers && show != "online" {
		return noSuch("list of players")
	}
	given.Del("findGuild")
	if given.Has(guildNameParameter) {
		given.Set("findGuild", "true")
	}
	byLevel := given.Get("sort") == "TOTAL_LEVEL"
	given.Del("onWorld")
	if given.Has("world") {
		given.Set("onWorld", "true")
	}
	members := given.Has(guildParameter)
	online := given.Has("world") || show == "online" || show == "" && !given.Has("query") && !byLevel && !members
	if online {
		given.Set("online", "true")
	} else {
		given.Del("online")
	}
	if members {
		return nil
	}
	given.Del(rankParameter)
	if online && byLevel || !online && given.Has("query") {
		given.Del("sort")
	}
	return nil
}

func showPlayers(c *renderContext, data *PlayersPage) *errorPage {
	if name := c.Value(guildNameParameter); name != "" {
		return c.chooseGuild(name, data)
	}
	_, online := c.variables["online"]
	body := &playersBody{PlayersPage: data, Worlds: data.OnlinePlayers.Worlds(), All: !online}
	if data.Players.TotalCount != nil && online && len(c.ActiveFilters("world", "show", "sort", "direction")) == 0 {
		here := data.OnlinePlayers.OnlineCount
		if data.Here != nil {
			here = data.Here.OnlineCount
		}
		body.Hiding = max(0, here-*data.Players.TotalCount)
	}
	if c.Value(guildParameter) != "" && len(data.Players.Nodes) > 0 {
		body.GuildName = orEmpty(data.Players.Nodes[0].GuildMembership).GuildName
	}
	for i, w := range body.Worlds {
		body.Worlds[i].Path = c.Link("world", w.Name, "show", "")
		body.Worlds[i].Chosen = c.Value("world") == w.Name
	}
	c.setDefaults("sort", "USERNAME")
	return c.show("Players", "Who plays right now, on which world, and every player of the game.", body)
}

// chooseGuild redirects to the members of the guild with a name, or shows that the guild does not exist.
func (c *renderContext) chooseGuild(name string, data *PlayersPage) *errorPage {
	switch {
	case data.Guild != nil:
		c.location = c.Link(guildParameter, data.Guild.UUID, guildNameParameter, "")
		return nil
	case len(c.errors) > 0:
		return newErrorPage(graph.ErrorOf(c.errors[0]))
	case utf8.RuneCountInString(name) > maxSearchTerm:
		name = ""
	}
	out := route{noun: "guild"}.notFound(name)
	out.Candidates = []link{{Path: "/guilds", Text: "All guilds"}}
	return out
}

// setDefaults sets missing parameters, for the columns and fields that show them.
func (c *renderContext) setDefaults(values ...string) {
	for i := 0; i+1 < len(values); i += 2 {
		if !c.query.Has(values[i]) {
			c.query.Set(values[i], values[i+1])
		}
	}
}

// valuesOfGuilds orders a search for guilds by name, the only order that a search has.
func valuesOfGuilds(_ time.Time, given url.Values) *graph.Error {
	if given.Has("query") || given.Has("tag") {
		given.Set("sort", "NAME")
		if !given.Has("direction") {
			given.Set("direction", "ASC")
		}
	}
	return nil
}

func showGuilds(c *renderContext, data *GuildsPage) *errorPage {
	if c.query.Has("query") || c.query.Has("tag") {
		c.query.Set("sort", "NAME")
		c.setDefaults("direction", "ASC")
	}
	c.setDefaults("sort", "LEVEL", "direction", "DESC")
	return c.show("Guilds", fmt.Sprintf("%s guilds with their level, members, territories and wars.",
		web.Number(data.Guilds.TotalCount)), data)
}
