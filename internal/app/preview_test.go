package app_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// The preview shows a player as other viewers get it: it names the privacy setting of each hidden value, and shows what
// an application's scopes allow.
func TestPreviewAsViewer(t *testing.T) {
	t.Parallel()
	p, dir := serveDemo(t, "--session-rate", "1000")
	user := newWebUser(t, p)
	user.signUp("Veiled one").expect(200)
	for _, name := range []string{"Veiled", "Companion"} {
		code := linkCode(t, dir, name)
		user.open("/account").submit("/account/players/link", "code", code).expect(200)
	}
	user.submit("/account/applications/create", "name", "Moss board", "private", "", "redirectUris", redirectURI, "scopes",
		"MAIN_ACCESS").expect(200)
	app := user.fieldValue("created-id")
	q := url.Values{
		"response_type": {"code"}, "client_id": {app}, "redirect_uri": {redirectURI}, "scope": {"main_access"},
		"code_challenge": {rfcChallenge}, "code_challenge_method": {"S256"},
	}
	user.open("/oauth/authorize?"+q.Encode()).submit("/oauth/authorize", "decision", "allow").expect(302)
	back, err := url.Parse(user.response.Header.Get("Location"))
	if err != nil {
		t.Fatal(err)
	}
	exchange(t, p, url.Values{
		"grant_type": {"authorization_code"}, "redirect_uri": {redirectURI}, "client_id": {app},
		"code": {back.Query().Get("code")}, "code_verifier": {rfcVerifier},
	})

	see := func(player, as string) *webUser {
		return user.open("/account/preview?as=" + as + "&player=" + castUUID(player))
	}
	const stats = `<dt>globalData</dt><dd><em>hidden by <code>main_access</code>`
	see("Veiled", "guest").expect(200, "Veiled as seen by everybody", "The privacy setting <code>main_access</code> hides",
		"<code>globalData</code>", "the scope <code>main_access</code>",
		"<code>online_status</code>", "<code>character_list_access</code>", stats, `<dt>username</dt><dd>Veiled`,
		"the application Moss board", `<dt>location</dt><dd><em>hidden by <code>online_status</code>`)
	if see("Veiled", app).expect(200, "as seen by the application Moss board",
		"<code>online_status</code>"); strings.Contains(user.text, stats) || strings.Contains(user.text,
		"The privacy setting <code>main_access</code>") {
		t.Error("the scope does not show the statistics")
	}
	see("Companion", "guest").expect(200, stats, "the friend Salted")
	see("Companion", "friend").expect(200, "as seen by the friend Salted", "Nothing.")
	if strings.Contains(user.text, stats) {
		t.Error("a friend sees no more than a guest")
	}
	other := newWebUser(t, p)
	other.signUp("Salted").expect(200)
	code := linkCode(t, dir, "Salted")
	other.submit("/account/players/link", "code", code).expect(200)
	if other.open("/account/preview?as=guest&player="+castUUID("Salted")).expect(200, "Nothing.",
		"<dt>skillPoints</dt>"); strings.Contains(other.text, "hidden by") {
		t.Error("the preview of a player without privacy settings hides a value")
	}
	// Only friends, party and guild on the same world, and applications with the scope, see where a player is.
	other.expect(200, "<dt>location</dt><dd>–</dd>")
	if other.open("/account/preview?as=friend&player=" + castUUID("Salted")); !regexp.MustCompile(
		`<dt>location</dt><dd>-?[\d.]+, -?[\d.]+, -?[\d.]+</dd>`).MatchString(
		strings.Join(strings.Fields(other.text), " ")) {
		t.Errorf("the preview hides from a friend on the same world where Salted is: %s", other.text)
	}
	// The GraphQL field shows the same.
	const rules = `query($player: UUID!, $who: Onlooker!, $app: String) {
		viewer { restrictionsFor(player: $player, onlooker: $who, clientId: $app) { mainAccess onlineStatus } }
	}`
	for _, c := range []struct {
		player, who, app string
		want             string
	}{
		{"Veiled", "GUEST", "", `{"mainAccess":true,"onlineStatus":true}`},
		{
			"Veiled", "FRIEND", "",
			`{"mainAccess":true,"onlineStatus":true}`,
		},
		{"Companion", "GUEST", "", `{"mainAccess":true,"onlineStatus":true}`},
		{
			"Companion", "FRIEND", "",
			`{"mainAccess":false,"onlineStatus":false}`,
		},
		{"Companion", "GUILD_MEMBER", "", `{"mainAccess":true,"onlineStatus":true}`},
		{
			"Veiled", "APPLICATION", app,
			`{"mainAccess":false,"onlineStatus":true}`,
		},
		{"Veiled", "APPLICATION", "", `"NOT_FOUND"`},
		{"Shuttered", "GUEST", "", `"NOT_FOUND"`},
	} {
		if res := user.mutate(rules, map[string]any{
			"player": castUUID(c.player), "who": c.who,
			"app": c.app,
		}); !strings.Contains(string(res.body), c.want) {
			t.Errorf("%s as seen by %s: got %s, want %s", c.player, c.who, res.body, c.want)
		}
	}
	// Another user's player, unknown viewers and players, and a guest.
	for _, path := range []string{"?as=guest&player=" + castUUID("Shuttered"), "?as=guest", "?as=owner&player=" +
		castUUID("Veiled"), "?as=" + app + "x&player=" + castUUID("Veiled"), ""} {
		user.open("/account/preview" + path).expect(404)
	}
	user.send(http.MethodPost, "/account/preview", nil)
	user.expect(405)
	user.open("/account").submit("/account/grants/revoke").expect(200)
	see("Veiled", app).expect(404)
	newWebUser(t, p).open("/account/preview?as=guest&player="+castUUID("Veiled")).expect(200, "Sign in")
}
