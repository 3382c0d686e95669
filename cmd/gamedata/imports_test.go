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
	"graph/viewer":    {},
	"admin":           {},
	"trace":           {},
	"client":          {},
	"verify":          {"client", "rest"},
	"health":          {},
	"metrics":         {},
	"graph/model":     {},
	"limit":           {},
	"redis":           {"limit"},
	"redis/redistest": {},
	"cache":           {},
	"web":             {},
	"tables":          {},
	"archive":         {"mongo"},
	"boards":          {"graph/model"},
	"jobs":            {"mongo", "graph/model", "boards"},
	"mongo/embedded":  {},
	"graph":           {"graph/model", "graph/viewer"},
	"mongo":           {"graph/model"},
	"mongo/seed":      {"mongo", "graph/model"},
	"mongo/storetest": {"mongo", "mongo/embedded"},
	"simulate":        {"mongo", "graph/model"},
	"loaders":         {"mongo", "graph/model", "boards", "cache"},
	"resolvers":       {"graph", "graph/model", "graph/viewer", "loaders", "mongo", "boards", "accounts"},
	"accounts":        {"mongo", "graph", "graph/model", "graph/viewer", "limit"},
	"shed":            {},
	"door":            {"graph", "graph/viewer", "cache", "limit", "shed", "tables"},
	"oauth":           {"accounts", "door", "graph", "graph/model", "graph/viewer", "mongo"},
	"pages":           {"accounts", "door", "graph", "graph/model", "graph/viewer", "limit", "mongo", "web"},
	"site":            {"door", "graph", "graph/viewer", "web"},
	"openapi":         {"door", "graph", "graph/viewer", "rest"},
	"reference":       {"door", "graph", "graph/viewer", "openapi", "rest", "web"},
	"rest":            {"door", "graph", "graph/viewer", "cache", "limit", "tables"},
}

// mustNot are packages outside the module that a room may not import.
var mustNot = map[string][]string{"resolvers": {"net/http"}, "loaders": {"net/http"}, "graph": {"net/http"}, "accounts": {"net/http"}}

func TestRoomsImportWhatTheyMay(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-json=ImportPath,Imports,TestImports", "gamedata/...").Output()
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
		if room == "cmd/gamedata" {
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
