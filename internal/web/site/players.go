package site

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"time"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/internal/web"
)

type playersBody struct {
	*PlayersPage
	Worlds []meter
	All    bool  // whether players who are offline are in the list
	Hiding int64 // online players who hide it, 0 if the list leaves out others too
}

// allPlayers is the value of the parameter show that includes offline players.
const allPlayers = "all"

// guildParameter leads to the members of a guild, by its name or uuid.
const guildParameter = "guild"

// valuesOfPlayers lists the players online, unless the address selects other players or a name to search. The list of
// players online has no order by level, and a search by name is always ordered by name.
func valuesOfPlayers(_ time.Time, given url.Values) *graph.Error {
	show := given.Get("show")
	if show != "" && show != allPlayers && show != "online" {
		return noSuch("list of players")
	}
	if guild := given.Get(guildParameter); guild != "" {
		clear(given)
		if _, ok := model.ParseUUID(guild); ok {
			given.Set(guildParameter, guild)
		}
		return nil
	}
	byLevel := given.Get("sort") == "TOTAL_LEVEL"
	given.Del("onWorld")
	if given.Has("world") {
		given.Set("onWorld", "true")
	}
	online := given.Has("world") || show == "online" || show == "" && !given.Has("query") && !byLevel
	if online {
		given.Set("online", "true")
	} else {
		given.Del("online")
	}
	if online && byLevel || !online && given.Has("query") {
		given.Del("sort")
	}
	return nil
}

func showPlayers(c *renderContext, data *PlayersPage) *errorPage {
	if guild := c.Value(guildParameter); guild != "" {
		if c.variable(guildParameter) != "" {
			guild = "" // its uuid
		}
		c.location = membersPath(guild, data)
		return nil
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
	for i, w := range body.Worlds {
		body.Worlds[i].Path = c.Link("world", w.Name, "show", "")
		body.Worlds[i].Chosen = c.Value("world") == w.Name
	}
	switch { // see valuesOfPlayers
	case !online && c.query.Has("query"):
		c.unsortable = []string{"TOTAL_LEVEL", "LAST_JOINED_AT"}
	case c.query.Has("world") || c.Value("show") == "online":
		c.unsortable = []string{"TOTAL_LEVEL"}
	}
	if slices.Contains(c.unsortable, c.Value("sort")) {
		c.query.Del("sort")
	}
	c.setDefaults("sort", "USERNAME")
	return c.show("Players", "Who plays right now, on which world, and every player of the game.", body)
}

// membersPath returns the path of the members of the guild with a name, or of the guild whose members are listed.
func membersPath(name string, data *PlayersPage) string {
	for _, p := range data.Players.Nodes {
		name = cmp.Or(name, orEmpty(p.GuildMembership).GuildName)
	}
	if name == "" {
		return "/guilds"
	}
	return web.Path("guilds", name) + "/members"
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
		c.unsortable = []string{"LEVEL", "MEMBERS", "TERRITORIES", "WARS", "CREATED_AT"}
	}
	c.setDefaults("sort", "LEVEL", "direction", "DESC")
	return c.show("Guilds", fmt.Sprintf("%s guilds with their level, members, territories and wars.",
		web.Number(data.Guilds.TotalCount)), data)
}
