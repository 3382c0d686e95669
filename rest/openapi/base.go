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

// static has the parts of the document that nothing else says: the components that do not depend on the schema, and the
// token endpoint, which has no operation.
//
//go:embed static.json
var static []byte

// part returns a member of static, which the caller may change.
func part(name string) object {
	return decode(static).(object).get(name).(object) //nolint:forcetypeassert // a file of this package
}

func securitySchemes() object {
	var granted object
	for _, s := range model.Scopes {
		granted = append(granted, member{s.Name, s.Description})
	}
	schemes := part("securitySchemes")
	flows := schemes.get("oauth2").(object).get("flows").(object) //nolint:forcetypeassert // a file of this package
	flows[0].value = flows[0].value.(object).with("scopes", granted)
	return schemes
}

// errorSchemas are the components that errors refer to.
func errorSchemas() components {
	out := components{}
	for _, m := range part("schemas") {
		out[m.name] = component{schema: m.value.(object)} //nolint:forcetypeassert // a file of this package
	}
	return out
}
