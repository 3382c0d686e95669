package account

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"gamedata/internal/app/apptest"
)

type graphqlResponse struct {
	apptest.Response
	Data   map[string]map[string]any
	Errors []struct {
		Message    string
		Path       []any
		Extensions struct{ Code string }
	}
	Extensions struct{ Cost map[string]int }
}

func (res graphqlResponse) code() string {
	if len(res.Errors) == 0 {
		return ""
	}
	return res.Errors[0].Extensions.Code
}

type userError struct {
	Field      []string
	Message    string
	Code       string
	RetryAfter int
}

// userErrors returns the user errors of the payloads, which are empty otherwise.
func (res graphqlResponse) userErrors(t *testing.T) (list []userError) {
	t.Helper()
	for name, payload := range res.Data {
		text, err := json.Marshal(payload["userErrors"])
		var one []userError
		if err = errors.Join(err, json.Unmarshal(text, &one)); err != nil {
			t.Fatal(err)
		}
		list = append(list, one...)
		for member, value := range payload {
			if len(one) > 0 && member != "userErrors" && value != nil {
				t.Errorf("%s has user errors and %s", name, member)
			}
		}
	}
	return list
}

// mutate sends a mutation as a page of the service could. The given headers replace the default ones; an empty value
// removes one.
func (user *webUser) mutate(query string, variables map[string]any, headers ...string) graphqlResponse {
	user.t.Helper()
	out := graphqlResponse{Response: user.request(query, variables, headers...)}
	if err := json.Unmarshal(out.Body, &out); err != nil {
		user.t.Fatalf("%v: %s", err, out.Body)
	}
	return out
}

// request is mutate for a query whose result has another form.
func (user *webUser) request(query string, variables map[string]any, headers ...string) apptest.Response {
	user.t.Helper()
	return apptest.GraphQL(user.t, user.base, query, variables, append([]string{
		"Content-Type", "application/json", "X-Requested-With", "test", "Origin", user.base,
		"Sec-Fetch-Site", "same-origin", "Cookie", user.cookieHeader(),
	}, headers...)...)
}

// expectError checks that a mutation has one user error, about a field of its input, and returns it.
func (user *webUser) expectError(query string, variables map[string]any, field, code, name string) {
	user.t.Helper()
	res := user.mutate(query, variables)
	user.expectData(res)
	got := res.userErrors(user.t)
	if len(got) != 1 || got[0].Code != code || strings.Join(got[0].Field, ".") != field || got[0].Message == "" ||
		(got[0].RetryAfter > 0) != (code == "TOO_MANY_REQUESTS") {
		user.t.Errorf("%s: got %d %s, want %s of %q", name, res.Status, res.Body, code, field)
	}
}

// expectData checks that a mutation succeeded and that its response is not cacheable, and returns its data.
func (user *webUser) expectData(res graphqlResponse) map[string]map[string]any {
	user.t.Helper()
	if res.Status != 200 || len(res.Errors) > 0 || res.Header.Get("Cache-Control") != "max-age=0, private, no-store" ||
		res.Header.Get("ETag") != "" || res.Header.Get("Access-Control-Allow-Origin") != "" {
		user.t.Fatalf("%d %v %s", res.Status, res.Header, res.Body)
	}
	return res.Data
}

const createTokenMutation = `mutation($name: String!) {
	createToken(input: {name: $name}) {
		value token { id name prefix description public } userErrors { field message code retryAfter }
	}
}`

