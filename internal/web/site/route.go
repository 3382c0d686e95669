package site

import (
	"fmt"
	"net/url"
	"strings"
	"time"

	"gamedata/graph"
	"gamedata/internal/web/card"
)

// route is one page: a path and the operation that it runs, shown by the template of the same name.
type route struct {
	path, operation string
	// noun is what a page is about, for messages; empty for pages without a name.
	noun string
	// rest is the REST path of the same data, with variables in braces; empty where show sets it.
	rest string
	// show sets the title, the description and what the template shows.
	show func(*renderContext) *graph.Error
	// params are parameters in the address besides the variables of the operation.
	params []string
	// values changes the parameters before they become variables; nil changes nothing.
	values func(now time.Time, given url.Values) *graph.Error
	// scripts are the built scripts that the page loads besides those of every page, such as chart.js.
	scripts []string
	// card makes the picture for shared links of what show has made; nil for pages without one.
	card func(*renderContext) card.Card
	// partial says that the page can be shown when fields of the response failed.
	partial bool
}

// chartParams are the parameters of pages with a chart of some days.
var chartParams = []string{daysParameter, formatParameter}

// routes are all pages. The first root field of an operation is what its page is about.
var routes = []route{
	{path: "/", operation: "FrontPage", rest: "/v3/player", show: showFront, partial: true},
	{
		path: "/players", operation: "PlayersPage", rest: "/v3/player", show: showPlayers,
		params: []string{"show"}, values: valuesOfPlayers,
	},
	{path: "/guilds", operation: "GuildsPage", rest: "/v3/guild/list/guild", show: showGuilds, values: valuesOfGuilds},
	{
		path: "/players/compare", operation: "ComparePlayersPage", show: showComparePlayers,
		params: []string{playersParameter}, values: playersToCompare,
	},
	{
		path: "/players/{username}", operation: "PlayerPage", noun: "player",
		rest: "/v3/player/{username}?fullResult", show: showPlayer, params: chartParams,
		values: historySpan(playerMetrics), card: playerCard,
	},
	{
		path: "/guilds/{name}", operation: "GuildPage", noun: "guild", show: showGuild,
		params: chartParams, values: historySpan(guildMetrics), card: guildCard,
	},
	{path: "/items", operation: "ItemsPage", rest: "/v3/item/database", show: showItems},
	{path: "/items/compare", operation: "ComparePage", show: showCompare, values: compareItems},
	{
		path: "/items/{name}", operation: "ItemPage", noun: "item",
		rest: "/v3/item/search/{name}", show: showItem, card: itemCard, partial: true,
	},
	{path: "/leaderboards", operation: "LeaderboardsPage", rest: "/v3/leaderboards/types", show: showLeaderboards},
	{
		path: "/leaderboards/{type}", operation: "LeaderboardPage", noun: "leaderboard",
		rest: "/v3/leaderboards/{type}", show: showLeaderboard, params: chartParams, values: beginOfSpan,
		card: leaderboardCard,
	},
	{
		path: mapPath, operation: "MapPage", rest: "/v3/guild/list/territory", show: showMap, values: mapValues,
		params: []string{"search", "sort", "direction"}, scripts: []string{"map.js"},
	},
	{path: "/territories", operation: "TerritoriesPage", rest: "/v3/guild/list/territory", show: showTerritories},
	{
		path: "/territories/{name}", operation: "TerritoryPage", noun: "territory",
		rest: "/v3/guild/list/territory", show: showTerritory, card: territoryCard,
	},
	{path: "/classes", operation: "ClassesPage", rest: "/v3/classes", show: showClasses},
	{
		path: "/classes/{name}", operation: "ClassPage", noun: "class", rest: "/v3/classes/{name}",
		show: showClass, values: upperCaseName,
	},
	{path: "/recipes", operation: "RecipesPage", rest: "/v3/item/recipe/database", show: showRecipes},
	{
		path: "/recipes/{name}", operation: "RecipePage", noun: "recipe", rest: "/v3/item/recipe/database",
		show: showRecipe, card: recipeCard,
	},
	{path: "/world-events", operation: "WorldEventsPage", rest: "/v3/map/world-events", show: showWorldEvents},
	{
		path: "/world-events/{id}", operation: "WorldEventPage", noun: "world event", rest: "/v3/map/world-events",
		show: showWorldEvent, card: worldEventCard,
	},
	{
		path: "/worlds", operation: "WorldsPage", show: showWorlds,
		params: []string{daysParameter, formatParameter, worldParameter}, values: worldSpan,
	},
	{
		path: "/seasons", operation: "SeasonsPage", rest: "/v3/guild/seasons", show: showSeasons,
		params: chartParams, values: seasonSpan,
	},
	{path: newsPath, operation: "NewsPage", rest: "/v3/publisher/articles/list/article", show: showNews},
	{
		path: newsPath + "/{pk}", operation: "ArticlePage", noun: "article",
		rest: "/v3/publisher/articles/fetch/article/{pk}", show: showArticle,
	},
	{path: "/search/suggestions", operation: "Suggestions", show: showSuggestions},
	{path: "/search", operation: "SearchPage", rest: "/v3/search/{query}", show: showSearch},
}

// section is the path of the navigation entry of a page: the first part of its path.
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
