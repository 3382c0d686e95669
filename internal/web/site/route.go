package site

import (
	"fmt"
	"net/url"
	"strings"
	"time"

	"gamedata/graph"
)

// route is one page: a path and the view of an operation.
type route struct {
	path string
	view
	// noun names the kind of the page's subject, for messages; empty for pages without a name.
	noun string
	// params are address parameters besides the variables of the operation.
	params []string
	// values changes the parameters before they become variables; nil changes nothing.
	values func(now time.Time, given url.Values) *graph.Error
	// scripts are the built scripts that the page loads besides the common ones, such as chart.js.
	scripts []string
	// card means that the page has a picture for shared links.
	card bool
	// list is the page's list, for its CSV export; empty on pages without a list.
	list list
	// partial means that the page can be shown even if fields of the response failed.
	partial bool
}

// list is a list in a response, given by its path, and the maximum number of entries in a file.
type list struct {
	path string
	size int
}

// chartParams are the parameters of pages with a chart of some days.
var chartParams = []string{daysParameter, formatParameter}

// routes lists all pages. The first root field of an operation is the subject of its page.
var routes = []route{
	{path: "/", view: viewOf(showFront), card: true, partial: true},
	{
		path: "/players", view: viewOf(showPlayers),
		params: []string{"show"}, values: valuesOfPlayers, list: list{"players.nodes", 1000},
	},
	{
		path: "/guilds", view: viewOf(showGuilds), values: valuesOfGuilds,
		list: list{"guilds.nodes", 500},
	},
	{
		path: "/players/compare", view: viewOf(showComparePlayers),
		params: []string{playersParameter}, values: comparePlayers,
	},
	{
		path: "/players/{username}", noun: "player",
		view: viewOf(showPlayer), params: chartParams,
		values: historySpan(playerMetrics), card: true,
	},
	{
		path: "/players/{username}/characters/{uuid}",
		view: viewOf(showCharacter),
	},
	{
		path: "/guilds/{name}", noun: "guild", view: viewOf(showGuild),
		params: chartParams, values: valuesOfGuild, card: true,
	},
	{
		path: "/guilds/{name}/members", noun: "guild", view: viewOf(showMembers),
		params: []string{awayParameter, formatParameter}, values: valuesOfMembers,
	},
	{
		path: "/guilds/{name}/week", noun: "guild", view: viewOf(showGuildWeek),
		params: []string{weekParameter}, values: weekValues, card: true,
	},
	{
		path: "/players/{username}/week", noun: "player", view: viewOf(showPlayerWeek),
		params: []string{weekParameter}, values: weekValues, card: true,
	},
	{path: "/items", view: viewOf(showItems), list: list{"items.nodes", 10_000}},
	{path: "/items/compare", view: viewOf(showCompare), values: compareItems},
	{
		path: "/items/{name}", noun: "item",
		view: viewOf(showItem), card: true, partial: true,
	},
	{
		path: "/leaderboards", view: viewOf(showLeaderboards),
		params: []string{filterParameter},
	},
	{
		path: "/leaderboards/gains", view: viewOf(showGainBoard), params: []string{formatParameter},
		values: gainBoardValues, list: list{"gainBoard.entries.nodes", 1000}, partial: true,
	},
	{
		path: "/leaderboards/{type}", noun: "leaderboard",
		view: viewOf(showLeaderboard), params: chartParams, values: boardSpans.begin,
		list: list{"leaderboard.entries.nodes", 1000}, card: true,
	},
	{
		path: mapPath, view: viewOf(showMap), values: mapValues,
		scripts: []string{"map.js"}, card: true,
	},
	{
		path: "/territories", view: viewOf(showTerritories),
		list: list{"territories.nodes", 1000},
	},
	{
		path: "/territories/{name}", noun: "territory",
		view: viewOf(showTerritory), card: true,
	},
	{path: "/classes", view: viewOf(showClasses), card: true},
	{
		path: "/classes/{name}", noun: "class",
		view: viewOf(showClass), values: upperCaseName,
	},
	{
		path: "/recipes", view: viewOf(showRecipes),
		list: list{"recipes.nodes", 10_000},
	},
	{
		path: "/recipes/{name}", noun: "recipe",
		view: viewOf(showRecipe), card: true,
	},
	{path: "/world-events", view: viewOf(showWorldEvents)},
	{
		path: "/world-events/{id}", noun: "world event",
		view: viewOf(showWorldEvent), card: true,
	},
	{
		path: "/worlds", view: viewOf(showWorlds),
		params: []string{daysParameter, formatParameter, worldParameter, "sort", "direction"}, values: worldSpans.begin,
	},
	{
		path: "/seasons", view: viewOf(showSeasons),
		params: chartParams, values: seasonSpans.begin, card: true,
	},
	{path: newsPath, view: viewOf(showNews), card: true},
	{
		path: newsPath + "/{number}", noun: "article",
		view: viewOf(showArticle), card: true,
	},
	{
		path: "/competitions/{key}", noun: "competition", view: viewOf(showCompetition),
		scripts: []string{"competition.js"}, list: list{"competition.standings.nodes", 1000},
	},
	{path: "/search/suggestions", view: viewOf(showSuggestions)},
	{path: "/search", view: viewOf(showSearch)},
}

// section returns the path of a page's navigation entry: the first part of its own path.
func (r route) section() string {
	first, _, _ := strings.Cut(strings.TrimPrefix(r.path, "/"), "/")
	return "/" + first
}

// pathVariables decodes the variables of a path once.
func pathVariables(encoded map[string]string) map[string]string {
	variables := make(map[string]string, len(encoded))
	for name, value := range encoded {
		text, err := url.PathUnescape(value)
		if err != nil {
			text = value
		}
		variables[name] = strings.ToValidUTF8(text, "\uFFFD")
	}
	return variables
}

// fill writes variables into the braces of a path.
func fill(path string, variables map[string]any) string {
	for name, value := range variables {
		path = strings.ReplaceAll(path, "{"+name+"}", url.PathEscape(fmt.Sprint(value)))
	}
	return path
}
