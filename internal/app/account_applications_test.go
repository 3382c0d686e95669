package app_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// A user registers an application, rotates its secret, edits and deletes it.
func TestApplicationPages(t *testing.T) {
	t.Parallel()
	p, _ := serveDemo(t)
	user := newWebUser(t, p)
	user.signUp("Salted").expect(200)
	user.open("/account/applications").
		submit("/account/applications/create", "name", "Moss board", "private", "on", "redirectUris",
			"https://board.example/back\n https://board.example/b", "scopes", "MAIN_ACCESS", "scopes", "ONLINE_STATUS").
		expect(200, "Moss board", "https://board.example/b<",
			"<li>See the statistics, playtime and first and last visit of your players</li>",
			"<li>See whether your players are online")
	id, first := user.fieldValue("created-id"), user.fieldValue("created-secret")
	user.submit("/account/applications/edit", "name", "Moss map", "redirectUris", "https://board.example/back", "scopes",
		"MAIN_ACCESS").
		expect(200, "Application changed.", "Moss map", "<li>See the statistics", "never used")
	if strings.Contains(user.text, "<li>See whether your players are online") {
		t.Error("the application still has the scope online_status")
	}
	user.submit("/account/applications/edit", "name", "").expect(400, "1 to 40 characters")
	user.confirm("/account/applications/rotate").expect(200)
	second := user.fieldValue("created-secret")
	if first == second || user.fieldValue("created-id") != id {
		t.Error("the secret is the same")
	}
	form := url.Values{
		"grant_type": {"authorization_code"}, "code": {"x"}, "redirect_uri": {"https://board.example/back"},
		"client_id": {id},
	}
	for secret, want := range map[string]string{first: "invalid_client", second: "invalid_grant"} {
		form.Set("client_secret", secret)
		if _, body := exchange(t, p, form); body["error"] != want {
			t.Errorf("%v, want %s", body, want)
		}
	}
	for name, pairs := range map[string][]string{
		"no URI": {"redirectUris", " "}, "no address": {"redirectUris", "board.example"}, "script": {
			"redirectUris",
			"javascript:alert(1)",
		}, "plain HTTP": {"redirectUris", "http://board.example/back"},
		"fragment": {"redirectUris", "https://board.example/#x"}, "no name": {"name", ""}, "unknown scope": {
			"scopes",
			"everything",
		},
	} {
		user.open("/account/applications").submit("/account/applications/create", append([]string{
			"name", "X", "redirectUris",
			"https://x.example/",
		}, pairs...)...)
		if user.response.StatusCode != 400 {
			t.Errorf("%s: %d", name, user.response.StatusCode)
		}
	}
	other := newWebUser(t, p)
	other.signUp("Brindle").
		open("/account/applications").submit("/account/applications/create", "name", "B", "redirectUris",
		"com.b.app:/back",
		"private",
		"").expect(200, "has no secret")
	for _, action := range []string{"rotate", "delete"} {
		other.open("/account/applications")
		form := attribute(find(other.page, hidden), "value")
		if other.send(http.MethodPost, "/account/applications/"+action, url.Values{
			"form":     {form},
			"clientId": {id},
		}); other.response.StatusCode != 404 {
			t.Errorf("%s another user's application: got %d, want 404", action, other.response.StatusCode)
		}
	}
	user.open("/account/applications").confirm("/account/applications/delete").expect(200, "Application deleted")
	if _, body := exchange(t, p, form); body["error"] != "invalid_client" {
		t.Errorf("a deleted application: got %v, want invalid_client", body)
	}
}
