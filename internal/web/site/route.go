package site

import (
	"net/url"
	"strings"

	"gamedata/graph"
)

// row is one page: a path, answered by an operation and shown by the template of the same name.
type row struct {
	path, operation string
	// rest is the documented path that tells the same, with variables in braces; empty where
	// show leads to it, since that takes the answer.
	rest string
	// show turns the answer into what the template shows.
	show func(*asked) *graph.Error
	// partial says that the page has something to tell when fields of the answer failed.
	partial bool
}

// rows are all pages. The first root field of an operation is what its page is about.
var rows = []row{
	{path: "/", operation: "FrontPage", rest: "/v3/player", show: showFront, partial: true},
	{path: "/players/{username}", operation: "PlayerPage", rest: "/v3/player/{username}?fullResult", show: showPlayer},
	{path: "/guilds/{name}", operation: "GuildPage", show: showGuild},
	{path: "/items/{name}", operation: "ItemPage", rest: "/v3/item/search/{name}", show: showItem, partial: true},
	{path: "/leaderboards", operation: "LeaderboardsPage", rest: "/v3/leaderboards/types", show: showBoards},
	{path: "/leaderboards/{type}", operation: "LeaderboardPage", rest: "/v3/leaderboards/{type}", show: showBoard},
	{path: "/territories", operation: "TerritoriesPage", rest: "/v3/guild/list/territory", show: showTerritories},
	{path: "/search", operation: "SearchPage", rest: "/v3/search/{query}", show: showSearch},
}

// match finds the row of an encoded path and the variable in it, decoded once. Paths are
// compared as they were sent: nothing is cleaned or redirected.
func match(path string) (n int, variables map[string]any, ok bool) {
	head, tail, deep := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	if !strings.HasPrefix(path, "/") || deep && (tail == "" || strings.Contains(tail, "/")) {
		return 0, nil, false
	}
	for n, r := range rows {
		want, step, variable := strings.Cut(strings.TrimPrefix(r.path, "/"), "/")
		if want != head || variable != deep {
			continue
		}
		variables := map[string]any{}
		if variable {
			text, err := url.PathUnescape(tail)
			if err != nil {
				return 0, nil, false
			}
			variables[strings.Trim(step, "{}")] = strings.ToValidUTF8(text, "\uFFFD")
		}
		return n, variables, true
	}
	return 0, nil, false
}

// fill writes variables into the braces of a path.
func fill(path string, variables map[string]any) string {
	for name, value := range variables {
		text, _ := value.(string)
		path = strings.ReplaceAll(path, "{"+name+"}", url.PathEscape(text))
	}
	return path
}
