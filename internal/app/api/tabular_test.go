package api

import (
	"encoding/csv"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"gamedata/internal/app/apptest"
)

// getText gets a path. It returns the body as text too.
func getText(t *testing.T, p *apptest.Program, path string, headers ...string) (apptest.Response, string) {
	t.Helper()
	res := apptest.Get(t, p.Base+path, headers...)
	return res, string(res.Body)
}

// records reads CSV with its header line.
func records(t *testing.T, text string) []map[string]string {
	t.Helper()
	all, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(all) == 0 {
		t.Fatalf("%v: %q", err, text)
	}
	var out []map[string]string
	for _, line := range all[1:] {
		row := map[string]string{}
		for i, name := range all[0] {
			row[name] = line[i]
		}
		out = append(out, row)
	}
	return out
}

// Both APIs return lists as CSV and NDJSON if Accept names the type, else as JSON. Errors are always JSON.
func TestTables(t *testing.T) {
	p := apptest.Shared(t)
	t.Run("leaderboard", func(t *testing.T) {
		const path = "/v3/leaderboards/globalPlayerContent?resultLimit=10"
		plain, body := getText(t, p, path)
		r, text := getText(t, p, path, "Accept", "text/csv")
		h := r.Header
		if r.Status != 200 || h.Get("Content-Type") != "text/csv; charset=utf-8; header=present" ||
			h.Get("Content-Disposition") != `attachment; filename="leaderboards-globalPlayerContent.csv"` ||
			h.Get("Cache-Control") != plain.Header.Get("Cache-Control") || h.Get("RateLimit-Bucket") != "LEADERBOARDS" ||
			h.Get("ETag") == plain.Header.Get("ETag") {
			t.Errorf("%d %v", r.Status, h)
		}
		board := apptest.Decode[map[string]map[string]any](t, plain.Body)
		rows := records(t, text)
		if len(rows) != len(board) || len(rows) == 0 {
			t.Fatalf("%d rows, %d entries", len(rows), len(board))
		}
		for i, row := range rows {
			entry := board[strconv.Itoa(i+1)]
			name, _ := entry["name"].(string)
			if row["position"] != strconv.Itoa(i+1) || row["name"] != name ||
				row["score"] != strconv.Itoa(int(entry["score"].(float64))) || row["metadata.totalLevel"] == "" &&
				entry["metadata"].(map[string]any)["totalLevel"] != nil {
				t.Errorf("row %d is %v, the entry %v", i+1, row, entry)
			}
		}
		again, _ := getText(t, p, path, "Accept", "text/csv", "If-None-Match", h.Get("ETag"))
		again.Expect(t, "again", 304)
		_, lines := getText(t, p, path, "Accept", "application/x-ndjson")
		if strings.Count(lines, "\n") != len(rows) || !json.Valid([]byte(strings.SplitN(lines, "\n", 2)[0])) {
			t.Errorf("NDJSON: %q", lines)
		}
		same, _ := getText(t, p, path, "Accept", "text/html, */*;q=0.5")
		same.Expect(t, "JSON", 200, "Content-Type", "application/json")
		if string(same.Body) != body || same.Header.Values("Vary")[1] != "Accept" {
			t.Errorf("another Accept: %v %.100s", same.Header, same.Body)
		}
		if r, text := getText(t, p, "/v3/leaderboards/nothing", "Accept", "text/csv"); r.Status != 400 ||
			r.Header.Get("Content-Type") != "application/json" || !strings.Contains(text, "InvalidLeaderboardType") {
			t.Errorf("an error: %d %s", r.Status, text)
		}
		if _, text := getText(t, p, "/v3/leaderboards/types", "Accept", "text/csv"); !strings.HasPrefix(text,
			"type\r\nwoodcuttingLevel\r\n") {
			t.Errorf("types: %.100q", text)
		}
		if r, text := getText(t, p, "/v3/classes", "Accept",
			"text/csv"); r.Header.Get("Content-Type") != "application/json" || !json.Valid([]byte(text)) ||
			len(r.Header.Values("Vary")) != 1 {
			t.Errorf("a path without a table: %v", r.Header)
		}
	})

	t.Run("GraphQL", func(t *testing.T) {
		get := func(query, list string, headers ...string) (status int, kind, text string) {
			t.Helper()
			r, text := getText(t, p, "/graphql?list="+url.QueryEscape(list)+"&query="+url.QueryEscape(query),
				append([]string{"Accept", "text/csv"}, headers...)...)
			return r.Status, r.Header.Get("Content-Type"), text
		}
		const two = `query Two { player(by:{username:"Salted"}) {
			username characters{nodes{ classKey gamemodes meta { died } }} rankMovement { type movement }
		} }`
		status, kind, text := get(two, "player.characters.nodes")
		if rows := records(t, text); status != 200 || !strings.HasPrefix(kind, "text/csv") || len(rows) != 5 ||
			rows[0]["classKey"] != "ASSASSIN" || rows[4]["meta.died"] != "true" || rows[4]["gamemodes"] != `["HARDCORE","IRONMAN"]` {
			t.Errorf("%d %s %q", status, kind, text)
		}
		if status, kind, text := get(two, ""); status != 406 || kind != "application/json" || !strings.Contains(text,
			"NOT_ACCEPTABLE") || !strings.Contains(text,
			"player.characters.nodes, player.characters.nodes[].gamemodes, player.rankMovement") {
			t.Errorf("two lists: %d %s %s", status, kind, text)
		}
		byURL := "/graphql?format=csv&query=" + url.QueryEscape(`{ guilds { nodes { name } } }`)
		if r, text := getText(t, p, byURL); r.Status != 200 || !strings.HasPrefix(text, "name\r\n") ||
			!strings.HasPrefix(r.Header.Get("Content-Type"), "text/csv") {
			t.Errorf("CSV by URL: got %d %v %.100q", r.Status, r.Header, text)
		}
		for _, wrong := range []string{"xml", "", "csv&format=csv"} {
			r, text := getText(t, p, strings.Replace(byURL, "format=csv", "format="+wrong, 1))
			if r.Status != 400 || !strings.Contains(text, "INVALID_QUERY_PARAMS") {
				t.Errorf("format %q: got %d %s, want 400", wrong, r.Status, text)
			}
		}
	})
}
