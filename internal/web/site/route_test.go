package site

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/gorilla/mux"
)

func TestRoutes(t *testing.T) {
	router := mux.NewRouter().UseEncodedPath().SkipClean(true)
	for _, r := range routes {
		router.Handle(r.path, http.NotFoundHandler()).Name(r.path)
	}
	for path, want := range map[string]string{
		"/": "/", "/players/a%20b": "/players/{username}", "/leaderboards": "/leaderboards",
		"/leaderboards/x": "/leaderboards/{type}", "/search": "/search",
		"//": "", "/players": "/players", "/players/": "", "/players/a/b": "", "/leaderboards/": "",
		"/guilds/%2F": "/guilds/{name}", "/guilds/%ff": "/guilds/{name}",
	} {
		u, err := url.ParseRequestURI(path)
		if err != nil {
			t.Fatal(err)
		}
		var m mux.RouteMatch
		got := ""
		if router.Match(&http.Request{Method: http.MethodGet, URL: u}, &m) {
			got = m.Route.GetName()
		}
		if got != want {
			t.Errorf("%q: got route %q, want %q", path, got, want)
		}
		switch variables := pathVariables(m.Vars); {
		case path == "/players/a%20b" && variables["username"] != "a b",
			path == "/guilds/%2F" && variables["name"] != "/",
			path == "/guilds/%ff" && variables["name"] != "\uFFFD":
			t.Errorf("%q: got variables %v", path, variables)
		}
	}
}
