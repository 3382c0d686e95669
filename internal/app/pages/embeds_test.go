package pages

import (
	"encoding/xml"
	"strings"
	"testing"

	"gamedata/internal/app/apptest"
)

const svgPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

// Other sites show a page as a badge or in a frame, without scripts; what the player hides is in neither.
func TestBadgesAndEmbeds(t *testing.T) {
	t.Parallel()
	p := apptest.Shared(t)
	for path, want := range map[string]string{
		"/players/Salted":              "total level ",
		"/guilds/Mossbound%20Company":  "level ",
		"/leaderboards/warsCompletion": "first, ",
		"/players/Veiled":              "Veiled",
	} {
		res := apptest.Request(t, "GET", p.Base+path+"/badge.svg", "")
		res.Expect(t, path, 200)
		if err := xml.Unmarshal(res.Body, new(struct{})); err != nil || !strings.Contains(string(res.Body), want) ||
			res.Header.Get("Content-Type") != "image/svg+xml" || res.Header.Get("Content-Security-Policy") != svgPolicy {
			t.Errorf("%s: got %v, %s", path, err, res.Body)
		}
		if strings.Contains(path, "Veiled") == strings.Contains(string(res.Body), "level") &&
			!strings.Contains(path, "board") {
			t.Errorf("%s: got %s", path, res.Body)
		}
		res = apptest.Request(t, "GET", p.Base+path+"/embed", "")
		res.Expect(t, path, 200)
		policy := res.Header.Get("Content-Security-Policy")
		if strings.Contains(string(res.Body), "<script") || res.Header.Get("X-Frame-Options") != "" ||
			!strings.HasSuffix(policy, "frame-ancestors *") || strings.Contains(policy, "script-src") {
			t.Errorf("%s: got %v\n%s", path, res.Header, res.Body)
		}
	}
	if res := apptest.Request(t, "GET", p.Base+"/players/Salted", ""); res.Header.Get("X-Frame-Options") != "DENY" {
		t.Errorf("a page can be framed: %v", res.Header)
	}
	apptest.Request(t, "GET", p.Base+"/players/nobody-at-all/badge.svg", "").Expect(t, "nobody", 404)
	apptest.Request(t, "POST", p.Base+"/players/Salted/embed", "").Expect(t, "POST", 405)
}
