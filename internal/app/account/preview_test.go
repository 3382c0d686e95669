package account

import (
	"regexp"
	"strings"
	"testing"

	"gamedata/internal/app/apptest"
)

// The preview shows a player as other viewers get it: it names the privacy setting of each hidden value, and shows what
// an application's scopes allow.
func TestPreviewAsViewer(t *testing.T) {
	t.Parallel()
	p, dir := apptest.StartDemo(t, "--session-rate", "1000")
	user := signedUp(t, p, "Veiled one").link(dir, "Veiled").link(dir, "Companion")
	app := user.register("scopes", "MAIN_ACCESS")
	user.allow(p, app, "main_access")

	see := func(player, as string) *webUser {
		return user.open("/account/players/rules?as=" + as + "&player=" + apptest.CastUUID(player))
	}
	const stats = `<dt>Statistics</dt><dd><em class="hidden">hidden by Statistics and playtime`
	see("Veiled", "guest").expect(200, "<bdi>Veiled</bdi> as seen by <bdi>everyone</bdi>", "<strong>Statistics and playtime</strong> hides",
		"Applications see it if you allow it", "<strong>Online status and location</strong>",
		"<strong>List of characters</strong>", stats, `<dt>Username</dt><dd>Veiled`,
		`<option value="private" selected>only me`,
		"the application Moss board", `<dt>Location</dt><dd><em class="hidden">hidden by Online status and location`)
	if see("Veiled", app).expect(200, "as seen by <bdi>the application Moss board</bdi>",
		"<strong>Online status and location</strong>"); strings.Contains(user.text, stats) || strings.Contains(user.text,
		"<strong>Statistics and playtime</strong>") {
		t.Error("the scope does not show the statistics")
	}
	see("Companion", "guest").expect(200, stats)
	see("Companion", "friend").expect(200, "as seen by <bdi>a friend</bdi>", "Nothing.")
	if strings.Contains(user.text, stats) {
		t.Error("a friend sees no more than a guest")
	}
	other := signedUp(t, p, "Salted").link(dir, "Salted")
	salted := "/account/players/rules?player=" + apptest.CastUUID("Salted")
	if other.open(salted+"&as=guest").expect(200, "Nothing.", "<dt>Skill points</dt>", "<dt>Online</dt><dd>yes</dd>",
		"<dt>Location</dt><dd>only for friends, party and guild members"); strings.Contains(other.text, "hidden by") {
		t.Error("the preview of a player without privacy settings hides a value")
	}
	// Settings that are not saved change the preview and nothing else, each for whom it is about.
	for _, c := range []struct {
		value, as string
		hidden    bool
	}{
		{"friend", "friend", false},
		{"friend", "guild", true},
		{"guildandfriends", "friend", false},
		{"private", "guest", true},
	} {
		other.open(salted).submit("/account/players/rules", "do", "preview", "main_access", c.value, "as", c.as).expect(200)
		if strings.Contains(other.text, stats) != c.hidden {
			t.Errorf("%s as seen by %s: hidden is not %v", c.value, c.as, c.hidden)
		}
	}
	other.open(salted + "&as=guest")
	if strings.Contains(other.text, "hidden by") {
		t.Error("the preview of settings that were not saved changed them")
	}
	// Only friends, party and guild on the same world, and applications with the scope, see where a player is.
	if other.open(salted + "&as=friend"); !regexp.MustCompile(
		`<dt>Location</dt><dd>-?\d+, -?\d+, -?\d+, while on the same world</dd>`).MatchString(
		strings.Join(strings.Fields(other.text), " ")) {
		t.Errorf("the preview hides from a friend on the same world where Salted is: %s", other.text)
	}
	// The GraphQL field shows the same.
	const rules = `query($player: UUID!, $who: Onlooker!, $app: String) {
		viewer { restrictionsFor(player: $player, onlooker: $who, clientId: $app) { key restricted } }
	}`
	for _, c := range []struct{ player, who, app, want, also string }{
		{"Veiled", "GUEST", "", `{"key":"MAIN_ACCESS","restricted":true}`, `{"key":"ONLINE_STATUS","restricted":true}`},
		{"Companion", "FRIEND", "", `{"key":"MAIN_ACCESS","restricted":false}`, `{"key":"ONLINE_STATUS","restricted":false}`},
		{"Companion", "GUILD_MEMBER", "", `{"key":"MAIN_ACCESS","restricted":true}`, `{"key":"ONLINE_STATUS","restricted":true}`},
		{"Veiled", "APPLICATION", app, `{"key":"MAIN_ACCESS","restricted":false}`, `{"key":"ONLINE_STATUS","restricted":true}`},
		{"Veiled", "APPLICATION", "", `"NOT_FOUND"`, ``},
		{"Shuttered", "GUEST", "", `"NOT_FOUND"`, ``},
	} {
		variables := map[string]any{"player": apptest.CastUUID(c.player), "who": c.who, "app": c.app}
		if res := user.mutate(rules, variables); !res.Has(c.want) || !res.Has(c.also) {
			t.Errorf("%s as seen by %s: got %s, want %s %s", c.player, c.who, res.Body, c.want, c.also)
		}
	}
	// Another user's player, unknown players, and a guest.
	for _, query := range []string{"?as=guest&player=" + apptest.CastUUID("Shuttered"), "?as=guest", ""} {
		user.open("/account/players/rules"+query).expect(404, "not linked")
	}
	user.open("/account/access").confirm("/account/access/revoke").expect(200)
	see("Veiled", app).expect(200, "<bdi>Veiled</bdi> as seen by <bdi>everyone</bdi>", stats)
	guest := newWebUser(t, p)
	guest.open("/account/players/rules?as=guest&player="+apptest.CastUUID("Veiled")).expect(200, "Sign in")
}
