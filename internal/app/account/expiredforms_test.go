package account

import (
	"maps"
	"net/url"
	"testing"

	"gamedata/internal/app/apptest"
)

// A form that has expired changes nothing and comes back with what was typed; after the session ended, once its user
// signed in again.
func TestExpiredForms(t *testing.T) {
	t.Parallel()
	p, dir := apptest.StartDemo(t, "--session-rate", "1000")
	user := signedUp(t, p, "Salted").link(dir, "Salted")
	consent := authorizePath(user.register("scopes", "MAIN_ACCESS"), "main_access")
	user.open("/account/tokens").submit("/account/tokens/create", "name", "laptop").expect(200)
	rules := "/account/players/rules?player=" + apptest.CastUUID("Salted")
	for name, c := range map[string]struct {
		page, action string
		typed        []string
		want         string
	}{
		"link":        {"/account/players", "/account/players/link", []string{"code", "AAAA-BBBB"}, `value="AAAA-BBBB"`},
		"rules":       {rules, "/account/players/rules", []string{"main_access", "friend"}, `<option value="friend" selected>`},
		"new token":   {"/account/tokens", "/account/tokens/create", []string{"description", "trams"}, `value="trams"`},
		"token":       {"/account/tokens", "/account/tokens/edit", []string{"description", "trains"}, `value="trains"`},
		"webhook":     {"/account/webhooks", "/account/webhooks/create", []string{"guilds", "A\nB"}, ">A\nB</textarea>"},
		"competition": {"/account/competitions", "/account/competitions/create", []string{"endsAt", "2026-03-20"}, `value="2026-03-20"`},
		"application": {"/account/applications", "/account/applications/create", []string{"name", "Board"}, `value="Board"`},
		"password":    {"/account/security", "/account/security/password", []string{"password", "x"}, "Change password"},
		"consent":     {consent, "/oauth/authorize", []string{"decision", "allow", "-scopes", ""}, `value="main_access"> `},
		"deletion":    {"/account/security/delete", "/account/security/delete", []string{"password", "x"}, "Cancel"},
		"unlinking":   {"/account/players/unlink?id=" + apptest.CastUUID("Salted"), "/account/players/unlink", nil, "Unlink Salted?"},
		"sign-in":     {"/account/sign-in", "/account/sign-in", []string{"name", "Salted"}, `value="Salted"`},
		"sign-up":     {"/account/sign-up", "/account/sign-up", []string{"name", "Brindle"}, `value="Brindle"`},
		"sign-out":    {"/account", "/account/sign-out", nil, "Overview"},
	} {
		t.Run(name, func(t *testing.T) {
			user.t = t
			user.open(c.page).expect(200).submit(c.action, append(c.typed, "form", "forged")...).
				expect(403, c.want, "nothing was changed. Check it and send it again")
			if c.action == "/account/sign-in" || c.action == "/account/sign-up" || c.action == "/account/sign-out" {
				return
			}
			session := maps.Clone(user.cookies)
			user.open(c.page)
			delete(user.cookies, "__Host-session")
			user.submit(c.action, c.typed...).expect(403, "no longer signed in", `<a href="/account/sign-in?next=`)
			user.cookies = session
			u, err := url.Parse(c.page)
			if err != nil {
				t.Fatal(err)
			}
			user.submit(u.Path[:len("/account")]).expect(403, c.want, "nothing was changed. Check it and send it again")
		})
	}
}
