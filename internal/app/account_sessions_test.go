package app_test

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// session is a member of viewer { sessions }.
type session struct {
	ID       string
	LastUsed *string
	Current  bool
}

func (user *webUser) sessions() []session {
	user.t.Helper()
	res := user.mutate(`{ viewer { sessions { id created expires lastUsed current } } }`, nil)
	var out struct {
		Data struct {
			Viewer struct{ Sessions []session }
		}
	}
	if err := json.Unmarshal(res.body, &out); err != nil || out.Data.Viewer.Sessions == nil {
		user.t.Fatalf("%s: %v", res.body, err)
	}
	for _, cookie := range user.cookies {
		if strings.Contains(string(res.body), cookie) {
			user.t.Error("the list contains a secret")
		}
	}
	return out.Data.Viewer.Sessions
}

// A user sees the sessions of the account and ends one or all others, by mutation and on the page.
func TestSessionsOfAccount(t *testing.T) {
	t.Parallel()
	p, _ := serveDemo(t, "--session-rate", "1000", "--guest-rate", "1000")
	first, second, third, other := newWebUser(t, p), newWebUser(t, p), newWebUser(t, p), newWebUser(t, p)
	first.signUp("Salted").expect(200)
	other.signUp("Brindle").expect(200)
	second.signIn("Salted", "a long password").expect(200)
	third.signIn("Salted", "a long password").expect(200)
	list := second.sessions()
	if len(list) != 3 || list[0].Current || !list[1].Current || list[2].Current || list[1].LastUsed == nil {
		t.Fatalf("got %+v, want three, the second of them this one", list)
	}
	const end = `mutation($id: ID!) { endSession(input: {id: $id}) { deletedId userErrors { field code message } } }`
	for name, id := range map[string]string{
		"of another account": other.sessions()[0].ID, "unknown": "U2Vzc2lvbjp4", "nonsense": "x", "empty": "",
	} {
		if got := second.mutate(end, map[string]any{"id": id}).userErrors(t); len(got) != 1 || got[0].Code != "NOT_FOUND" {
			t.Errorf("a session %s: got %v, want NOT_FOUND", name, got)
		}
	}
	ended := second.expectData(second.mutate(end, map[string]any{"id": list[0].ID}))["endSession"]
	if ended["deletedId"] != list[0].ID {
		t.Errorf("endSession: got %v", ended)
	}
	third.open("/account").expect(200, "No account yet?")
	if got := second.sessions(); len(got) != 2 || got[0].ID != list[1].ID {
		t.Errorf("afterwards: got %+v", got)
	}

	third.cookies = map[string]string{}
	third.headers.Set("User-Agent", "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0")
	third.signIn("Salted", "a long password").expect(200)
	third.open("/account/sessions").expect(200, "this browser", "<strong>Firefox on Linux</strong>", "Unknown browser")
	third.submit("/account/sessions/end", "id", list[1].ID).expect(200, "The browser is signed out.")
	second.open("/account").expect(200, "No account yet?")
	third.open("/account/sessions").
		confirm("/account/sessions/end-others").expect(200, "You are signed out of every other browser.")
	first.open("/account").expect(200, "No account yet?")
	if got := third.sessions(); len(got) != 1 || !got[0].Current {
		t.Errorf("after ending the others: got %+v", got)
	}
	first.cookies = map[string]string{}
	first.signIn("Salted", "a long password").expect(200)
	others := third.mutate(`mutation { endOtherSessions { deletedIds userErrors { code } } }`, nil)
	if got := third.expectData(others)["endOtherSessions"]["deletedIds"]; len(got.([]any)) != 1 {
		t.Errorf("endOtherSessions: got %s", others.body)
	}
	if own := third.mutate(end, map[string]any{"id": third.sessions()[0].ID}); own.header.Get("Set-Cookie") == "" {
		t.Errorf("ending the own session does not delete its cookie: %s", own.body)
	}
}

