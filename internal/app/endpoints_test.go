package app_test

import (
	"net/http"
	"strings"
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
	{method: "GET", path: "/player", cacheControl: "max-age=30, private", bucket: "PLAYER"},
	{method: "GET", path: "/player/whoami", cacheControl: notCached, bucket: "PLAYER"},
	{
		method: "GET", path: "/player/{username}", cacheControl: "max-age=120, private", bucket: "PLAYER",
		example: salted,
	},
	{
		method: "GET", path: "/player/{username}/characters", cacheControl: "max-age=120, private", bucket: "PLAYER",
		example: salted + "/characters",
	},
	{
		method: "GET", path: "/player/{username}/characters/{uuid}", cacheControl: "max-age=120, private",
		bucket: "PLAYER", example: salted + character,
	},
	{
		method: "GET", path: "/player/{username}/characters/{uuid}/abilities", cacheControl: "max-age=600, private",
		bucket: "PLAYER", example: salted + character + "/abilities",
	},

	// Without a credential and a form: the shared service is only read.
	{method: "GET", path: "/oauth/me", cacheControl: notCached, bucket: "SHARED", status: 401},
	{method: "POST", path: "/oauth/token", cacheControl: notCached, bucket: "SHARED", status: 415},

	{method: "GET", path: "/guild/list/guild", cacheControl: "max-age=3600, public", bucket: "GUILD"},
	{method: "GET", path: "/guild/list/territory", cacheControl: "max-age=10, public", bucket: "GUILD"},
	{method: "GET", path: "/guild/seasons", cacheControl: "max-age=600, public", bucket: "GUILD"},
	{
		method: "GET", path: "/guild/prefix/{query}", cacheControl: "max-age=120, private", bucket: "GUILD",
		example: "/guild/prefix/LNRW",
	},
	{
		method: "GET", path: "/guild/uuid/{query}", cacheControl: "max-age=120, private", bucket: "GUILD",
		example: "/guild/uuid/b0000000-0000-4000-8000-000000000102",
	},
	{
		method: "GET", path: "/guild/{query}", cacheControl: "max-age=120, private", bucket: "GUILD",
		example: "/guild/Mossbound%20Company",
	},

	{method: "GET", path: "/item/database", cacheControl: "max-age=3600, public", bucket: "ITEMS"},
	{method: "POST", path: "/item/search", cacheControl: "max-age=3600, public", bucket: "ITEMS", body: "{}"},
	{
		method: "GET", path: "/item/search/{query}", cacheControl: "max-age=3600, public", bucket: "ITEMS",
		example: "/item/search/moss",
	},
	{method: "GET", path: "/item/recipe/database", cacheControl: "max-age=3600, public", bucket: "ITEMS"},
	{method: "POST", path: "/item/recipe/search", cacheControl: "max-age=3600, public", bucket: "ITEMS", body: "{}"},
	{method: "GET", path: "/item/metadata", cacheControl: "max-age=180, public", bucket: "ITEMS"},
	{method: "GET", path: "/item/sets", cacheControl: "max-age=120, public", bucket: "ITEMS"},

	{
		method: "GET", path: "/ability/tree/{tree}", cacheControl: "max-age=3600, public", bucket: "SHARED",
		example: "/ability/tree/archer",
	},
	{
		method: "GET", path: "/ability/map/{tree}", cacheControl: "max-age=3600, public", bucket: "SHARED",
		example: "/ability/map/archer",
	},
	{
		method: "GET", path: "/aspects/{tree}", cacheControl: "max-age=3600, public", bucket: "SHARED",
		example: "/aspects/mage",
	},
	{method: "GET", path: "/classes", cacheControl: "max-age=3600, public", bucket: "SHARED"},
	{
		method: "GET", path: "/classes/{class_name}", cacheControl: "max-age=3600, public", bucket: "SHARED",
		example: "/classes/warrior",
	},

	{method: "GET", path: "/map/locations/markers", cacheControl: "max-age=3600, public", bucket: "MAP"},
	{method: "GET", path: "/map/locations/player", cacheControl: "max-age=15, private", bucket: "MAP"},
	{method: "GET", path: "/map/world-events", cacheControl: "max-age=120, public", bucket: "MAP"},
	{method: "GET", path: "/map/camps", cacheControl: "max-age=60, public", bucket: "MAP"},
	{method: "GET", path: "/map/raids", cacheControl: "max-age=60, public", bucket: "MAP"},
	{method: "GET", path: "/map/loot-pools", cacheControl: "max-age=120, public", bucket: "MAP"},
	{method: "GET", path: "/map/gathering-nodes", cacheControl: "max-age=3600, public", bucket: "MAP"},
	{method: "GET", path: "/map/quests", cacheControl: "max-age=3600, public", bucket: "MAP"},

	{
		method: "GET", path: "/search/{query}", cacheControl: "max-age=600, public", bucket: "SHARED",
		example: "/search/moss",
	},

	{method: "GET", path: "/leaderboards/types", cacheControl: "max-age=600, public", bucket: "LEADERBOARDS"},
	{
		method: "GET", path: "/leaderboards/{lb_type}", cacheControl: "max-age=600, private", bucket: "LEADERBOARDS",
		example: "/leaderboards/totalGlobalLevel",
	},

	{
		method: "GET", path: "/publisher/articles/fetch/{article_type}/{pk}", cacheControl: "max-age=120, public",
		bucket: "SHARED", example: "/publisher/articles/fetch/blog/44",
	},
	{
		method: "GET", path: "/publisher/articles/list/{article_type}", cacheControl: "max-age=120, public",
		bucket: "SHARED", example: "/publisher/articles/list/article",
	},
	{method: "GET", path: "/publisher/videos/list", cacheControl: "max-age=120, public", bucket: "SHARED"},
	{method: "GET", path: "/latest-news", cacheControl: "max-age=3600, public", bucket: "SHARED"},
}

// Every endpoint has the cache time, the source and the bucket of SPEC.md, and there are no others.
func TestEndpointsOfTheSpecification(t *testing.T) {
	t.Parallel()
	p := apptest.Shared(t)
	documented := map[string]bool{}
	for _, e := range documentedEndpoints {
		documented[e.method+" "+e.path] = true
		t.Run(e.method+" "+e.path, func(t *testing.T) {
			path, status := e.path, http.StatusOK
			if e.example != "" {
				path = e.example
			}
			if e.status != 0 {
				status = e.status
			}
			r, err := http.NewRequestWithContext(t.Context(), e.method, p.Base+rest.Prefix+path, strings.NewReader(e.body))
			if err != nil {
				t.Fatal(err)
			}
			got := apptest.Do(t, r, []byte(e.body))
			if got.Status != status {
				t.Errorf("got status %d, want %d: %.200s", got.Status, status, got.Body)
			}
			if c := got.Header.Get("Cache-Control"); c != e.cacheControl {
				t.Errorf("got Cache-Control %q, want %q", c, e.cacheControl)
			}
			if b := got.Header.Get("RateLimit-Bucket"); b != e.bucket {
				t.Errorf("got bucket %q, want %q", b, e.bucket)
			}
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
