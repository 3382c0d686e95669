package rest

import (
	"net/url"
	"strings"
	"testing"
)

func parseURL(t *testing.T, path string) *url.URL {
	t.Helper()
	u, err := url.ParseRequestURI(path)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// No row is shadowed by one before it.
func TestEveryRowIsMatched(t *testing.T) {
	for _, row := range Rows {
		path := Prefix + strings.NewReplacer("{", "", "}", "").Replace(row.Path)
		if got, _, ok := Lookup(parseURL(t, path)); !ok || got.Method+got.Path != row.Method+row.Path {
			t.Errorf("%s %s: matched %s %s", row.Method, path, got.Method, got.Path)
		}
	}
	for path, operation := range map[string]string{
		"/v3/guild/seasons": "GuildSeasons", "/v3/guild/list": "Guild", "/v3/guild/list/guild": "Guilds",
		"/v3/guild/%73easons": "Guild", "/v3/guild/Seasons": "Guild",
		"/v3/guild/prefix": "Guild", "/v3/guild/uuid/seasons": "GuildByUUID", "/v3/map/locations/player": "PlayerLocations",
	} {
		if row, _, _ := Lookup(parseURL(t, path)); row.Operation != operation {
			t.Errorf("%s: matched %s, want %s", path, row.Operation, operation)
		}
	}
}
