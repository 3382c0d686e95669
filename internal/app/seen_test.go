package app_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// The page that shows a player as others see him says what everybody really gets: it hides what a
// guest does not get and names the rule, and shows an application what its scopes lift.
func TestSeenAs(t *testing.T) {
	t.Parallel()
	p, dir := serveDemo(t, "--session-rate", "1000")
	v := newBrowser(t, p)
	v.signUp("Veiled one").has(200)
	for _, name := range []string{"Veiled", "Companion"} {
		code := linkCode(t, dir, name)
		v.open("/account").fill("/account/players/link", "code", code).has(200)
	}
	v.fill("/account/applications/create", "name", "Moss board", "private", "", "redirectUris", boardBack, "scopes",
		"main_access").has(200)
	app := v.value("created-id")
	q := url.Values{
		"response_type": {"code"}, "client_id": {app}, "redirect_uri": {boardBack}, "scope": {"main_access"},
		"code_challenge": {rfcChallenge}, "code_challenge_method": {"S256"},
	}
	v.open("/oauth/authorize?"+q.Encode()).fill("/oauth/authorize", "decision", "allow").has(302)
	back, err := url.Parse(v.answer.Header.Get("Location"))
	if err != nil {
		t.Fatal(err)
	}
	exchange(t, p, url.Values{
		"grant_type": {"authorization_code"}, "redirect_uri": {boardBack}, "client_id": {app},
		"code": {back.Query().Get("code")}, "code_verifier": {rfcVerifier},
	})

	see := func(player, as string) *person {
		return v.open("/account/preview?as=" + as + "&player=" + castUUID(player))
	}
	const stats = `<dt>globalData</dt><dd><em>hidden by <code>main_access</code>`
	see("Veiled", "guest").has(200, "Veiled as seen by everybody", "The privacy setting <code>main_access</code> hides",
		"<code>globalData</code>", "the scope <code>main_access</code>",
		"<code>online_status</code>", "<code>character_list_access</code>", stats, `<dt>username</dt><dd>Veiled`,
		"the application Moss board")
	if see("Veiled", app).has(200, "as seen by the application Moss board",
		"<code>online_status</code>"); strings.Contains(v.text, stats) || strings.Contains(v.text,
		"The privacy setting <code>main_access</code>") {
		t.Error("the scope lifts nothing")
	}
	see("Companion", "guest").has(200, stats, "the friend Salted")
	if see("Companion", "friend").has(200, "as seen by the friend Salted", "Nothing."); strings.Contains(v.text, stats) {
		t.Error("a friend sees no more than a guest")
	}
	w := newBrowser(t, p)
	w.signUp("Salted").has(200)
	code := linkCode(t, dir, "Salted")
	w.fill("/account/players/link", "code", code).has(200)
	if w.open("/account/preview?as=guest&player="+castUUID("Salted")).has(200, "Nothing.",
		"<dt>skillPoints</dt>"); strings.Contains(w.text, "hidden by") {
		t.Error("something of an open player is hidden")
	}
	// The field of GraphQL says the same.
	const rules = `query($player: UUID!, $who: Onlooker!, $app: String) { viewer { restrictionsFor(player: $player, onlooker: $who, clientId: $app) { mainAccess onlineStatus } } }`
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
		if a := v.change(rules, map[string]any{
			"player": castUUID(c.player), "who": c.who,
			"app": c.app,
		}); !strings.Contains(string(a.body), c.want) {
			t.Errorf("%s as seen by %s: %s, want %s", c.player, c.who, a.body, c.want)
		}
	}
	// Another's player, nobody, and who is not signed in.
	for _, path := range []string{"?as=guest&player=" + castUUID("Shuttered"), "?as=guest", "?as=owner&player=" +
		castUUID("Veiled"), "?as=" + app + "x&player=" + castUUID("Veiled"), ""} {
		v.open("/account/preview" + path).has(404)
	}
	v.send(http.MethodPost, "/account/preview", nil)
	v.has(405)
	v.open("/account").fill("/account/grants/revoke").has(200)
	see("Veiled", app).has(404)
	newBrowser(t, p).open("/account/preview?as=guest&player="+castUUID("Veiled")).has(200, "Sign in")
}
