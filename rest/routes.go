package rest

import (
	"slices"
	"strings"
)

// Row is one documented endpoint: a method and a path, answered by a fixed operation. The
// exchange of an authorization code has none: it takes a form and gives what no field tells.
type Row struct{ Method, Path, Operation string }

// Rows is the whole surface under /v3. Fixed paths stand before the variable ones they
// would match.
var Rows = []Row{
	{"GET", "/player", "OnlinePlayers"},
	{"GET", "/player/whoami", "Whoami"},
	{"GET", "/player/{username}", "Player"},
	{"GET", "/player/{username}/characters", "PlayerCharacters"},
	{"GET", "/player/{username}/characters/{uuid}", "Character"},
	{"GET", "/player/{username}/characters/{uuid}/abilities", "CharacterAbilities"},

	{"GET", "/oauth/me", "OAuthMe"},
	{"POST", "/oauth/token", ""},

	{"GET", "/guild/list/guild", "Guilds"},
	{"GET", "/guild/list/territory", "Territories"},
	{"GET", "/guild/seasons", "GuildSeasons"},
	{"GET", "/guild/prefix/{query}", "GuildByPrefix"},
	{"GET", "/guild/uuid/{query}", "GuildByUUID"},
	{"GET", "/guild/{query}", "Guild"},

	{"GET", "/item/database", "ItemDatabase"},
	{"POST", "/item/search", "ItemSearch"},
	{"GET", "/item/search/{query}", "ItemsByName"},
	{"GET", "/item/recipe/database", "RecipeDatabase"},
	{"POST", "/item/recipe/search", "RecipeSearch"},
	{"GET", "/item/metadata", "ItemMetadata"},
	{"GET", "/item/sets", "ItemSets"},

	{"GET", "/map/locations/markers", "MapMarkers"},
	{"GET", "/map/locations/player", "PlayerLocations"},
	{"GET", "/map/world-events", "WorldEvents"},
	{"GET", "/map/camps", "Camps"},
	{"GET", "/map/raids", "Raids"},
	{"GET", "/map/loot-pools", "LootPools"},
	{"GET", "/map/gathering-nodes", "GatheringNodes"},
	{"GET", "/map/quests", "QuestSummary"},

	{"GET", "/ability/tree/{tree}", "AbilityTree"},
	{"GET", "/ability/map/{tree}", "AbilityMap"},
	{"GET", "/aspects/{tree}", "Aspects"},
	{"GET", "/classes", "Classes"},
	{"GET", "/classes/{class_name}", "Class"},

	{"GET", "/search/{query}", "Search"},

	{"GET", "/leaderboards/types", "LeaderboardTypes"},
	{"GET", "/leaderboards/{lb_type}", "Leaderboard"},

	{"GET", "/publisher/articles/list/{article_type}", "Articles"},
	{"GET", "/publisher/articles/fetch/{article_type}/{pk}", "Article"},
	{"GET", "/publisher/videos/list", "Videos"},
	{"GET", "/latest-news", "LatestNews"},
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

// Match finds the row that a method and an encoded path belong to, and the variables of the
// path.
func Match(method, path string) (Row, map[string]any, bool) {
	i, vars := match(path)
	if i < 0 || !Rows[i].serves(method) {
		return Row{}, nil, false
	}
	return Rows[i], vars, true
}
