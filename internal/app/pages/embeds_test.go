package pages

import (
	"encoding/xml"
	"errors"
	"net/url"
	"strings"
	"testing"

	"gamedata/graph/model"
	"gamedata/internal/app"
	"gamedata/internal/app/apptest"
)

const svgPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

// Other sites show a page as a badge or in a frame, without scripts; what the player hides is in neither. When there is
// no such page, they say so.
func TestBadgesAndEmbeds(t *testing.T) {
	t.Parallel()
	p := apptest.Shared(t)
	for path, want := range map[string]string{
		"/players/Salted":              "total level ",
		"/guilds/Mossbound%20Company":  "level ",
		"/leaderboards/warsCompletion": "1. ",
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
		if strings.HasPrefix(path, "/guilds/") && !res.Has(" online</span>") || strings.HasSuffix(path, "Salted") &&
			(!res.Has("<strong class=\"online\">online</strong> on EU37") || !res.Has(" this week</small>")) {
			t.Errorf("%s does not have the tiles of its page: %s", path, res.Body)
		}
	}
	if res := apptest.Request(t, "GET", p.Base+"/players/Salted", ""); res.Header.Get("X-Frame-Options") != "DENY" {
		t.Errorf("a page can be framed: %v", res.Header)
	}
	limited := apptest.Start(t, "--data-dir", apptest.DemoDir(t), "--demo-speed", "0", "--guest-rate", "1")
	apptest.Request(t, "GET", limited.Base+"/players/Okapi", "").Expect(t, "the quota of a guest", 200)
	for address, want := range map[string]struct {
		status int
		text   string
	}{
		p.Base + "/players/Nobody-at-all": {404, "Player not found"}, limited.Base + "/players/Salted": {429, "One moment"},
	} {
		for form, kind := range map[string]string{
			"/badge.svg": "image/svg+xml", "/embed": "text/html; charset=utf-8", "/card.png": "image/png",
		} {
			if form == "/card.png" && want.status == 429 {
				continue // it costs more than the whole quota
			}
			res := apptest.Request(t, "GET", address+form, "")
			if res.Status != want.status || res.Header.Get("Content-Type") != kind || form != "/card.png" && !res.Has(want.text) {
				t.Errorf("%s%s: got %d, %v, %s", address, form, res.Status, res.Header, res.Body)
			}
		}
	}
	apptest.Request(t, "POST", p.Base+"/players/Salted/embed", "").Expect(t, "POST", 405)
}

// A stored name with characters that XML forbids, or that change the direction of text, spoils no picture, document or
// page. Every site may show the pictures.
func TestHostileNames(t *testing.T) {
	t.Parallel()
	p, dir := apptest.StartDemo(t)
	const name = "X\uFFFE<&\u202EY"
	db, err := app.JoinStore(t.Context(), apptest.StoreIn(dir))
	if err != nil {
		t.Fatal(err)
	}
	guilds, err := db.Guilds.ByID(t.Context(), []string{"5e0f9a7b-2c3d-4e1f-8a6b-9c0d1e2f3a4b"})
	if err != nil {
		t.Fatal(err)
	}
	guilds[0].Name = name
	if err := errors.Join(db.Guilds.Put(t.Context(), []*model.Guild{guilds[0]}), db.Close()); err != nil {
		t.Fatal(err)
	}
	guild := "/guilds/" + url.PathEscape(name)
	for path, pictured := range map[string]bool{
		guild + "/badge.svg": true, guild + "?format=svg": true, "/icon.svg": true, "/leaderboards/gains?format=svg": true,
		"/sitemap.xml": false, "/news.atom": false, "/opensearch.xml": false,
	} {
		res := apptest.Request(t, "GET", p.Base+path, "")
		res.Expect(t, path, 200)
		if err := xml.Unmarshal(res.Body, new(struct{})); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		if pictured && (res.Header.Get("Cross-Origin-Resource-Policy") != "cross-origin" ||
			res.Header.Get("Access-Control-Allow-Origin") != "*") {
			t.Errorf("%s: got %v", path, res.Header)
		}
	}
	card := apptest.Request(t, "GET", p.Base+guild+"/card.png", "")
	card.Expect(t, "the card", 200, "Cross-Origin-Resource-Policy", "cross-origin", "Access-Control-Allow-Origin", "*")
	page := apptest.Request(t, "GET", p.Base+guild, "")
	if !page.Has("<h1><bdi>X\uFFFD&lt;&amp;\u202EY</bdi>") {
		t.Errorf("the name is not isolated:\n%s", page.Body)
	}
}
