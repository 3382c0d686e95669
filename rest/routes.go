package rest

import (
	"net/http"
	"net/url"
	"slices"
	"sync"

	"github.com/gorilla/mux"

	"gamedata/graph"
)

// Row is one documented endpoint: a method, a path and the fixed operation that it runs. The token exchange has no
// operation: it takes a form, and no field returns its result.
type Row struct {
	Method, Path, Operation string
	// Errors lists the errors of the lookup itself, without the errors of all endpoints, parameters and bodies.
	Errors errs
}

// Rows lists all endpoints under /v3. A fixed path comes before a variable path that would match it.
var Rows = []Row{
	{"GET", "/player", "OnlinePlayers", nil},
	{"GET", "/player/whoami", "Whoami", errs{graph.ErrNoOnlinePlayer, graph.ErrCrossSite}},
	{"GET", "/player/{username}", "Player", errs{errAmbiguous, graph.ErrNotFound, graph.ErrPlayerNotBuilt}},
	{"GET", "/player/{username}/characters", "PlayerCharacters", errs{
		errAmbiguous, graph.ErrNoCharacter, graph.ErrCharacterListHidden, graph.ErrNotFound, graph.ErrPlayerNotBuilt,
	}},
	{"GET", "/player/{username}/characters/{uuid}", "Character", errs{
		errAmbiguous, graph.ErrInvalidCharacterUUID, graph.ErrCharacterDataHidden, graph.ErrNotFound, graph.ErrPlayerNotBuilt,
	}},
	{"GET", "/player/{username}/characters/{uuid}/abilities", "CharacterAbilities", errs{
		errAmbiguous, graph.ErrInvalidCharacterUUID, graph.ErrCharacterBuildsHidden, graph.ErrNotFound,
		graph.ErrTreeNotRendered,
	}},

	{"GET", "/oauth/me", "OAuthMe", nil},
	{"POST", "/oauth/token", "", nil},

	{"GET", "/guild/list/guild", "Guilds", nil},
	{"GET", "/guild/list/territory", "Territories", errs{graph.ErrTerritoriesNotLoaded}},
	{"GET", "/guild/seasons", "GuildSeasons", nil},
	{"GET", "/guild/prefix/{query}", "GuildByPrefix", errs{errAmbiguous, graph.ErrMalformedPrefix, graph.ErrNotFound}},
	{"GET", "/guild/uuid/{query}", "GuildByUUID", errs{graph.ErrNotFound}},
	{"GET", "/guild/{query}", "Guild", errs{graph.ErrNotFound}},

	{"GET", "/item/database", "ItemDatabase", nil},
	{"POST", "/item/search", "ItemSearch", errs{graph.ErrNotFound}},
	{"GET", "/item/search/{query}", "ItemsByName", errs{graph.ErrNotFound}},
	{"GET", "/item/recipe/database", "RecipeDatabase", nil},
	{"POST", "/item/recipe/search", "RecipeSearch", errs{graph.ErrNotFound}},
	{"GET", "/item/metadata", "ItemMetadata", nil},
	{"GET", "/item/sets", "ItemSets", nil},

	{"GET", "/map/locations/markers", "MapMarkers", nil},
	{"GET", "/map/locations/player", "PlayerLocations", errs{graph.ErrNoOnlinePlayer, graph.ErrCrossSite}},
	{"GET", "/map/world-events", "WorldEvents", nil},
	{"GET", "/map/camps", "Camps", nil},
	{"GET", "/map/raids", "Raids", nil},
	{"GET", "/map/loot-pools", "LootPools", nil},
	{"GET", "/map/gathering-nodes", "GatheringNodes", nil},
	{"GET", "/map/quests", "QuestSummary", nil},

	{"GET", "/ability/tree/{tree}", "AbilityTree", errs{graph.ErrInvalidTree}},
	{"GET", "/ability/map/{tree}", "AbilityMap", errs{graph.ErrInvalidTree, graph.ErrTreeNotRendered}},
	{"GET", "/aspects/{tree}", "Aspects", errs{graph.ErrInvalidTree}},
	{"GET", "/classes", "Classes", errs{graph.ErrClassesNotLoaded}},
	{"GET", "/classes/{class_name}", "Class", errs{graph.ErrInvalidTree, graph.ErrClassesNotLoaded}},

	{"GET", "/search/{query}", "Search", errs{graph.ErrMalformedSearch, graph.ErrNotFound}},

	{"GET", "/leaderboards/types", "LeaderboardTypes", nil},
	{"GET", "/leaderboards/{lb_type}", "Leaderboard", errs{graph.ErrInvalidLeaderboardType}},

	{"GET", "/publisher/articles/list/{article_type}", "Articles", nil},
	{"GET", "/publisher/articles/fetch/{article_type}/{pk}", "Article", errs{graph.ErrNotFound}},
	{"GET", "/publisher/videos/list", "Videos", nil},
	{"GET", "/latest-news", "LatestNews", nil},
}

// allow lists the methods of an endpoint.
func (row Row) allow() string {
	if row.Method == http.MethodGet {
		return "GET, HEAD, OPTIONS"
	}
	return row.Method + ", OPTIONS"
}

// newRouter returns a router with all rows. Its routes have no method matcher: the endpoint writes the documented 405.
func newRouter(handler func(Row) http.Handler) *mux.Router {
	router := mux.NewRouter().UseEncodedPath().SkipClean(true)
	for _, row := range Rows {
		router.Path(Prefix + row.Path).Name(row.Path).Handler(handler(row))
	}
	return router
}

// rowRouter finds rows by path.
var rowRouter = sync.OnceValue(func() *mux.Router {
	return newRouter(func(Row) http.Handler { return http.NotFoundHandler() })
})

// Lookup returns the row and the path variables of a URL, whatever the method.
func Lookup(u *url.URL) (Row, map[string]any, bool) {
	var m mux.RouteMatch
	if !rowRouter().Match(&http.Request{Method: http.MethodGet, URL: u}, &m) {
		return Row{}, nil, false
	}
	i := slices.IndexFunc(Rows, func(row Row) bool { return row.Path == m.Route.GetName() })
	return Rows[i], pathVariables(m.Vars), true
}

// pathVariables decodes the segments of a path once.
func pathVariables(encoded map[string]string) map[string]any {
	vars := make(map[string]any, len(encoded))
	for name, value := range encoded {
		vars[name] = segment(value)
	}
	return vars
}
