package api

import (
	"cmp"
	"net/http"
	"testing"

	"gamedata/internal/app/apptest"
	"gamedata/rest"
)

// documentedEndpoint is one line of the tables of docs/spec/SPEC.md, "Endpoints", copied by hand: nothing here is
// derived from the schema or from a golden.
type documentedEndpoint struct {
	method, path  string
	cacheControl  string // time and source of the column "Cache"
	bucket        string
	example, body string // a request that the demo world answers; the path itself if empty
	status        int    // 200 if zero
}

const (
	notCached = "max-age=0, private, no-store"
	salted    = "/player/Salted"
	character = "/characters/f0a9d3c4-51b2-4e67-9a88-7b6c5d4e3f21"
)

var documentedEndpoints = []documentedEndpoint{
	{"GET", "/player", "max-age=30, private", "PLAYER", "", "", 0},
	{"GET", "/player/whoami", notCached, "PLAYER", "", "", 0},
	{"GET", "/player/{username}", "max-age=120, private", "PLAYER", salted, "", 0},
	{"GET", "/player/{username}/characters", "max-age=120, private", "PLAYER", salted + "/characters", "", 0},
	{"GET", "/player/{username}/characters/{uuid}", "max-age=120, private", "PLAYER", salted + character, "", 0},
	{
		"GET", "/player/{username}/characters/{uuid}/abilities", "max-age=600, private", "PLAYER",
		salted + character + "/abilities", "", 0,
	},

	// Without a credential and a form: the shared service is only read.
	{"GET", "/oauth/me", notCached, "SHARED", "", "", 401},
	{"POST", "/oauth/token", notCached, "SHARED", "", "", 415},

	{"GET", "/guild/list/guild", "max-age=3600, public", "GUILD", "", "", 0},
	{"GET", "/guild/list/territory", "max-age=10, public", "GUILD", "", "", 0},
	{"GET", "/guild/seasons", "max-age=600, public", "GUILD", "", "", 0},
	{"GET", "/guild/prefix/{query}", "max-age=120, private", "GUILD", "/guild/prefix/LNRW", "", 0},
	{"GET", "/guild/uuid/{query}", "max-age=120, private", "GUILD", "/guild/uuid/b0000000-0000-4000-8000-000000000102", "", 0},
	{"GET", "/guild/{query}", "max-age=120, private", "GUILD", "/guild/Mossbound%20Company", "", 0},

	{"GET", "/item/database", "max-age=3600, public", "ITEMS", "", "", 0},
	{"POST", "/item/search", "max-age=3600, public", "ITEMS", "", "{}", 0},
	{"GET", "/item/search/{query}", "max-age=3600, public", "ITEMS", "/item/search/moss", "", 0},
	{"GET", "/item/recipe/database", "max-age=3600, public", "ITEMS", "", "", 0},
	{"POST", "/item/recipe/search", "max-age=3600, public", "ITEMS", "", "{}", 0},
	{"GET", "/item/metadata", "max-age=180, public", "ITEMS", "", "", 0},
	{"GET", "/item/sets", "max-age=120, public", "ITEMS", "", "", 0},

	{"GET", "/ability/tree/{tree}", "max-age=3600, public", "SHARED", "/ability/tree/archer", "", 0},
	{"GET", "/ability/map/{tree}", "max-age=3600, public", "SHARED", "/ability/map/archer", "", 0},
	{"GET", "/aspects/{tree}", "max-age=3600, public", "SHARED", "/aspects/mage", "", 0},
	{"GET", "/classes", "max-age=3600, public", "SHARED", "", "", 0},
	{"GET", "/classes/{class_name}", "max-age=3600, public", "SHARED", "/classes/warrior", "", 0},

	{"GET", "/map/locations/markers", "max-age=3600, public", "MAP", "", "", 0},
	{"GET", "/map/locations/player", "max-age=15, private", "MAP", "", "", 0},
	{"GET", "/map/world-events", "max-age=120, public", "MAP", "", "", 0},
	{"GET", "/map/camps", "max-age=60, public", "MAP", "", "", 0},
	{"GET", "/map/raids", "max-age=60, public", "MAP", "", "", 0},
	{"GET", "/map/loot-pools", "max-age=120, public", "MAP", "", "", 0},
	{"GET", "/map/gathering-nodes", "max-age=3600, public", "MAP", "", "", 0},
	{"GET", "/map/quests", "max-age=3600, public", "MAP", "", "", 0},

	{"GET", "/search/{query}", "max-age=600, public", "SHARED", "/search/moss", "", 0},

	{"GET", "/leaderboards/types", "max-age=600, public", "LEADERBOARDS", "", "", 0},
	{"GET", "/leaderboards/{lb_type}", "max-age=600, private", "LEADERBOARDS", "/leaderboards/totalGlobalLevel", "", 0},

	{
		"GET", "/publisher/articles/fetch/{article_type}/{pk}", "max-age=120, public", "SHARED",
		"/publisher/articles/fetch/blog/44", "", 0,
	},
	{
		"GET", "/publisher/articles/list/{article_type}", "max-age=120, public", "SHARED",
		"/publisher/articles/list/article", "", 0,
	},
	{"GET", "/publisher/videos/list", "max-age=120, public", "SHARED", "", "", 0},
	{"GET", "/latest-news", "max-age=3600, public", "SHARED", "", "", 0},
}

// Every endpoint has the cache time, the source and the bucket of SPEC.md, and there are no others.
func TestEndpointsOfTheSpecification(t *testing.T) {
	t.Parallel()
	p := apptest.Shared(t)
	documented := map[string]bool{}
	for _, e := range documentedEndpoints {
		documented[e.method+" "+e.path] = true
		t.Run(e.method+" "+e.path, func(t *testing.T) {
			got := apptest.Request(t, e.method, p.Base+rest.Prefix+cmp.Or(e.example, e.path), e.body)
			got.Expect(t, e.path, cmp.Or(e.status, http.StatusOK), "Cache-Control", e.cacheControl, "RateLimit-Bucket", e.bucket)
			if len(got.Body) < 3 {
				t.Errorf("got an empty body: %s", got.Body)
			}
		})
	}
	if len(documentedEndpoints) != 41 {
		t.Errorf("got %d documented endpoints, want 41", len(documentedEndpoints))
	}
	for _, row := range rest.Rows {
		if !documented[row.Method+" "+row.Path] {
			t.Errorf("%s %s is not documented", row.Method, row.Path)
		}
	}
}
