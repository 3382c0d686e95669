package site

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"gamedata/graph"
	"gamedata/internal/web"
)

type front struct {
	frontData
	Empty              bool     // there are no players
	Claimed, Unclaimed int      // territories
	Holders            []holder // guilds with territories
	TopGuilds          []holder // those with the most
	Captures           []territory
	Worlds             int // with players
	Boards             []*leaderboard
	Current            *season // the season that runs now
	Next               *season // else the next one
	News               []article
	Examples           []example
}

type frontData struct {
	Players       *struct{ Nodes []struct{ UUID string } }
	OnlinePlayers *struct {
		OnlineCount int64
		Nodes       []struct{ Server string }
	}
	Territories     *struct{ Nodes []territory }
	Levels, Content *leaderboard
	GuildSeasons    *struct{ Nodes []season }
	Articles        *struct{ Nodes []article }
}

type season struct {
	Number   int64
	InitDate time.Time
	EndDate  *time.Time
}

// example is a command to copy.
type example struct{ Title, Command string }

// maxTopGuilds is how many guilds the front page names.
const maxTopGuilds = 7

// How many captures and articles the front page names.
const (
	maxCaptures  = 5
	maxFrontNews = 4
)

func showFront(c *renderContext) *graph.Error {
	var f front
	if bad := c.read(&f.frontData); bad != nil {
		return bad
	}
	f.Empty = f.Players != nil && len(f.Players.Nodes) == 0
	if f.Territories != nil {
		all := holders(f.Territories.Nodes)
		for _, h := range all {
			f.Claimed += h.Count
		}
		f.Unclaimed = len(f.Territories.Nodes) - f.Claimed
		f.Holders, f.TopGuilds = all, all[:min(maxTopGuilds, len(all))]
		f.Captures = f.Territories.Nodes[:min(maxCaptures, len(f.Territories.Nodes))]
	}
	for _, board := range []*leaderboard{f.Levels, f.Content} {
		if board != nil {
			f.Boards = append(f.Boards, board)
		}
	}
	if f.OnlinePlayers != nil {
		worlds := map[string]bool{}
		for _, p := range f.OnlinePlayers.Nodes {
			worlds[p.Server] = true
		}
		f.Worlds = len(worlds)
	}
	if f.GuildSeasons != nil {
		f.Current, f.Next = seasonsAt(f.GuildSeasons.Nodes, c.site.o.Now())
	}
	if f.Articles != nil {
		slices.SortFunc(f.Articles.Nodes, newer)
		f.News = f.Articles.Nodes[:min(maxFrontNews, len(f.Articles.Nodes))]
	}
	f.Examples = examples(c.site.o.Origin, f.TopGuilds)
	return c.show("gamedata",
		"Players, guilds, items, the map and the leaderboards of a game, over GraphQL and REST.", f)
}

// seasonsAt returns the season that runs at a time, else the next one.
func seasonsAt(all []season, now time.Time) (current, next *season) {
	for i := range all {
		s := &all[i]
		switch {
		case now.Before(s.InitDate):
			if next == nil || s.InitDate.Before(next.InitDate) {
				next = s
			}
		case s.EndDate == nil || now.Before(*s.EndDate):
			current = s
		}
	}
	if current != nil {
		next = nil
	}
	return current, next
}

// examples returns commands that work unchanged: about the guild with the most territories, if there is one.
func examples(origin string, topGuilds []holder) []example {
	rest, query := "/v3/player", `{ onlinePlayers { onlineCount nodes { username server } } }`
	if len(topGuilds) > 0 {
		name := topGuilds[0].Name
		rest = "/v3" + web.Path("guild", name)
		query = `{ guild(by: { name: ` + strconv.Quote(name) + ` }) { level online territories { nodes { name } } } }`
	}
	body, err := json.Marshal(map[string]string{"query": query})
	if err != nil { // a string always marshals
		body = []byte("{}")
	}
	return []example{
		{"REST v3", "curl " + shellQuote(origin+rest)},
		{"A leaderboard as CSV", "curl " + shellQuote(origin+"/v3/leaderboards/totalGlobalLevel") + " -H 'Accept: text/csv'"},
		{"GraphQL", "curl " + shellQuote(origin+"/graphql") + " -H 'Content-Type: application/json' \\\n  -d " +
			shellQuote(string(body))},
	}
}

func shellQuote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
