package main

import (
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// mayImport is the table of the README's map: which of our rooms a room may import.
var mayImport = map[string][]string{
	"graph/viewer":                 {},
	"internal/telemetry":           {},
	"internal/buildinfo":           {},
	"client":                       {},
	"internal/conformance":         {"client", "rest"},
	"graph/model":                  {},
	"internal/ratelimit":           {},
	"internal/ratelimit/redis":     {"internal/ratelimit"},
	"internal/ratelimit/redistest": {},
	"internal/cache":               {},
	"internal/web":                 {"graph", "internal/httpapi"},
	"internal/tabular":             {},
	"internal/dump":                {"mongo"},
	"internal/leaderboard":         {"graph/model"},
	"internal/jobs":                {"mongo", "graph/model", "internal/leaderboard"},
	"mongo/embedded":               {},
	"graph":                        {"graph/model", "graph/viewer"},
	"mongo":                        {"graph/model"},
	"mongo/importer":               {"mongo", "graph/model"},
	"mongo/feed":                   {"mongo", "graph/model"},
	"mongo/seed":                   {"mongo", "graph/model"},
	"mongo/mongotest":              {"mongo", "mongo/embedded"},
	"internal/simulator":           {"mongo", "mongo/feed", "graph/model"},
	"loaders":                      {"mongo", "graph/model", "internal/leaderboard", "internal/cache"},
	"resolvers": {
		"graph", "graph/model", "graph/viewer", "loaders", "mongo", "internal/leaderboard",
		"internal/auth",
	},
	"internal/auth":                {"mongo", "graph", "graph/model", "graph/viewer", "internal/ratelimit"},
	"internal/loadshed":            {},
	"internal/httpapi/httpapitest": {"internal/httpapi", "internal/ratelimit"},
	"internal/graphqlhttp": {
		"graph", "graph/viewer", "internal/cache", "internal/httpapi", "internal/loadshed", "internal/ratelimit",
		"internal/tabular",
	},
	"internal/httpapi": {
		"graph", "graph/viewer", "internal/cache", "internal/ratelimit", "internal/loadshed",
		"internal/tabular",
	},
	"internal/auth/oauth": {"internal/auth", "internal/httpapi", "graph", "graph/model", "graph/viewer", "mongo"},
	"internal/web/account": {
		"internal/auth", "internal/httpapi", "graph", "graph/model", "graph/viewer",
		"internal/ratelimit", "mongo", "internal/web",
	},
	"internal/web/site":    {"internal/httpapi", "graph", "graph/viewer", "internal/web"},
	"rest/openapi":         {"internal/httpapi", "graph", "graph/model", "rest", "rest/transform"},
	"internal/web/apidocs": {"internal/httpapi", "graph", "graph/model", "graph/viewer", "rest/openapi", "rest", "rest/transform", "internal/web"},
	"rest": {
		"internal/httpapi", "graph", "graph/viewer", "internal/cache", "internal/ratelimit",
		"internal/tabular", "rest/transform",
	},
	"rest/transform": {"internal/tabular"},
}

// mustNot are packages outside the module that a room may not import.
var mustNot = map[string][]string{
	"resolvers": {"net/http"}, "loaders": {"net/http"}, "graph": {"net/http"},
	"rest/transform": {"net/http"},
	"internal/auth":  {"net/http"},
}

func TestRoomsImportWhatTheyMay(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-json=ImportPath,Imports,TestImports",
		"gamedata/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for dec := json.NewDecoder(strings.NewReader(string(out))); dec.More(); {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := dec.Decode(&p); err != nil {
			t.Fatal(err)
		}
		room := strings.TrimPrefix(p.ImportPath, "gamedata/")
		if room == "cmd/gamedata" || room == "internal/app" || room == "internal/doctor" || room == "internal/config" {
			continue
		}
		allowed, ok := mayImport[room]
		if !ok {
			t.Errorf("the room %s is not in the table", room)
			continue
		}
		seen++
		for _, i := range p.Imports {
			if ours, ok := strings.CutPrefix(i, "gamedata/"); ok && !slices.Contains(allowed, ours) {
				t.Errorf("%s imports %s", room, ours)
			}
			if slices.Contains(mustNot[room], i) {
				t.Errorf("%s imports %s", room, i)
			}
		}
	}
	if seen != len(mayImport) {
		t.Errorf("saw %d rooms, the table has %d", seen, len(mayImport))
	}
}