// Mutations act on the objects of their own user, in order. The pages, which run the same mutations, show the rest.
func TestAccountMutations(t *testing.T) {
	t.Parallel()
	p, dir := apptest.StartDemo(t, "--log-level", "debug", "--session-rate", "1000")
	user, other := signedUp(t, p, "Veiled one").link(dir, "Veiled"), signedUp(t, p, "Brindle")
	type vars = map[string]any
	made := user.expectData(user.mutate(createTokenMutation, vars{"name": "laptop"}))["createToken"]
	value, token := made["value"].(string), made["token"].(map[string]any)
	if token["name"] != "laptop" || token["public"] != false || !strings.HasPrefix(value, token["prefix"].(string)) {
		t.Errorf("createToken: got %v", made)
	}
	user.expectError(createTokenMutation, vars{"name": " "}, "input.name", "INVALID_FORM", "no name")
	const edit = `mutation($id: ID!, $text: String) {
		updateToken(input: {id: $id, description: $text, public: true}) {
			token { id description public } userErrors { field message code retryAfter }
		}
	}`
	byID := vars{"id": token["id"]}
	for _, v := range []vars{{"id": token["id"], "text": "for trains"}, byID} { // without a description the old one stays
		got := user.expectData(user.mutate(edit, v))["updateToken"]["token"].(map[string]any)
		if got["description"] != "for trains" || got["public"] != true {
			t.Errorf("changed to %v", got)
		}
	}
	long := vars{"id": token["id"], "text": strings.Repeat("x", 201)}
	user.expectError(edit, long, "input.description", "INVALID_FORM", "a long description")
	other.expectError(edit, byID, "input.id", "NOT_FOUND", "another user's token")

	// Mutations run in order, and one that fails does not undo those before it.
	res := user.mutate(`mutation {
			a: createToken(input: {name: "phone"}) { ...P } b: createToken(input: {name: "phone"}) { ...P }
			c: createToken(input: {name: "clock"}) { ...P } d: createToken(input: {name: "more"}) { ...P }
		}
		fragment P on CreateTokenPayload { value userErrors { code field } }`, nil)
	if res.Data["a"]["value"] == nil || res.Data["c"]["value"] == nil || len(res.Errors)+len(res.Extensions.Cost) != 0 ||
		!res.Has(`"b":{"value":null,"userErrors":[{"code":"CONFLICT","field":["input","name"]}]}`) ||
		!res.Has(`"d":{"value":null,"userErrors":[{"code":"LIMIT_REACHED","field":null}]}`) {
		t.Errorf("four tokens: %s", res.Body)
	}
	const drop = `mutation($id: ID!) {
		deleteToken(input: {id: $id}) { deletedId userErrors { field message code retryAfter } }
	}`
	other.expectError(drop, byID, "input.id", "NOT_FOUND", "another user's token")
	user.expectData(user.mutate(drop, byID))
	if got := user.mutate(`{ viewer { tokens { name } } }`, nil); !got.Has(`"tokens":[{"name":"phone"},{"name":"clock"}]`) {
		t.Errorf("after the deletion: %s", got.Body)
	}
	unlink := `mutation { unlinkPlayer(input: {player: "` + apptest.CastUUID("Veiled") + `"}) {
		playerUuid userErrors { field message code retryAfter }
	} }`
	other.expectError(unlink, nil, "input.player", "NOT_FOUND", "another user's player")

	// A new password ends the session and deletes the cookie.
	const pass = `mutation($present: String!, $new: String!) {
		updatePassword(input: {password: $present, newPassword: $new}) {
			account userErrors { field message code retryAfter }
		}
	}`
	wrong := vars{"present": "another password", "new": "a new password"}
	right := vars{"present": "a long password", "new": "a new password"}
	user.expectError(pass, wrong, "input.password", "WRONG_PASSWORD", "a wrong password")
	short := vars{"present": "a long password", "new": "short"}
	user.expectError(pass, short, "input.newPassword", "INVALID_FORM", "a short password")
	ended := user.mutate(pass, right)
	if user.expectData(ended); !strings.Contains(ended.Header.Get("Set-Cookie"),
		"__Host-session=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Lax") {
		t.Errorf("updatePassword: %v", ended.Header)
	}
	user.mutate(`mutation { signOut { account } }`, nil).Expect(t, "an ended session", 401)
	user.signIn("Veiled one", "a new password").expect(200, "Veiled one")
	// What follows a sign-out in a document is rejected, whatever the caller was when it began.
	both := user.mutate(`mutation { signOut { account } createToken(input: {name: "late"}) { value } }`, nil)
	if both.Data["signOut"]["account"] != "Veiled one" || both.Data["createToken"] != nil ||
		both.code() != "SESSION_REQUIRED" || both.Header.Get("Set-Cookie") == "" {
		t.Errorf("a mutation after signOut: got %s, want SESSION_REQUIRED", both.Body)
	}
	for range 10 {
		other.mutate(pass, wrong)
	}
	other.expectError(pass, right, "", "TOO_MANY_REQUESTS", "after ten wrong passwords")
	p.Stop()
	for _, s := range []string{value, res.Data["a"]["value"].(string), "a new password"} {
		if strings.Contains(p.Stdout.String()+p.Stderr.String(), s) {
			t.Error("a secret is in the log")
		}
	}
}

