package openapi

import (
	_ "embed"
	"strings"

	"gamedata/graph/model"
	"gamedata/rest"
)

// Purpose describes the service in one sentence.
const Purpose = "Players, guilds, items, classes, the map, search, leaderboards and news of a multiplayer game."

// introduction is the description of the document.
//
//go:embed introduction.md
var introduction string

// groups maps the first segment of a path to a tag.
var groups = map[string]string{
	"player": "Player", "oauth": "OAuth2", "guild": "Guild", "item": "Items", "map": "Map",
	"ability": "Abilities and classes", "aspects": "Abilities and classes", "classes": "Abilities and classes",
	"search": "Search", "leaderboards": "Leaderboards", "publisher": "News", "latest-news": "News",
}

// Group returns the tag of a row, or "" if its path has no group.
func Group(row rest.Row) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(row.Path, "/"), "/")
	return groups[first]
}

// static contains the parts of the document that cannot be derived: the components independent of the schema, and the
// token endpoint, which has no operation.
//
//go:embed static.json
var static []byte

// part returns a member of static, which the caller may change.
func part(name string) object {
	return Decode(static).Object(name)
}

func securitySchemes() object {
	var granted object
	for _, s := range model.Scopes {
		granted = append(granted, member{s.Name, s.Description})
	}
	schemes := part("securitySchemes")
	flows := schemes.Object("oauth2", "flows")
	flows[0].value = flows[0].value.(object).with("scopes", granted)
	return schemes
}

// errorSchemas returns the components that errors refer to.
func errorSchemas() components {
	out := components{}
	for name, schema := range part("schemas").All() {
		out[name] = component{schema: schema}
	}
	return out
}