// Objects of an account are found by their ids in a session of its user, and by nobody else.
func TestNodesOfAccount(t *testing.T) {
	t.Parallel()
	p, dir := serveDemo(t, "--session-rate", "1000", "--guest-rate", "1000")
	user, other := newWebUser(t, p), newWebUser(t, p)
	user.signUp("Salted").expect(200)
	other.signUp("Brindle").expect(200)
	code := linkCode(t, dir, "Salted")
	user.open("/account/players").submit("/account/players/link", "code", code).expect(200)
	user.open("/account/applications").
		submit("/account/applications/create", "name", "Moss board", "private", "", "redirectUris",
			redirectURI).expect(200)
	q := url.Values{
		"response_type": {"code"}, "client_id": {user.fieldValue("created-id")}, "redirect_uri": {redirectURI},
		"code_challenge": {rfcChallenge}, "code_challenge_method": {"S256"},
	}
	user.open("/oauth/authorize?"+q.Encode()).submit("/oauth/authorize", "decision", "allow").expect(302)
	back, _ := url.Parse(user.response.Header.Get("Location"))
	_, granted := exchange(t, p, url.Values{
		"grant_type": {"authorization_code"}, "redirect_uri": {redirectURI}, "client_id": q["client_id"],
		"code": {back.Query().Get("code")}, "code_verifier": {rfcVerifier},
	})
	made := user.expectData(user.mutate(createTokenMutation, map[string]any{"name": "laptop"}))["createToken"]

	list := user.mutate(`{ viewer { tokens { id } applications { id } grants { id } sessions { id } } }`, nil)
	var data struct {
		Data struct {
			Viewer map[string][]struct{ ID string }
		}
	}
	if err := json.Unmarshal(list.body, &data); err != nil {
		t.Fatal(err)
	}
	ids := []string{}
	for _, field := range []string{"tokens", "applications", "grants", "sessions"} {
		if len(data.Data.Viewer[field]) != 1 {
			t.Fatalf("%s: got %s, want one", field, list.body)
		}
		ids = append(ids, data.Data.Viewer[field][0].ID)
	}
	const nodes = `query($ids: [ID!]!) { nodes(ids: $ids) {
		__typename id ... on ApiToken { name } ... on Application { name } ... on Grant { since } ... on Session { created }
	} }`
	found := func(user *webUser, headers ...string) (types []string) {
		t.Helper()
		res := user.request(nodes, map[string]any{"ids": ids}, headers...)
		var out struct {
			Data struct {
				Nodes []*struct {
					Type string `json:"__typename"`
					ID   string
				}
			}
		}
		if err := json.Unmarshal(res.body, &out); err != nil || len(out.Data.Nodes) != len(ids) {
			t.Fatalf("%s: %v", res.body, err)
		}
		for i, n := range out.Data.Nodes {
			if n != nil && n.ID == ids[i] {
				types = append(types, n.Type)
			}
		}
		return types
	}
	if diff := cmp.Diff([]string{"ApiToken", "Application", "Grant", "Session"}, found(user)); diff != "" {
		t.Errorf("the owner: %s", diff)
	}
	bearer := func(value any) []string { return []string{"Cookie", "", "Authorization", "Bearer " + value.(string)} }
	for name, got := range map[string][]string{
		"another user":   found(other),
		"the token":      found(user, bearer(made["value"])...),
		"an application": found(user, bearer(granted["access_token"])...),
		"a guest":        found(newWebUser(t, p)),
	} {
		if len(got) > 0 {
			t.Errorf("%s finds %v", name, got)
		}
	}
	// A grant is revoked by its id, and only by its user.
	const revoke = `mutation($id: ID!) { revokeGrant(input: {id: $id}) { deletedId userErrors { code message } } }`
	id := map[string]any{"id": ids[2]}
	if got := other.mutate(revoke, id).userErrors(t); len(got) != 1 || got[0].Code != "NOT_FOUND" {
		t.Errorf("another user revokes the grant: %v", got)
	}
	user.expectData(user.mutate(revoke, id))
	if got := found(user); slices.Contains(got, "Grant") {
		t.Errorf("a revoked grant is found: %v", got)
	}
}

