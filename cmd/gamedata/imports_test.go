package main

import (
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// mustNot lists packages of other modules that a package may not import.
var mustNot = map[string][]string{
	"resolvers": {"net/http"}, "loaders": {"net/http"}, "graph": {"net/http"},
	"rest/transform": {"net/http"},
	"internal/auth":  {"net/http"},
}

// The packages of core, and the packages below them, import nothing of outer: pages, demo world, tools and wiring reach
// data through the executor or the store.
var (
	core = []string{
		"graph", "resolvers", "loaders", "rest", "mongo", "internal/httpapi", "internal/graphqlhttp", "internal/auth",
		"internal/cache", "internal/jobs", "internal/events", "internal/feed", "internal/ratelimit", "internal/leaderboard",
		"internal/history",
	}
	outer = []string{
		"internal/web", "internal/demo", "internal/importer", "internal/dump", "internal/publicdump", "internal/conformance",
		"internal/doctor", "internal/app", "internal/config",
	}
)

func within(name string, list []string) bool {
	return slices.ContainsFunc(list, func(p string) bool { return name == p || strings.HasPrefix(name, p+"/") })
}

var wiring = []string{"cmd/gamedata", "internal/app", "internal/config", "internal/doctor"}

// mayImport lists the packages of this module that a package may import; a package that is missing may import none.
var mayImport = map[string]string{
	"graph":                "graph/model graph/viewer internal/cache",
	"graph/generated":      "graph/model",
	"internal/auth":        "graph graph/model graph/viewer internal/ratelimit mongo",
	"internal/auth/oauth":  "graph graph/model graph/viewer internal/auth internal/httpapi mongo",
	"internal/conformance": "rest",
	"internal/demo": "graph/model internal/demo/seed internal/demo/simulator internal/feed internal/history " +
		"internal/leaderboard mongo",
	"internal/demo/seed":         "graph/model internal/demo/content internal/demo/dice internal/feed mongo",
	"internal/demo/simulator":    "graph/model internal/demo/dice internal/demo/seed internal/feed mongo",
	"internal/dump":              "internal/cache internal/userfile mongo",
	"internal/events":            "graph/model mongo",
	"internal/events/eventshttp": "graph graph/model internal/events internal/events/stream internal/httpapi",
	"internal/events/stream":     "graph graph/model graph/viewer internal/events internal/httpapi",
	"internal/feed":              "graph/model mongo",
	"internal/feed/feedhttp":     "graph internal/feed internal/httpapi internal/ratelimit mongo",
	"internal/graphqlhttp": "graph graph/model graph/viewer internal/cache internal/events/stream " +
		"internal/httpapi internal/loadshed internal/ratelimit internal/tabular",
	"internal/history":             "graph/model mongo",
	"internal/httpapi":             "graph graph/viewer internal/cache internal/loadshed internal/ratelimit internal/tabular",
	"internal/httpapi/httpapitest": "internal/httpapi internal/ratelimit",
	"internal/importer":            "graph/model internal/feed mongo",
	"internal/jobs":                "graph/model internal/history internal/leaderboard mongo",
	"internal/leaderboard":         "graph/model",
	"internal/mcp":                 "docs graph graph/generated internal/buildinfo internal/httpapi rest rest/openapi",
	"internal/publicdump":          "graph graph/viewer internal/httpapi internal/web",
	"internal/ratelimit/redis":     "internal/ratelimit",
	"internal/release":             "internal/buildinfo",
	"internal/web":                 "graph graph/model internal/httpapi",
	"internal/web/account": "graph graph/model graph/viewer internal/auth internal/history " +
		"internal/httpapi internal/publicdump internal/ratelimit internal/web mongo",
	"internal/web/apidocs": "docs graph graph/generated graph/model graph/viewer internal/httpapi " +
		"internal/mcp internal/web rest rest/openapi rest/transform",
	"internal/web/card": "internal/web",
	"internal/web/site": "graph graph/model graph/viewer internal/httpapi internal/tabular internal/web " +
		"internal/web/card",
	"internal/webhook": "graph/model graph/viewer internal/auth internal/events mongo",
	"loaders":          "graph graph/model graph/viewer internal/cache internal/leaderboard mongo mongo/conn",
	"mongo":            "graph/model mongo/conn",
	"mongo/mongotest":  "graph/model mongo mongo/conn mongo/embedded",
	"resolvers": "graph graph/generated graph/model graph/viewer internal/auth internal/events " +
		"internal/history internal/leaderboard loaders mongo mongo/conn",
	"rest": "graph graph/model graph/viewer internal/cache internal/httpapi internal/ratelimit " +
		"internal/tabular rest/transform",
	"rest/openapi":   "graph graph/model internal/httpapi rest rest/transform",
	"rest/transform": "internal/tabular",
}

func TestImports(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-json=ImportPath,Imports", "gamedata/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for dec := json.NewDecoder(strings.NewReader(string(out))); dec.More(); {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := dec.Decode(&p); err != nil {
			t.Fatal(err)
		}
		name := strings.TrimPrefix(p.ImportPath, "gamedata/")
		for _, i := range p.Imports {
			ours, ok := strings.CutPrefix(i, "gamedata/")
			if within(name, core) && within(ours, outer) {
				t.Errorf("the core (%s) imports %s", name, ours)
			}
			if ok && !within(name, wiring) && !slices.Contains(strings.Fields(mayImport[name]), ours) {
				t.Errorf("%s imports %s", name, ours)
			}
			if slices.Contains(mustNot[name], i) {
				t.Errorf("%s imports %s", name, i)
			}
		}
	}
}
