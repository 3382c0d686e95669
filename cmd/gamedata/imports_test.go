package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// mayImport lists for each package which packages of this module it may import (docs/architecture.md).
var mayImport = map[string][]string{
	"docs":                         {},
	"graph/viewer":                 {},
	"internal/telemetry":           {},
	"internal/buildinfo":           {},
	"client":                       {},
	"internal/conformance":         {"client", "rest"},
	"internal/load":                {"client"},
	"graph/model":                  {},
	"graph/model/field":            {},
	"graph/internal/generate":      {},
	"internal/ratelimit":           {},
	"internal/ratelimit/redis":     {"internal/ratelimit"},
	"internal/ratelimit/redistest": {},
	"internal/cache":               {},
	"internal/web":                 {"graph", "graph/model", "internal/httpapi"},
	"internal/tabular":             {},
	"internal/terminal":            {},
	"internal/dump":                {"mongo"},
	"internal/leaderboard":         {"graph/model"},
	"internal/jobs":                {"mongo", "graph/model", "internal/history", "internal/leaderboard"},
	"internal/events":              {"mongo", "graph/model"},
	"internal/history":             {"mongo", "graph/model"},
	"mongo/embedded":               {},
	"graph":                        {"graph/model", "graph/viewer", "internal/cache"},
	"mongo":                        {"graph/model", "graph/model/field"},
	"mongo/importer":               {"mongo", "graph/model"},
	"internal/feed":                {"mongo", "graph/model"},
	"mongo/mongotest":              {"mongo", "mongo/embedded", "graph/model"},
	"internal/demo/content":        {},
	"internal/demo/content/pack":   {"internal/demo/content"},
	"internal/demo/seed":           {"mongo", "graph/model", "internal/demo/content", "internal/history"},
	"internal/demo/simulator":      {"mongo", "internal/feed", "graph/model"},
	"loaders":                      {"mongo", "graph/model", "internal/leaderboard", "internal/cache"},
	"resolvers": {
		"graph", "graph/model", "graph/viewer", "loaders", "mongo", "internal/leaderboard",
		"internal/auth", "internal/history", "internal/events",
	},
	"internal/auth":                {"mongo", "graph", "graph/model", "graph/viewer", "internal/ratelimit"},
	"internal/loadshed":            {},
	"internal/httpapi/httpapitest": {"internal/httpapi", "internal/ratelimit"},
	"internal/graphqlhttp": {
		"graph", "graph/viewer", "internal/cache", "internal/httpapi", "internal/loadshed", "internal/ratelimit",
		"internal/tabular", "internal/eventstream", "graph/model",
	},
	"internal/httpapi": {
		"graph", "graph/viewer", "internal/cache", "internal/ratelimit", "internal/loadshed",
		"internal/tabular",
	},
	"internal/publicdump": {"graph", "graph/viewer", "internal/httpapi"},
	"internal/eventshttp": {
		"internal/httpapi", "internal/events", "internal/eventstream", "graph", "graph/model",
	},
	"internal/eventstream": {"internal/httpapi", "internal/events", "graph", "graph/model", "graph/viewer"},
	"internal/feed/http":   {"internal/httpapi", "internal/ratelimit", "graph", "mongo", "internal/feed"},
	"internal/auth/oauth":  {"internal/auth", "internal/httpapi", "graph", "graph/model", "graph/viewer", "mongo"},
	"internal/web/account": {
		"internal/auth", "internal/httpapi", "graph", "graph/model", "graph/viewer",
		"internal/ratelimit", "mongo", "internal/web",
	},
	"internal/web/card": {"internal/web"},
	"internal/web/site": {
		"internal/httpapi", "graph", "graph/model", "graph/viewer", "internal/web", "internal/web/card", "internal/tabular",
	},
	"rest/openapi": {"internal/httpapi", "graph", "graph/model", "rest", "rest/transform"},
	"internal/web/apidocs": {
		"docs",
		"internal/httpapi",
		"graph",
		"graph/model",
		"graph/viewer",
		"rest/openapi",
		"rest",
		"rest/transform",
		"internal/web",
	},
	"rest": {
		"internal/httpapi", "graph", "graph/model", "graph/viewer", "internal/cache", "internal/ratelimit",
		"internal/tabular", "rest/transform",
	},
	"rest/transform": {"internal/tabular"},
	"internal/config": {
		"internal/history",
		"graph", "graph/model", "graph/viewer", "internal/auth", "internal/httpapi", "internal/loadshed",
		"internal/ratelimit", "internal/ratelimit/redis", "internal/demo/seed", "internal/demo/simulator", "mongo/embedded",
	},
	"graph/internal/generate/operations": {},
	"internal/app":                       anyPackage,
	"internal/doctor": {
		"internal/app",
		"internal/auth",
		"internal/buildinfo",
		"internal/config",
		"internal/telemetry",
		"mongo",
		"mongo/embedded",
	},
	// A command reads flags and calls packages, so it needs few of them and none that serves requests.
	"cmd/gamedata": {
		"graph/model",
		"internal/app",
		"internal/auth",
		"internal/buildinfo",
		"internal/config",
		"internal/conformance",
		"internal/demo/seed",
		"internal/doctor",
		"internal/dump",
		"internal/httpapi",
		"internal/jobs",
		"internal/load",
		"internal/demo/simulator",
		"internal/terminal",
		"mongo",
		"mongo/embedded",
		"rest",
	},
}

// anyPackage is for the package that wires all others together.
var anyPackage = []string{"*"}

// commandLines bounds a file of cmd/gamedata: a longer one probably contains logic.
const commandLines = 250

// mustNot lists packages of other modules that a package may not import.
var mustNot = map[string][]string{
	"resolvers": {"net/http"}, "loaders": {"net/http"}, "graph": {"net/http"},
	"rest/transform": {"net/http"},
	"internal/auth":  {"net/http"},
}

func TestImports(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-json=ImportPath,Imports", "gamedata/...").Output()
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
		name := strings.TrimPrefix(p.ImportPath, "gamedata/")
		allowed, ok := mayImport[name]
		if !ok {
			t.Errorf("the package %s is not in the table", name)
			continue
		}
		seen++
		for _, i := range p.Imports {
			ours, ok := strings.CutPrefix(i, "gamedata/")
			if ok && !slices.Contains(allowed, ours) && !slices.Equal(allowed, anyPackage) {
				t.Errorf("%s imports %s", name, ours)
			}
			if slices.Contains(mustNot[name], i) {
				t.Errorf("%s imports %s", name, i)
			}
		}
	}
	if seen != len(mayImport) {
		t.Errorf("go list shows %d packages, the table has %d", seen, len(mayImport))
	}
}

// The module has at most eleven visible folders, and files of commands are short.
func TestLayout(t *testing.T) {
	entries, err := os.ReadDir("../..")
	if err != nil {
		t.Fatal(err)
	}
	var folders []string
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") && e.Name() != "data" && e.Name() != "bin" {
			folders = append(folders, e.Name())
		}
	}
	if len(folders) > 11 {
		t.Errorf("there are %d folders, want at most 11: %v", len(folders), folders)
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(text), "\n"); n > commandLines && !strings.HasSuffix(file, "_test.go") {
			t.Errorf("%s has %d lines, want at most %d", file, n, commandLines)
		}
	}
}
