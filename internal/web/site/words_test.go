package site

import (
	"slices"
	"testing"
)

func TestWords(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0", 999: "999", 1000: "1,000", -1234567: "−1,234,567",
		9007199254740993: "9,007,199,254,740,993",
	} {
		if got := num(n); got != want {
			t.Errorf("num(%d) is %q, want %q", n, got, want)
		}
	}
	for key, want := range map[string]string{
		"": "", "rawHealth": "Raw health", "VERY_LOW": "Very low",
		"guildSeason25": "Guild season 25", "ARCHER": "Archer", "ultimate_ironman": "Ultimate ironman",
	} {
		if got := label(key); got != want {
			t.Errorf("label(%q) is %q, want %q", key, got, want)
		}
	}
	for safe, want := range map[string][]string{
		"": nil,
		"<span class='font-ascii' style='color:#AAAAAA'>Feed it to your <span class='font-ascii'>Mount</span>, or <span class='font-profession'>\ue008</span> Scrolls</span>": {"Feed it to your Mount, or Scrolls"},
		"<span class='font-ascii'>one</span><br><br><span class='font-ascii'>two &lt;b&gt; &amp; three</span>":                                                                {"one", "two <b> & three"},
	} {
		if got := paragraphs(safe); !slices.Equal(got, want) {
			t.Errorf("paragraphs(%q) is %q, want %q", safe, got, want)
		}
	}
	for text, want := range map[string]string{"a": "'a'", "it's": `'it'\''s'`} {
		if got := quoted(text); got != want {
			t.Errorf("quoted(%q) is %s", text, got)
		}
	}
}

func TestMatch(t *testing.T) {
	for path, want := range map[string]string{
		"/": "/", "/players/a%20b": "/players/{username}", "/leaderboards": "/leaderboards",
		"/leaderboards/x": "/leaderboards/{type}", "/search": "/search",
		"": "", "//": "", "/players": "", "/players/": "", "/players/a/b": "", "/leaderboards/": "",
		"/guilds/%2F": "/guilds/{name}", "/guilds/%zz": "", "players/a": "",
	} {
		n, variables, ok := match(path)
		if got := rows[n].path; ok != (want != "") || ok && got != want {
			t.Errorf("%q is %q, want %q", path, got, want)
		}
		if path == "/players/a%20b" && variables["username"] != "a b" {
			t.Errorf("the variables are %v", variables)
		}
	}
}