// Mutations manage the applications of their own user only.
func TestApplicationMutations(t *testing.T) {
	t.Parallel()
	p, _ := apptest.StartDemo(t, "--session-rate", "1000")
	user, other := signedUp(t, p, "Salted"), signedUp(t, p, "Brindle")
	type vars = map[string]any
	const create = `mutation($private: Boolean!, $uris: [String!]!, $scopes: [OAuthScope!]! = []) {
		createApplication(input: {name: "Moss board", private: $private, redirectUris: $uris, scopes: $scopes}) {
			secret application { id clientId name private redirectUris scopes createdAt }
			userErrors { field message code } } }`
	uris := []string{redirectURI}
	made := user.expectData(user.mutate(create, vars{"private": true, "uris": uris, "scopes": []string{"MAIN_ACCESS"}}))
	registered := made["createApplication"]
	app, first := registered["application"].(map[string]any), registered["secret"].(string)
	if fmt.Sprint(app["scopes"], app["private"], app["redirectUris"]) != "[IDENTIFY MAIN_ACCESS] true ["+redirectURI+"]" {
		t.Errorf("createApplication: got %v", made)
	}
	public := user.expectData(user.mutate(create, vars{"private": false, "uris": uris}))["createApplication"]
	if public["secret"] != nil {
		t.Errorf("a public application has a secret: %v", public)
	}
	byID := vars{"id": app["id"]}
	const rotate = `mutation($id: ID!) {
		rotateSecret(input: {id: $id}) { application { clientId } secret userErrors { field message code } }
	}`
	const edit = `mutation($id: ID!, $name: String, $uris: [String!]) {
		updateApplication(input: {id: $id, name: $name, redirectUris: $uris}) {
			application { name redirectUris scopes } userErrors { field message code }
		}
	}`
	for _, c := range []struct {
		change vars
		want   string
	}{
		{vars{"id": app["id"], "name": "Moss map"}, "Moss map [" + redirectURI + "] [IDENTIFY MAIN_ACCESS]"},
		{
			vars{"id": app["id"], "uris": []string{"https://b.example/"}},
			"Moss map [https://b.example/] [IDENTIFY MAIN_ACCESS]",
		},
	} {
		got := user.expectData(user.mutate(edit, c.change))["updateApplication"]["application"].(map[string]any)
		if text := fmt.Sprint(got["name"], " ", got["redirectUris"], " ", got["scopes"]); text != c.want {
			t.Errorf("%v: got %s, want %s", c.change, text, c.want)
		}
	}
	// Each wrong member is a separate error.
	wrong := user.mutate(`mutation { createApplication(input: {name: " ", private: true, redirectUris: []}) {
		application { id } secret userErrors { field message code }
	} }`, nil).userErrors(t)
	if diff := cmp.Diff([]userError{
		{Field: []string{"input", "name"}, Code: "INVALID_FORM"},
		{Field: []string{"input", "redirectUris"}, Code: "INVALID_FORM"},
	}, wrong, cmpopts.IgnoreFields(userError{}, "Message")); diff != "" {
		t.Errorf("a form with two faults: %s", diff)
	}
	const drop = `mutation($id: ID!) {
		deleteApplication(input: {id: $id}) { deletedId userErrors { field message code } }
	}`
	for _, query := range []string{rotate, edit, drop} {
		other.expectError(query, byID, "input.id", "NOT_FOUND", query)
	}
	got := user.mutate(`{ viewer { applications { clientId name } grants { application { name } scopes } } }`, nil)
	if got.Has(first) || !got.Has("Moss map") {
		t.Errorf("applications: %s", got.Body)
	}
	user.expectData(user.mutate(drop, byID))
	// An id belongs to one type: the application's id is no grant's id.
	const revoke = `mutation($id: ID!) { revokeGrant(input: {id: $id}) { deletedId userErrors { field message code } } }`
	user.expectError(revoke, byID, "input.id", "NOT_FOUND", "the id of an application for a grant")
}

