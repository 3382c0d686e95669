package app_test

import (
	"net/http"
	"net/url"
	"testing"
)

// A user registers an application, rotates its secret, edits and deletes it.
func TestApplicationPages(t *testing.T) {
	t.Parallel()
	p, _ := serveDemo(t)
	user := newWebUser(t, p)
	user.signUp("Salted").expect(200)
	user.submit("/account/applications/create", "name", "Moss board", "private", "on", "redirectUris",
		"https://board.example/back\n https://board.example/b", "scopes", "MAIN_ACCESS", "scopes", "ONLINE_STATUS").
		expect(200, "Moss board", "https://board.example/b<",
			"<code>identify</code> <code>main_access</code> <code>online_status</code>")
	id, first := user.fieldValue("created-id"), user.fieldValue("created-secret")
	user.submit("/account/applications/edit", "name", "Moss map", "redirectUris", "https://board.example/back", "scopes",
		"MAIN_ACCESS").
		expect(200, "Application changed.", "Moss map", "<code>identify</code> <code>main_access</code> <br>never used")
	user.submit("/account/applications/edit", "name", "").expect(400, "1 to 40 characters")
	user.submit("/account/applications/rotate").expect(200)
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
		user.open("/account").submit("/account/applications/create", append([]string{
			"name", "X", "redirectUris",
			"https://x.example/",
		}, pairs...)...)
		if user.response.StatusCode != 400 {
			t.Errorf("%s: %d", name, user.response.StatusCode)
		}
	}
	other := newWebUser(t, p)
	other.signUp("Brindle").submit("/account/applications/create", "name", "B", "redirectUris", "com.b.app:/back",
		"private",
		"").expect(200, "has no secret")
	for _, action := range []string{"rotate", "delete"} {
		other.open("/account")
		form := attribute(find(other.page, hidden), "value")
		if other.send(http.MethodPost, "/account/applications/"+action, url.Values{
			"form":     {form},
			"clientId": {id},
		}); other.response.StatusCode != 404 {
			t.Errorf("%s another user's application: got %d, want 404", action, other.response.StatusCode)
		}
	}
	user.open("/account").submit("/account/applications/delete").expect(200, "Application deleted")
	if _, body := exchange(t, p, form); body["error"] != "invalid_client" {
		t.Errorf("a deleted application: got %v, want invalid_client", body)
	}
}
