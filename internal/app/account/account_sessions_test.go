package account

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gamedata/internal/app/apptest"
)

type session struct {
	ID       string
	LastUsed *string `json:"lastUsedAt"`
	Current  bool
}

func (user *webUser) sessions() []session {
	user.t.Helper()
	res := user.mutate(`{ viewer { sessions { id createdAt expiresAt lastUsedAt current } } }`, nil)
	for _, cookie := range user.cookies {
		if res.Has(cookie) {
			user.t.Error("the list contains a secret")
		}
	}
	return apptest.Decode[struct {
		Data struct {
			Viewer struct{ Sessions []session }
		}
	}](user.t, res.Body).Data.Viewer.Sessions
}

// A user sees the sessions of the account and ends one, all others or their own.
func TestSessionsOfAccount(t *testing.T) {
	t.Parallel()
	p, _ := apptest.StartDemo(t, "--session-rate", "1000")
	first, other, second, third := signedUp(t, p, "Salted"), signedUp(t, p, "Brindle"), newWebUser(t, p), newWebUser(t, p)
	second.signIn("Salted", "a long password").expect(200)
	third.headers.Set("User-Agent", "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0")
	third.signIn("Salted", "a long password").expect(200)
	list := second.sessions()
	if len(list) != 3 || list[0].Current || !list[1].Current || list[2].Current || list[1].LastUsed == nil {
		t.Fatalf("got %+v, want three, the second of them this one", list)
	}
	const end = `mutation($id: ID!) { deleteSession(input: {id: $id}) { deletedId userErrors { field code message } } }`
	for name, id := range map[string]string{"of another account": other.sessions()[0].ID, "unknown": "U2Vzc2lvbjp4"} {
		second.expectError(end, map[string]any{"id": id}, "input.id", "NOT_FOUND", name)
	}
	third.open("/account/sessions").expect(200, "this browser", "<strong>Firefox on Linux</strong>", "Unknown browser")
	third.submit("/account/sessions/end", "id", list[1].ID).expect(200, "The browser is signed out.")
	second.open("/account").expect(200, "No account yet?")
	third.open("/account/sessions").
		confirm("/account/sessions/end-others").expect(200, "You are signed out of every other browser.")
	first.open("/account").expect(200, "No account yet?")
	if own := third.mutate(end, map[string]any{"id": third.sessions()[0].ID}); own.Header.Get("Set-Cookie") == "" {
		t.Errorf("ending the own session does not delete its cookie: %s", own.Body)
	}
}

// Objects of an account are found by their ids in a session of its user, and by no one else.
func TestNodesOfAccount(t *testing.T) {
	t.Parallel()
	p, _ := apptest.StartDemo(t, "--session-rate", "1000")
	user, other := signedUp(t, p, "Salted"), signedUp(t, p, "Brindle")
	granted := user.allow(p, user.register(), "")
	made := user.expectData(user.mutate(createTokenMutation, map[string]any{"name": "laptop"}))["createToken"]

	list := user.mutate(`{ viewer { tokens { id } applications { id } grants { id } sessions { id } } }`, nil)
	viewer := apptest.Decode[struct {
		Data struct {
			Viewer map[string][]struct{ ID string }
		}
	}](t, list.Body).Data.Viewer
	ids := []string{}
	for _, field := range []string{"tokens", "applications", "grants", "sessions"} {
		if len(viewer[field]) != 1 {
			t.Fatalf("%s: got %s, want one", field, list.Body)
		}
		ids = append(ids, viewer[field][0].ID)
	}
	const nodes = `query($ids: [ID!]!) { nodes(ids: $ids) {
		__typename id ... on ApiToken { name } ... on Application { name } ... on Grant { grantedAt }
		... on Session { createdAt }
	} }`
	found := func(user *webUser, headers ...string) (types []string) {
		t.Helper()
		type node struct {
			Type string `json:"__typename"`
			ID   string
		}
		res := user.request(nodes, map[string]any{"ids": ids}, headers...)
		list := apptest.Decode[struct{ Data struct{ Nodes []*node } }](t, res.Body).Data.Nodes
		if len(list) != len(ids) {
			t.Fatalf("%s", res.Body)
		}
		for i, n := range list {
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
		"an application": found(user, bearer(granted)...),
		"a guest":        found(newWebUser(t, p)),
	} {
		if len(got) > 0 {
			t.Errorf("%s finds %v", name, got)
		}
	}
	// A grant is revoked by its id, and only by its user.
	const revoke = `mutation($id: ID!) { revokeGrant(input: {id: $id}) { deletedId userErrors { field code message } } }`
	id := map[string]any{"id": ids[2]}
	other.expectError(revoke, id, "input.id", "NOT_FOUND", "another user")
	user.expectData(user.mutate(revoke, id))
	if got := found(user); slices.Contains(got, "Grant") {
		t.Errorf("a revoked grant is found: %v", got)
	}
}

// Deleting an account needs its password, ends everything that acts for it, and frees its player and its name.
func TestDeleteAccount(t *testing.T) {
	t.Parallel()
	p, dir := apptest.StartDemo(t, "--session-rate", "1000")
	user, second, other := signedUp(t, p, "Salted"), newWebUser(t, p), signedUp(t, p, "Brindle")
	second.signIn("Salted", "a long password").expect(200)
	user.link(dir, "Salted")
	created := user.expectData(user.mutate(createTokenMutation, map[string]any{"name": "x"}))["createToken"]
	token := created["value"].(string)
	givenToOwn, givenByUser := other.allow(p, user.register(), ""), user.allow(p, other.register(), "")

	const remove = `mutation($password: String!) {
		deleteAccount(input: {password: $password}) { account userErrors { field message code retryAfter } }
	}`
	user.expectError(remove, map[string]any{"password": "another password"}, "input.password", "WRONG_PASSWORD", "delete")
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
		res, _ := apptest.GetWithToken(t, p, value, "/v3/player/"+apptest.CastUUID("Salted"))
		res.Expect(t, name, 401)
	}
	if got := other.open("/account/access"); strings.Contains(got.text, "Revoke access") {
		t.Error("the deleted application is listed as authorized")
	}
	user.signIn("Salted", "a long password").expect(403, "The name or the password is wrong.")
	user.cookies = map[string]string{}
	user.signUp("Salted").expect(200, "link your player")
	user.link(dir, "Salted")

	for range 10 {
		other.mutate(remove, map[string]any{"password": "another password"})
	}
	other.expectError(remove, map[string]any{"password": "a long password"}, "", "TOO_MANY_REQUESTS", "after ten attempts")
	guest := newWebUser(t, p).mutate(remove, map[string]any{"password": "a long password"})
	if guest.code() != "SESSION_REQUIRED" {
		t.Errorf("a guest: got %s", guest.Body)
	}
}
