package account

import (
	"strings"
	"testing"

	"gamedata/internal/app/apptest"
)

// A user registers an application, rotates its secret, edits and deletes it.
func TestApplicationPages(t *testing.T) {
	t.Parallel()
	p, _ := apptest.StartDemo(t)
	user := signedUp(t, p, "Salted")
	id := user.register("private", "on", "redirectUris", "https://board.example/back\n https://board.example/b",
		"scopes", "MAIN_ACCESS", "scopes", "ONLINE_STATUS")
	user.expect(200, "Moss board", "https://board.example/b<",
		"<li>See the statistics, playtime and first and last visit of your players</li>",
		"<li>See whether your players are online")
	first := user.fieldValue("created-secret")
	user.submit("/account/applications/edit", "name", "Moss map", "redirectUris", redirectURI, "scopes", "MAIN_ACCESS").
		expect(200, "Application changed.", "Moss map", "<li>See the statistics",
			"<dt>Last used</dt><dd>never")
	if strings.Contains(user.text, "<li>See whether your players are online") {
		t.Error("the application still has the scope online_status")
	}
	user.submit("/account/applications/edit", "name", "").rejected(400, "name", "A name has 1 to 40 characters")
	user.submit("/account/applications/create", "name", "Xylophone", "private", "", "redirectUris",
		"https://board.example/ http://board.example/", "scopes", "ONLINE_STATUS").
		rejected(400, "redirectUris", "An application has 1 to 10", "without a fragment: “http://board.example/”.",
			`value="Xylophone"`, `value="" checked`, ">https://board.example/ http://board.example/</textarea>",
			`value="ONLINE_STATUS" checked`)
	user.open("/account/applications").confirm("/account/applications/rotate").expect(200)
	form := codeForm(id, "x")
	for secret, want := range map[string]string{
		first: "invalid_client", user.fieldValue("created-secret"): "invalid_grant",
	} {
		form.Set("client_secret", secret)
		if _, body := exchange(t, p, form); body["error"] != want {
			t.Errorf("%v, want %s", body, want)
		}
	}
	other := signedUp(t, p, "Brindle")
	other.register()
	other.expect(200, "has no secret")
	user.open("/account/applications").confirm("/account/applications/delete").expect(200, "Application deleted")
	if _, body := exchange(t, p, form); body["error"] != "invalid_client" {
		t.Errorf("a deleted application: got %v, want invalid_client", body)
	}
}
