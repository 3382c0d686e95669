package account

import (
	"strings"
	"testing"

	"gamedata/internal/app/apptest"
)

// A signed-in user sees the hidden values of their own player and its characters; other viewers do not.
func TestOwnPages(t *testing.T) {
	t.Parallel()
	p, dir := apptest.StartDemo(t)
	user := signedUp(t, p, "Owner of Veiled").link(dir, "Veiled")
	user.open("/players/Veiled").expect(200, "You are signed in", "<h2 id=\"stats\">Lifetime stats</h2>",
		"<dt>Mobs killed</dt>")
	if strings.Contains(user.text, "hidden by") || user.response.Header.Get("Cache-Control") != "max-age=10, private" {
		t.Errorf("%v %s", user.response.Header, user.text)
	}
	// By another spelling, which is not in the cache yet.
	guest := apptest.Get(t, p.Base+"/players/Veiled/card.png")
	user.open("/players/VEILED/card.png").expect(200, "PNG")
	if user.text != string(guest.Body) {
		t.Error("the picture for the owner differs from that for a guest")
	}
	if res := apptest.Get(t, p.Base+"/players/Veiled"); res.Has("Mobs killed") {
		t.Error("a guest sees the hidden statistics")
	}
	user.open(apptest.CastCharacter("Veiled")).expect(200,
		"Combat level", `<h2 id="dungeons">`, "Strength", `aria-label="Chosen abilities"`)
}
