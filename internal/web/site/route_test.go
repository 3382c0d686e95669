package site

import "testing"

func TestMatch(t *testing.T) {
	for path, want := range map[string]string{
		"/": "/", "/players/a%20b": "/players/{username}", "/leaderboards": "/leaderboards",
		"/leaderboards/x": "/leaderboards/{type}", "/search": "/search",
		"": "", "//": "", "/players": "", "/players/": "", "/players/a/b": "", "/leaderboards/": "",
		"/guilds/%2F": "/guilds/{name}", "/guilds/%zz": "", "players/a": "",
	} {
		n, variables, ok := match(path)
		if got := routes[n].path; ok != (want != "") || ok && got != want {
			t.Errorf("match(%q): got %q, want %q", path, got, want)
		}
		if path == "/players/a%20b" && variables["username"] != "a b" {
			t.Errorf("match(%q): got variables %v", path, variables)
		}
	}
}
