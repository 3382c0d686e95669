package account

import (
	"bytes"
	"net/url"
	"strings"
	"testing"

	"gamedata/internal/app/apptest"
)

const setRulesMutation = `mutation($player: UUID!, $rules: [AccessRuleInput!]!) {
	updateAccessRules(input: {player: $player, rules: $rules}) {
		profile { uuid accessRules { key access } } userErrors { field message code }
	}
}`

func ruleValues(pairs ...string) []map[string]string {
	out := []map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, map[string]string{"rule": pairs[i], "value": pairs[i+1]})
	}
	return out
}

// A user sets the access rules of a linked player by form and by mutation, and a guest's next request obeys them: on
// the player's page, in the guild and in GraphQL, although all of them were cached.
func TestAccessRulesTakeEffectAtOnce(t *testing.T) {
	t.Parallel()
	p, dir := apptest.StartDemo(t, "--session-rate", "1000")
	user, salted := signedUp(t, p, "Salted").link(dir, "Salted"), apptest.CastUUID("Salted")
	user.expect(200, "Everything is public.")
	const page = "/account/players/rules?player="
	query := `/graphql?query=` + url.QueryEscape(`{player(by:{username:"Salted"}){totals{wars} online}}`)
	expectHidden := func(want bool) {
		t.Helper()
		for path, shown := range map[string]string{
			"/v3/player/" + salted:            `"globalData":{`,
			"/v3/leaderboards/warsCompletion": `"name":"Salted"`,
			query:                             `"totals":{"wars"`,
		} {
			if res := apptest.Get(t, p.Base+path); res.Has(shown) == want {
				t.Errorf("%s: hidden is not %v: %.300s", path, want, string(res.Body))
			}
		}
		guild := apptest.Get(t, p.Base+"/v3/guild/Mossbound%20Company")
		_, member, _ := strings.Cut(string(guild.Body), `"Salted":{`)
		if _, rules, _ := strings.Cut(member, `"main_access":`); strings.HasPrefix(rules, "true") != want {
			t.Errorf("guild: hidden is not %v: %.600s", want, member)
		}
	}
	expectHidden(false)
	user.open(page+salted).expect(200, "characters have settings of their own", "earlier files are deleted within 15 minutes",
		"what happened while it was closed")
	// Without scripts, a button shows what a change would do, which changes nothing.
	user.submit("/account/players/rules", "do", "preview", "main_access", "private", "as", "friend").expect(200,
		"not saved yet", "<bdi>Salted</bdi> as seen by <bdi>a friend</bdi>", `<option value="private" selected>only me`,
		"<strong>Statistics and playtime</strong> hides")
	user.submit("/account/players/rules", "do", "preview", "main_access", "friend", "as", "friend").expect(200,
		"not saved yet", "Nothing.")
	expectHidden(false)
	user.submit("/account/players/rules", "main_access", "private").expect(200,
		"Privacy settings saved.", `<option value="private" selected>only me`)
	expectHidden(true)
	user.open(page+salted+"&as=guest").expect(200, "<strong>Statistics and playtime</strong> hides",
		"Your characters still show your statistics")
	// A button closes the characters, too.
	characters := p.Base + "/v3/player/" + salted + "/characters"
	apptest.Get(t, characters).Expect(t, "characters", 200)
	user.open("/account/players").expect(200, "Your characters still show your statistics", "Hide characters too").
		submit("/account/players/rules").expect(200, "Privacy settings saved.")
	apptest.Get(t, characters).Expect(t, "characters after closing them", 403)
	user.open("/account/players")
	if strings.Contains(user.text, "Hide characters too") {
		t.Error("got the button although the characters are hidden")
	}

	const shared = `{"key":"ONLINE_STATUS","access":"GUILD_AND_FRIENDS"}`
	changed := user.mutate(setRulesMutation, map[string]any{
		"player": salted, "rules": ruleValues("MAIN_ACCESS", "PUBLIC", "ONLINE_STATUS", "GUILD_AND_FRIENDS"),
	})
	if user.expectData(changed); !changed.Has(`{"key":"MAIN_ACCESS","access":"PUBLIC"}`) || !changed.Has(shared) ||
		bytes.Count(changed.Body, []byte(`"access":`)) != 7 {
		t.Errorf("updateAccessRules returns %s", changed.Body)
	}
	expectHidden(false)
	if res := apptest.Get(t, p.Base+"/v3/player/"+salted); !res.Has(`"online":false`) {
		t.Errorf("a guest sees presence that friends share: %.300s", string(res.Body))
	}
	linked := user.mutate(`{ viewer { linkedProfiles { username accessRules { key access } } } }`, nil)
	if !linked.Has(shared) {
		t.Errorf("linkedProfiles: %s", linked.Body)
	}

	args := func(player string, rules ...string) map[string]any {
		return map[string]any{"player": player, "rules": ruleValues(rules...)}
	}
	veiled := apptest.CastUUID("Veiled")
	user.expectError(setRulesMutation, args(veiled, "MAIN_ACCESS", "PUBLIC"), "input.player", "NOT_FOUND", "another player")
	user.expectError(setRulesMutation, args(salted, "MAIN_ACCESS", "PUBLIC", "MAIN_ACCESS", "PRIVATE"), "input.rules",
		"INVALID_FORM", "a rule twice")
	private := args(salted, "MAIN_ACCESS", "PRIVATE")
	if res := newWebUser(t, p).mutate(setRulesMutation, private); res.code() != "SESSION_REQUIRED" {
		t.Errorf("a guest: got %s", res.Body)
	}
	if res := user.mutate(setRulesMutation, private, "Origin", "https://elsewhere.example", "Sec-Fetch-Site",
		"cross-site"); res.code() != "CROSS_SITE" {
		t.Errorf("another site: got %s", res.Body)
	}
	user.open(page+salted).submit("/account/players/rules", "main_access", "nobody").expect(400)
	user.open(page+salted).submit("/account/players/rules", "form", "forged", "main_access", "private").expect(403)
	expectHidden(false)
	// The GraphQL document of the form and of the contract fit each other.
	user.open(page+salted).submit("/account/players/rules", "player", apptest.CastUUID("Veiled"), "main_access", "public").
		expect(404, "not linked")
}
