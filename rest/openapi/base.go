package openapi

import (
	_ "embed"
	"strings"

	"gamedata/graph/model"
	"gamedata/rest"
)

// Purpose says in a sentence what the service is about.
const Purpose = "Players, guilds, items, classes, the map, search, leaderboards and news of a multiplayer game."

// introduction is the description of the document.
//
//go:embed introduction.md
var introduction string

// groups are the tags by the first segment of a path.
var groups = map[string]string{
	"player": "Player", "oauth": "OAuth2", "guild": "Guild", "item": "Items", "map": "Map",
	"ability": "Abilities and classes", "aspects": "Abilities and classes", "classes": "Abilities and classes",
	"search": "Search", "leaderboards": "Leaderboards", "publisher": "News", "latest-news": "News",
}

// Group is the tag of a row, empty if its path has no group.
func Group(row rest.Row) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(row.Path, "/"), "/")
	return groups[first]
}

func securitySchemes() object {
	var granted object
	for _, s := range model.Scopes {
		granted = append(granted, member{s.Name, s.Description})
	}
	flow := object{
		{"authorizationUrl", "/oauth/authorize"}, {"tokenUrl", rest.Prefix + "/oauth/token"}, {"scopes", granted},
	}
	return object{
		{"token", object{
			{"type", "http"},
			{"scheme", "bearer"},
			{"description", "An API token of an account, `gdt_…`. In Public Mode it sees what a guest sees."},
		}},
		{"oauth2", object{
			{"type", "oauth2"},
			{"description", "An access token, `gd_…`, that a user granted an application. " +
				"Only the challenge method S256 is accepted. `POST /oauth/revoke`, at the root of the site, revokes " +
				"a token (RFC 7009)."},
			{"flows", object{{"authorizationCode", flow}}},
		}},
	}
}
