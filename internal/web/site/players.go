package site

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"
	"unicode/utf8"

	"gamedata/graph"
	"gamedata/internal/web"
)

// playerList is a page of the list of players.
type playerList struct {
	Players struct {
		TotalCount int64
		PageInfo   pageInfo
		Nodes      []player
	}
	OnlinePlayers *struct {
		OnlineCount int64
		Nodes       []struct{ Server string }
	}
	Guild *struct{ UUID string }
	// GuildName is the name of the guild that the list is limited to, if it has a member.
	GuildName string       `json:"-"`
	Worlds    []worldCount `json:"-"`
	All       bool         `json:"-"` // whether players who are offline are in the list
	CSV       string       `json:"-"`
}

// worldCount is a world with players who are online and show it to the viewer.
type worldCount struct {
	Name, Path string
	Count      int
	Bar        int // the count as percentage of the highest
	Chosen     bool
}

// allPlayers is the value of the parameter show for players who are offline too.
const allPlayers = "all"

// Parameters of the list of players: the uuid of a guild, ranks in it, and the name of a guild to choose.
const (
	guildParameter     = "guild"
	rankParameter      = "rank"
	guildNameParameter = "guildName"
)

// valuesOfPlayers lists the players who are online, unless others are chosen or searched by name, or the members of a
// guild. Among members all filters and orders apply. Elsewhere ranks do not; the list of those who are online has no
// order by level, and names that begin with a text have no other order than by name.
func valuesOfPlayers(_ time.Time, given url.Values) *graph.Error {
	show := given.Get("show")
	if show != "" && show != allPlayers && show != "online" {
		return graph.Errorf(graph.InvalidQueryParams, "This page does not know the value of show in its address.")
	}
	given.Del("findGuild")
	if given.Has(guildNameParameter) {
		given.Set("findGuild", "true")
	}
	byLevel := given.Get("sort") == "TOTAL_LEVEL"
	members := given.Has(guildParameter)
	online := given.Has("server") || show == "online" || show == "" && !given.Has("query") && !byLevel && !members
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

func showPlayers(c *renderContext) *graph.Error {
	data := &playerList{}
	if bad := c.read(data); bad != nil {
		return bad
	}
	if name := c.Value(guildNameParameter); name != "" {
		if data.Guild == nil && len(c.errors) > 0 {
			return graph.ErrorOf(c.errors[0])
		}
		if data.Guild == nil {
			if utf8.RuneCountInString(name) > maxSearchTerm {
				name = ""
			}
			c.instead = &errorPage{
				Status: http.StatusNotFound, Text: route{noun: "guild"}.notFoundText(name),
				Candidates: []link{{Path: "/guilds", Text: "All guilds"}},
			}
			return nil
		}
		c.location = c.Link(guildParameter, data.Guild.UUID, guildNameParameter, "")
		return nil
	}
	_, online := c.variables["online"]
	data.All = !online
	if c.Value(guildParameter) != "" && len(data.Players.Nodes) > 0 {
		if m := data.Players.Nodes[0].GuildMembership; m != nil {
			data.GuildName = m.GuildName
		}
	}
	if data.OnlinePlayers != nil {
		data.Worlds = c.worlds(data)
	}
	data.CSV = c.csvLink("players.nodes", map[string]any{firstVariable: maxListFile, lastVariable: nil})
	c.setDefaults("sort", "USERNAME")
	return c.show("Players", "Who plays right now, on which world, and every player of the game.", data)
}

// maxListFile is how many entries of a list a file has at most.
const maxListFile = 1000

// worlds counts the players of each world, those with the most first.
func (c *renderContext) worlds(data *playerList) []worldCount {
	at := map[string]int{}
	var out []worldCount
	for _, p := range data.OnlinePlayers.Nodes {
		n, ok := at[p.Server]
		if !ok {
			n = len(out)
			at[p.Server] = n
			out = append(out, worldCount{
				Name: p.Server, Path: c.Link("server", p.Server, "show", ""), Chosen: c.Value("server") == p.Server,
			})
		}
		out[n].Count++
	}
	slices.SortFunc(out, func(a, b worldCount) int { return cmp.Or(b.Count-a.Count, cmp.Compare(a.Name, b.Name)) })
	for i := range out {
		out[i].Bar = max(1, out[i].Count*100/out[0].Count)
	}
	return out
}

// setDefaults sets the parameters that are not given, for columns and fields that show them.
func (c *renderContext) setDefaults(values ...string) {
	for i := 0; i+1 < len(values); i += 2 {
		if !c.query.Has(values[i]) {
			c.query.Set(values[i], values[i+1])
		}
	}
}

// guildList is a page of the list of guilds.
type guildList struct {
	Guilds struct {
		TotalCount int64
		PageInfo   pageInfo
		Nodes      []guildSummary
	}
	CSV string `json:"-"`
}

// guildSummary is a guild in a list.
type guildSummary struct {
	UUID, Name, Prefix   string
	Level                int64
	Wars, TerritoryCount *int64
	Created              time.Time
	Members              *struct{ TotalCount int64 }
	Banner               *web.Banner
}

// valuesOfGuilds sorts guilds that are searched by name or tag by name, which is the only order of these.
func valuesOfGuilds(_ time.Time, given url.Values) *graph.Error {
	if given.Has("query") || given.Has("tag") {
		given.Set("sort", "NAME")
		if !given.Has("direction") {
			given.Set("direction", "ASC")
		}
	}
	return nil
}

func showGuilds(c *renderContext) *graph.Error {
	data := &guildList{}
	if bad := c.read(data); bad != nil {
		return bad
	}
	data.CSV = c.csvLink("guilds.nodes", map[string]any{firstVariable: maxListFile, lastVariable: nil})
	if c.query.Has("query") || c.query.Has("tag") {
		c.query.Set("sort", "NAME")
		c.setDefaults("direction", "ASC")
	}
	c.setDefaults("sort", "LEVEL", "direction", "DESC")
	return c.show("Guilds", fmt.Sprintf("%s guilds with their level, members, territories and wars.",
		web.Number(data.Guilds.TotalCount)), data)
}
