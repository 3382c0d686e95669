package api

import (
	"net/url"
	"strings"
	"testing"

	"gamedata/internal/app/apptest"
)

// Both APIs return lists as CSV and NDJSON if Accept names the type, else as JSON. Errors are always JSON.
func TestTables(t *testing.T) {
	p := apptest.Shared(t)
	const board = "/v3/leaderboards/globalPlayerContent?resultLimit=10"
	const isCSV, isNDJSON, isJSON = "text/csv; charset=utf-8; header=present", "application/x-ndjson", "application/json"
	graphql := func(query, more string) string { return "/graphql?query=" + url.QueryEscape(query) + more }
	const two = `query Two { player(by:{username:"Salted"}) {
		characters{nodes{ classKey gamemodes meta { died } }} rankMovement { type movement } } }`
	guilds := graphql(`{ guilds { nodes { name } } }`, "&format=")
	for name, c := range map[string]struct {
		path, accept string
		status       int
		kind         string
		lines        int // 0 for any number
		want         string
	}{
		"a leaderboard":        {board, "text/csv", 200, isCSV, 11, "\r\n10,"},
		"as lines":             {board, "application/x-ndjson", 200, isNDJSON, 10, "\n{\"position\":10,"},
		"another Accept":       {board, "text/html, */*;q=0.5", 200, isJSON, 0, `{"1":{`},
		"an error":             {"/v3/leaderboards/nothing", "text/csv", 400, isJSON, 0, "InvalidLeaderboardType"},
		"a list of texts":      {"/v3/leaderboards/types", "text/csv", 200, isCSV, 0, "type\r\nwoodcuttingLevel\r\n"},
		"a path without table": {"/v3/classes", "text/csv", 200, isJSON, 0, "{"},
		"a list of two": {
			graphql(two, "&list=player.characters.nodes"), "text/csv", 200, isCSV, 6,
			"classKey,gamemodes,meta.died\r\nASSASSIN,",
		},
		"no list of two": {
			graphql(two, ""), "text/csv", 406, isJSON, 0,
			"player.characters.nodes, player.characters.nodes[].gamemodes, player.rankMovement",
		},
		"a format by URL": {guilds + "csv", "", 200, isCSV, 0, "name\r\n"},
		"unknown format":  {guilds + "xml", "", 400, isJSON, 0, "INVALID_QUERY_PARAMS"},
		"empty format":    {guilds, "", 400, isJSON, 0, "INVALID_QUERY_PARAMS"},
		"format twice":    {guilds + "csv&format=csv", "", 400, isJSON, 0, "INVALID_QUERY_PARAMS"},
	} {
		res := apptest.Get(t, p.Base+c.path, "Accept", c.accept)
		res.Expect(t, name, c.status, "Content-Type", c.kind)
		if n := strings.Count(string(res.Body), "\n"); c.lines > 0 && n != c.lines || !res.Has(c.want) {
			t.Errorf("%s: got %d lines, want %d with %q: %.300q", name, n, c.lines, c.want, res.Body)
		}
		if table := c.path != "/v3/classes"; strings.HasPrefix(c.path, "/v3") && (len(res.Header.Values("Vary")) == 2) != table {
			t.Errorf("%s: got Vary %q", name, res.Header.Values("Vary"))
		}
	}
	plain, table := apptest.Get(t, p.Base+board), apptest.Get(t, p.Base+board, "Accept", "text/csv")
	table.Expect(t, "a leaderboard", 200, "Cache-Control", plain.Header.Get("Cache-Control"),
		"RateLimit-Bucket", "LEADERBOARDS",
		"Content-Disposition", `attachment; filename="leaderboards-globalPlayerContent.csv"`)
	tag := table.Header.Get("ETag")
	if tag == plain.Header.Get("ETag") {
		t.Errorf("the table has the ETag %s of JSON", tag)
	}
	apptest.Get(t, p.Base+board, "Accept", "text/csv", "If-None-Match", tag).Expect(t, "the same table", 304)
}
