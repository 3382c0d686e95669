package web

import (
	"slices"
	"testing"
)

func TestTemplateFuncs(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0", 999: "999", 1000: "1,000", -1234567: "−1,234,567",
		9007199254740993: "9,007,199,254,740,993",
	} {
		if got := Number(n); got != want {
			t.Errorf("Number(%d): got %q, want %q", n, got, want)
		}
	}
	for key, want := range map[string]string{
		"": "", "rawHealth": "Raw health", "VERY_LOW": "Very low",
		"guildSeason25": "Guild season 25", "ARCHER": "Archer", "ultimate_ironman": "Ultimate ironman",
		"XP": "XP", "gatherXpBonus": "Gather XP bonus", "explosion": "Explosion",
	} {
		if got := Label(key); got != want {
			t.Errorf("Label(%q): got %q, want %q", key, got, want)
		}
	}
	for markup, want := range map[string][]string{
		"": nil,
		"<span class='font-ascii' style='color:#AAAAAA'>Feed it to your <span class='font-ascii'>Mount</span>, or " +
			"<span class='font-profession'>\ue008</span> Scrolls</span>": {"Feed it to your Mount, or Scrolls"},
		"<span class='font-ascii'>one</span><br><br><span class='font-ascii'>two &lt;b&gt; &amp; three</span>": {
			"one", "two <b> & three",
		},
	} {
		if got := Paragraphs(markup); !slices.Equal(got, want) {
			t.Errorf("Paragraphs(%q): got %q, want %q", markup, got, want)
		}
	}
}
