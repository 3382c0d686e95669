package rest

import (
	"slices"
	"strings"

	"gamedata/graph"
)

// Row is one documented endpoint: a method and a path, answered by a fixed operation. The
// exchange of an authorization code has none: it takes a form and gives what no field tells.
type Row struct {
	Method, Path, Operation string
	// Errors are what the lookup itself can fail with (SPEC §4). What every endpoint shares,
	// and what parameters and bodies are refused with, is not among them.
	Errors errs
}

type errs []*graph.Error

// several is a name that more than one object has.
var several = graph.ErrMultiple(nil)

// Rows is the whole surface under /v3. Fixed paths stand before the variable ones they
// would match.
var Rows = []Row{
	{"GET", "/player", "OnlinePlayers", nil},
	{"GET", "/player/whoami", "Whoami", errs{graph.ErrNoOnlinePlayer, graph.ErrCrossSite}},
	{"GET", "/player/{username}", "Player", errs{several, graph.ErrNotFound, graph.ErrPlayerNotBuilt}},
	{"GET", "/player/{username}/characters", "PlayerCharacters", errs{
		several, graph.ErrNoCharacter,
		graph.ErrCharacterListHidden, graph.ErrNotFound, graph.ErrPlayerNotBuilt,
	}},
	{"GET", "/player/{username}/characters/{uuid}", "Character", errs{
		several, graph.ErrInvalidCharacterUUID,
		graph.ErrCharacterDataHidden, graph.ErrNotFound, graph.ErrPlayerNotBuilt,
	}},
	{"GET", "/player/{username}/characters/{uuid}/abilities", "CharacterAbilities", errs{
		several,
		graph.ErrInvalidCharacterUUID, graph.ErrCharacterBuildsHidden, graph.ErrNotFound, graph.ErrTreeNotRendered,
	}},

	{"GET", "/oauth/me", "OAuthMe", nil},
	{"POST", "/oauth/token", "", nil},

	{"GET", "/guild/list/guild", "Guilds", nil},
	{"GET", "/guild/list/territory", "Territories", errs{graph.ErrTerritoriesNotLoaded}},
	{"GET", "/guild/seasons", "GuildSeasons", nil},
	{"GET", "/guild/prefix/{query}", "GuildByPrefix", errs{several, graph.ErrMalformedPrefix, graph.ErrNotFound}},
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

// steps are the segments of each row's path.
var steps = func() [][]string {
	out := make([][]string, len(Rows))
	for i, row := range Rows {
		out[i] = strings.Split(row.Path, "/")
	}
	return out
}()

// maxSteps is the most segments a row's path has, the empty one before it included.
const maxSteps = 6

// match finds the first row of an encoded path and the variables of the path, each decoded
// once; -1 when the path is unknown. Paths are compared as they were sent: `//`, `..`, a
// slash at the end and encoded slashes are neither cleaned nor redirected.
func match(path string) (int, map[string]any) {
	path, ok := strings.CutPrefix(path, Prefix)
	if !ok {
		return -1, nil
	}
	var room [maxSteps]string
	segments := room[:0]
	for s := range strings.SplitSeq(path, "/") {
		if len(segments) == maxSteps {
			return -1, nil
		}
		segments = append(segments, s)
	}
	for i, want := range steps {
		if !leads(want, segments) {
			continue
		}
		vars := map[string]any{}
		for n, step := range want {
			if name, ok := strings.CutPrefix(step, "{"); ok {
				vars[strings.TrimSuffix(name, "}")] = segment(segments[n])
			}
		}
		return i, vars
	}
	return -1, nil
}

// leads tells whether the segments of a path are those of a row.
func leads(want, segments []string) bool {
	return slices.EqualFunc(want, segments, func(step, s string) bool {
		return step == s || strings.HasPrefix(step, "{") && s != ""
	})
}

// MatchPath finds the row of an encoded path, whatever the method, and the variables of the path.
func MatchPath(path string) (Row, map[string]any, bool) {
	i, vars := match(path)
	if i < 0 {
		return Row{}, nil, false
	}
	return Rows[i], vars, true
}

// Match finds the row that a method and an encoded path belong to, and the variables of the
// path.
func Match(method, path string) (Row, map[string]any, bool) {
	row, vars, ok := MatchPath(path)
	if !ok || !row.serves(method) {
		return Row{}, nil, false
	}
	return row, vars, true
}
