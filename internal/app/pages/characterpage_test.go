package pages

import (
	"strings"
	"testing"

	"gamedata/internal/app/apptest"
)

// The page of a character shows what its player shares with the viewer, and names the rule that hides the rest.
func TestCharacterPage(t *testing.T) {
	t.Parallel()
	p := apptest.Shared(t)
	salted := apptest.CastCharacter("Salted")
	_, own, _ := strings.Cut(salted, "/characters/")
	const dungeons, points, chosen = `<h2 id="dungeons">`, "Strength", `aria-label="Chosen abilities"`
	const dataHidden, buildHidden = "Privacy setting character_data_access", "Privacy setting character_build_access"
	for _, c := range []struct {
		path            string
		status          int
		want, forbidden []string
	}{
		{"/players/salted/characters/" + own, 200, []string{
			"Assassin</span> “<bdi>Dusk</bdi>”", "Combat level", "Woodcutting <small>", dungeons, "Nest of the Grootslangs", points,
			" completed, ", " open</small>", chosen, `class="chosen"`, `href="/classes/assassin#ability-`,
			`<link rel="canonical" href="` + p.Base + salted + `">`,
		}, []string{"hidden by the player"}},
		{apptest.CastCharacter("Sealed"), 200, []string{"Combat level", dataHidden, chosen}, []string{dungeons, points}},
		{apptest.CastCharacter("Loomkeeper"), 200, []string{dungeons, buildHidden}, []string{chosen, points}},
		{apptest.CastCharacter("Listless"), 200, []string{dungeons, points, chosen}, nil},
		{apptest.CastCharacter("Veiled"), 200, []string{
			"<h1>Character of <bdi>Veiled</bdi></h1>", "Privacy setting character_list_access", dataHidden, "noindex",
		}, []string{"Combat level", dungeons, chosen}},
		// The same for a uuid of no character: whether there is one is hidden.
		{"/players/Veiled/characters/" + own, 200, []string{"<h1>Character of <bdi>Veiled</bdi></h1>", dataHidden}, nil},
		{"/players/Okapi/characters/" + own, 404, []string{
			"<h1>Character not found</h1>", "Okapi has no character with this UUID.", "All about Okapi",
		}, nil},
		{"/players/Salted/characters/x", 404, []string{"<h1>Page not found</h1>"}, nil},
		{"/players/unknown/characters/" + own, 404, []string{"a name like “unknown”"}, nil},
		{"/players/Twinleaf/characters/" + own, 300, []string{"<h1>Which Twinleaf?</h1>"}, nil},
		{"/players/Salted", 200, []string{`<details class="character">`, `href="` + salted + `"`}, nil},
		{"/players/Sealed", 200, []string{`href="` + apptest.CastCharacter("Sealed") + `"`, dataHidden}, nil},
		{"/leaderboards/combatSoloLevel", 200, []string{`/characters/`}, nil},
	} {
		res, text := openPage(t, p, "GET", c.path)
		if res.Status != c.status {
			t.Errorf("%s: got %d, want %d", c.path, res.Status, c.status)
		}
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: got no %q", c.path, want)
			}
		}
		for _, forbidden := range append(c.forbidden, "ZgotmplZ", "&lt;nil&gt;", " style=") {
			if strings.Contains(text, forbidden) {
				t.Errorf("%s contains %q", c.path, forbidden)
			}
		}
	}
}
