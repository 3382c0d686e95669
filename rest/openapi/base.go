package openapi

import (
	_ "embed"
	"strings"

	"gamedata/graph/viewer"
	"gamedata/rest"
)

const purpose = "Players, guilds, items, classes, the map, search, leaderboards and news of a multiplayer game."

// introduction is the text above all endpoints.
//
//go:embed introduction.md
var introduction string

// groups are the parts of the surface (SPEC §4) by the first step of a path.
var groups = map[string]string{
	"player": "Player", "oauth": "OAuth2", "guild": "Guild", "item": "Items", "map": "Map",
	"ability": "Abilities and classes", "aspects": "Abilities and classes", "classes": "Abilities and classes",
	"search": "Search", "leaderboards": "Leaderboards", "publisher": "News", "latest-news": "News",
}

// Group is the part of the surface that a row belongs to, a tag of the document; empty for none.
func Group(row rest.Row) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(row.Path, "/"), "/")
	return groups[first]
}

// scopes say what each scope lets an application see (WIRE §5.1).
var scopes = map[string]string{
	viewer.Identify:             "Which players are linked; part of every grant.",
	viewer.MainAccess:           "Stats, playtime, dates of joining and rankings of the user's own players.",
	viewer.CharacterListAccess:  "Which characters the user's own players have.",
	viewer.CharacterDataAccess:  "The data of these characters.",
	viewer.CharacterBuildAccess: "Their skill points and abilities.",
	viewer.OnlineStatus:         "Whether the user's own players are online, and where.",
	viewer.GuildHistoryAccess:   "The guilds they were in before.",
}

func securitySchemes() object {
	var granted object
	for _, name := range viewer.AllScopes {
		granted = append(granted, member{name, scopes[name]})
	}
	return object{
		{"token", object{{"type", "http"}, {"scheme", "bearer"}, {
			"description",
			"An API token of an account, `gdt_…`. In Public Mode it sees what a guest sees.",
		}}},
		{"oauth2", object{
			{"type", "oauth2"},
			{"description", "An access token, `gd_…`, that a user granted an application. Only the challenge method S256 is accepted."},
			{"flows", object{{"authorizationCode", object{{"authorizationUrl", "/oauth/authorize"}, {"tokenUrl", rest.Prefix +
				"/oauth/token"}, {"scopes", granted}}}}},
		}},
	}
}
