package app_test

import (
	"net/http"
	"net/url"
	"testing"
)

// Applications come, change their secret and go.
func TestApplicationPages(t *testing.T) {
	t.Parallel()
	p, _ := serveDemo(t)
	v := newBrowser(t, p)
	v.signUp("Salted").has(200)
	v.fill("/account/applications/create", "name", "Moss board", "private", "on", "redirectUris",
		"https://board.example/back\n https://board.example/b", "scopes", "main_access", "scopes", "online_status").
		has(200, "Moss board", "https://board.example/b<",
			"<code>identify</code> <code>main_access</code> <code>online_status</code>")
	id, first := v.value("created-id"), v.value("created-secret")
	v.fill("/account/applications/edit", "name", "Moss map", "redirectUris", "https://board.example/back", "scopes",
		"main_access").
		has(200, "Application changed.", "Moss map", "<code>identify</code> <code>main_access</code> <br>never used")
	v.fill("/account/applications/edit", "name", "").has(400, "1 to 40 characters")
	v.fill("/account/applications/rotate").has(200)
	second := v.value("created-secret")
	if first == second || v.value("created-id") != id {
		t.Error("the secret is the same")
	}
	ask := url.Values{
		"grant_type": {"authorization_code"}, "code": {"x"}, "redirect_uri": {"https://board.example/back"},
		"client_id": {id},
	}
	for secret, want := range map[string]string{first: "invalid_client", second: "invalid_grant"} {
		ask.Set("client_secret", secret)
		if _, body := exchange(t, p, ask); body["error"] != want {
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
		v.open("/account").fill("/account/applications/create", append([]string{
			"name", "X", "redirectUris",
			"https://x.example/",
		}, pairs...)...)
		if v.answer.StatusCode != 400 {
			t.Errorf("%s: %d", name, v.answer.StatusCode)
		}
	}
	other := newBrowser(t, p)
	other.signUp("Brindle").fill("/account/applications/create", "name", "B", "redirectUris", "com.b.app:/back", "private",
		"").has(200, "has no secret")
	for _, deed := range []string{"rotate", "delete"} {
		other.open("/account")
		form := attribute(find(other.page, hidden), "value")
		if other.send(http.MethodPost, "/account/applications/"+deed, url.Values{
			"form":     {form},
			"clientId": {id},
		}); other.answer.StatusCode != 404 {
			t.Errorf("%s of another's: %d", deed, other.answer.StatusCode)
		}
	}
	v.open("/account").fill("/account/applications/delete").has(200, "Application deleted")
	if _, body := exchange(t, p, ask); body["error"] != "invalid_client" {
		t.Errorf("deleted: %v", body)
	}
}