// Deleting an account needs its password, ends everything that acts for it, and frees its player and its name.
func TestDeleteAccount(t *testing.T) {
	t.Parallel()
	p, dir := serveDemo(t, "--session-rate", "1000", "--guest-rate", "1000")
	user, second, other := newWebUser(t, p), newWebUser(t, p), newWebUser(t, p)
	user.signUp("Salted").expect(200)
	second.signIn("Salted", "a long password").expect(200)
	other.signUp("Brindle").expect(200)
	user.open("/account/players").submit("/account/players/link", "code", linkCode(t, dir, "Salted")).expect(200)
	created := user.expectData(user.mutate(createTokenMutation, map[string]any{"name": "x"}))["createToken"]
	token := created["value"].(string)
	grant := func(user *webUser, app string) string {
		t.Helper()
		q := url.Values{
			"response_type": {"code"}, "client_id": {app}, "redirect_uri": {redirectURI},
			"code_challenge": {rfcChallenge}, "code_challenge_method": {"S256"},
		}
		user.open("/oauth/authorize?"+q.Encode()).submit("/oauth/authorize", "decision", "allow").expect(302)
		back, _ := url.Parse(user.response.Header.Get("Location"))
		_, body := exchange(t, p, url.Values{
			"grant_type": {"authorization_code"}, "redirect_uri": {redirectURI}, "client_id": {app},
			"code": {back.Query().Get("code")}, "code_verifier": {rfcVerifier},
		})
		return body["access_token"].(string)
	}
	register := func(user *webUser) string {
		user.open("/account/applications").
			submit("/account/applications/create", "name", "Moss board", "private", "", "redirectUris",
				redirectURI).expect(200)
		return user.fieldValue("created-id")
	}
	own, others := register(user), register(other)
	givenToOwn, givenByUser := grant(other, own), grant(user, others)

	const remove = `mutation($password: String!) {
		deleteAccount(input: {password: $password}) { account userErrors { field message code retryAfter } }
	}`
	wrong := user.mutate(remove, map[string]any{"password": "another password"})
	if got := wrong.userErrors(t); len(got) != 1 || got[0].Code != "WRONG_PASSWORD" ||
		!slices.Equal(got[0].Field, []string{"input", "password"}) {
		t.Errorf("a wrong password: got %s", wrong.body)
	}
	user.open("/account/security").confirm("/account/security/delete", "password", "another password").
		expect(403, "password is wrong", "cannot be undone")
	user.open("/account/access").expect(200, "Moss board")
	user.open("/account/security").confirm("/account/security/delete", "password", "a long password").
		expect(200, "Account deleted.")
	if user.cookies["__Host-session"] != "" {
		t.Error("the cookie of the session is left")
	}
	second.open("/account").expect(200, "No account yet?")
	for name, value := range map[string]string{
		"its token": token, "what others granted its application": givenToOwn, "what it granted": givenByUser,
	} {
		if r, body := getWithToken(t, p, value, "/v3/player/"+castUUID("Salted")); r.StatusCode != 401 {
			t.Errorf("%s: got %d %v, want 401", name, r.StatusCode, body)
		}
	}
	if got := other.open("/account/access"); strings.Contains(got.text, "Revoke access") {
		t.Error("the deleted application is listed as authorized")
	}
	user.signIn("Salted", "a long password").expect(403, "The name or the password is wrong.")
	user.cookies = map[string]string{}
	user.signUp("Salted").expect(200, "link your player")
	user.open("/account/players").
		submit("/account/players/link", "code", linkCode(t, dir, "Salted")).expect(200, "Player linked.")

	for range 10 {
		other.mutate(remove, map[string]any{"password": "another password"})
	}
	tooMany := other.mutate(remove, map[string]any{"password": "a long password"})
	if got := tooMany.userErrors(t); len(got) != 1 || got[0].Code != "TOO_MANY_REQUESTS" || got[0].RetryAfter < 1 {
		t.Errorf("after ten attempts: got %s", tooMany.body)
	}
	guest := newWebUser(t, p).mutate(remove, map[string]any{"password": "a long password"})
	if guest.code() != "SESSION_REQUIRED" {
		t.Errorf("a guest: got %s", guest.body)
	}
}
