package pages

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gamedata/internal/app/apptest"
)

var (
	location = regexp.MustCompile(`<loc>([^<]*)</loc>`)
	markup   = regexp.MustCompile(`(?s)<(?:pre|code)\b.*?</(?:pre|code)>|<[^>]*>`)
	// untrue is what no page says of a world that was recorded for three months, or of an empty one.
	untrue = regexp.MustCompile(`(?i)(?:of|in) the last year|page not found|\bNaN\b|\bnull\b|\bundefined\b|%!` +
		`|No (?:item|recipe|player|guild|territory) matches|(?:^|[^\d.,–/-])1 (?:players|guilds|members|worlds` +
		`|territories|entries|items|recipes|days|raids|levels|articles)\b`)
	gainsOfGuilds = "/leaderboards/gains?kind=GUILD"
)

// Pages of a world that was recorded for three months, and of an empty one, say nothing that is untrue of it.
func TestPagesSayWhatIsTrue(t *testing.T) {
	t.Parallel()
	for name, p := range map[string]*apptest.Program{
		"three months": apptest.Shared(t), "empty": apptest.Start(t, "--data-dir", t.TempDir(), "--guest-rate", "1000"),
	} {
		paths := []string{
			"/", "/players", "/players?show=all", "/guilds", "/items", "/recipes", "/leaderboards", "/leaderboards/gains",
			gainsOfGuilds, "/territories", "/map", "/classes", "/world-events", "/worlds", "/seasons", "/news",
			"/players/compare", "/items/compare",
		}
		sections := map[string]int{}
		sitemap := apptest.Request(t, "GET", p.Base+"/sitemap.xml", "")
		for _, found := range location.FindAllSubmatch(sitemap.Body, -1) {
			path := strings.TrimPrefix(string(found[1]), p.Base)
			section, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
			if sections[section]++; sections[section] <= 6 && section != "docs" && !slices.Contains(paths, path) {
				paths = append(paths, path)
			}
		}
		if name != "empty" {
			paths = append(paths, "/players/Salted", "/players/Hollowed", "/players/Veiled")
		}
		for _, path := range paths {
			res, page := openPage(t, p, "GET", path)
			_, main, _ := strings.Cut(page, "<main")
			text := markup.ReplaceAllString(main, " ")
			if found := untrue.FindString(text); found != "" {
				t.Errorf("%s: %s says %q", name, path, found)
			}
			if path == gainsOfGuilds && strings.Contains(text, "Players who hide") {
				t.Errorf("%s: a board of guilds mentions players who hide", name)
			}
			if res.Status != 200 {
				t.Errorf("%s: %s has the status %d", name, path, res.Status)
			}
		}
	}
}

// The page of a guild counts all its territories, however few it shows.
func TestGuildPageCountsTerritories(t *testing.T) {
	t.Parallel()
	p := apptest.Shared(t)
	board := apptest.Request(t, "GET", p.Base+"/v3/leaderboards/guildTerritories?resultLimit=1", "")
	var first map[string]struct {
		Name        string
		Territories int
	}
	if err := json.Unmarshal(board.Body, &first); err != nil || first["1"].Territories < 21 {
		t.Fatalf("got %s, %v", board.Body, err)
	}
	_, page := openPage(t, p, "GET", "/guilds/"+url.PathEscape(first["1"].Name))
	if want := fmt.Sprintf("All %d territories in a list", first["1"].Territories); !strings.Contains(page, want) {
		t.Errorf("%s: got no %q", first["1"].Name, want)
	}
}