// Mutations need a session and a request from a page of the service.
func TestMutationsRequireSession(t *testing.T) {
	t.Parallel()
	p, dir := apptest.StartDemo(t, "--session-rate", "1000")
	token := "Bearer " + apptest.CreateToken(t, dir, apptest.CreateMember(t, dir, "Veiled"))
	user := signedUp(t, p, "Salted")
	granted := "Bearer " + user.allow(p, signedUp(t, p, "Owner").register(), "")
	session := user.cookies["__Host-session"]
	rejected := map[string]any{"name": "rejected"}
	for name, c := range map[string]struct {
		headers []string
		status  int
		code    string
	}{
		"another site":            {[]string{"Sec-Fetch-Site", "cross-site"}, 403, "CROSS_SITE"},
		"another origin":          {[]string{"Sec-Fetch-Site", "", "Origin", "https://other.example"}, 403, "CROSS_SITE"},
		"text that says JSON":     {[]string{"Content-Type", "text/plain; application/json"}, 415, "UNSUPPORTED_MEDIA_TYPE"},
		"no own header":           {[]string{"X-Requested-With", ""}, 403, "CROSS_SITE"},
		"a guest":                 {[]string{"Cookie", ""}, 200, "SESSION_REQUIRED"},
		"a guest from elsewhere":  {[]string{"Cookie", "", "Sec-Fetch-Site", "cross-site"}, 200, "SESSION_REQUIRED"},
		"an API token":            {[]string{"Cookie", "", "Authorization", token}, 200, "SESSION_REQUIRED"},
		"an application":          {[]string{"Cookie", "", "Authorization", granted}, 200, "SESSION_REQUIRED"},
		"a token beside a cookie": {[]string{"Authorization", token}, 200, "SESSION_REQUIRED"},
		"an unknown session":      {[]string{"Cookie", "__Host-session=" + session[:len(session)-1]}, 401, "INVALID_TOKEN"},
	} {
		res := user.mutate(createTokenMutation, rejected, c.headers...)
		if res.Status != c.status || res.code() != c.code || res.Data["createToken"] != nil ||
			(res.Header.Get("Set-Cookie") != "") != (c.status == 401) { // an invalid session is deleted
			t.Errorf("%s: got %d %s, want %d %s", name, res.Status, res.Body, c.status, c.code)
		}
	}
	for _, authorization := range []string{token, granted} {
		const query = `{ viewer { kind tokens { id } applications { clientId } grants { grantedAt } } }`
		res := user.mutate(query, nil, "Cookie", "", "Authorization", authorization)
		if !res.Has(`"tokens":null,"applications":null,"grants":null`) {
			t.Errorf("without a session: %s", res.Body)
		}
	}
	// A page of another site does not see the account by a query either.
	const whose = `{ viewer { kind account } }`
	if res := user.mutate(whose, nil, "Sec-Fetch-Site", "cross-site"); res.Status != 403 || res.code() != "CROSS_SITE" {
		t.Errorf("a query by POST from another site: got %d %s, want 403", res.Status, res.Body)
	}
	cookie := "__Host-session=" + session
	foreign := apptest.Get(t, p.Base+"/graphql?query="+url.QueryEscape(whose), "Cookie", cookie,
		"Sec-Fetch-Site", "cross-site", "Origin", "https://other.example")
	if !foreign.Has(`{"kind":"GUEST","account":null}`) {
		t.Errorf("a query by GET from another site: got %d %s, want a guest", foreign.Status, foreign.Body)
	}
	// Mutations are not possible by GET, and no preflight allows the required header.
	const signOut = `mutation { signOut { account } }`
	path := p.Base + "/graphql?query=" + url.QueryEscape(signOut)
	apptest.Get(t, path, "X-Requested-With", "x", "Cookie", cookie).Expect(t, "by GET", 405, "Allow", "POST, OPTIONS")
	preflight := apptest.Request(t, http.MethodOptions, path, "", "Origin", "https://other.example",
		"Access-Control-Request-Method", "POST", "Access-Control-Request-Headers", "x-requested-with")
	if strings.Contains(strings.ToLower(preflight.Header.Get("Access-Control-Allow-Headers")), "x-requested-with") ||
		preflight.Header.Get("Access-Control-Allow-Credentials") != "" {
		t.Errorf("preflight: got %v, want no permission", preflight.Header)
	}
	// A mutation's text, which may contain a password, is not stored as a persisted query.
	extensions := fmt.Sprintf(`"extensions":{"persistedQuery":{"version":1,"sha256Hash":"%x"}}`, sha256.Sum256([]byte(signOut)))
	for _, c := range []struct{ query, code string }{
		{`"query":"` + signOut + `",`, "SESSION_REQUIRED"}, {"", "PERSISTED_QUERY_NOT_FOUND"},
	} {
		if res := apptest.Request(t, "POST", p.Base+"/graphql", "{"+c.query+extensions+"}"); !res.Has(c.code) {
			t.Errorf("got %s, want %s", res.Body, c.code)
		}
	}
	// None of the mutations had an effect: the account can still create its first token.
	if res := user.mutate(`{ viewer { kind tokens { id } } }`, nil); !res.Has(`"kind":"SESSION","tokens":[]`) {
		t.Errorf("afterwards: %s", res.Body)
	}
	user.expectData(user.mutate(createTokenMutation, rejected))
}
