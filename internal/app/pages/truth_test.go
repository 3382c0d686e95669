package pages

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"gamedata/internal/app/apptest"
)

var (
	markup = regexp.MustCompile(`(?s)<(?:pre|code)\b.*?</(?:pre|code)>|<[^>]*>`)
	// untrue is what no page says of a world that was recorded for three months, or of an empty one.
	untrue = regexp.MustCompile(`(?i)(?:of|in) the last year|page not found|\bNaN\b|\bnull\b|\bundefined\b|%!` +
		`|No (?:item|recipe|player|guild|territory) matches|(?:^|[^\d.,–/-])1 (?:players|guilds|members|worlds` +
		`|territories|entries|items|recipes|days|raids|levels|articles)\b`)
)

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
