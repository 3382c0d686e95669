package app_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// graphqlResponse is a response of /graphql.
type graphqlResponse struct {
	response
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

// userError is a member of userErrors.
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
	out := graphqlResponse{response: user.request(query, variables, headers...)}
	if err := json.Unmarshal(out.body, &out); err != nil {
		user.t.Fatalf("%v: %s", err, out.body)
	}
	return out
}

// request is mutate for a query whose result has another form.
func (user *webUser) request(query string, variables map[string]any, headers ...string) response {
	user.t.Helper()
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	if err != nil {
		user.t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(user.t.Context(), http.MethodPost, user.base+"/graphql", nil)
	if err != nil {
		user.t.Fatal(err)
	}
	for name, value := range user.cookies {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	for i, h := 0, append([]string{
		"Content-Type", "application/json", "X-Requested-With", "test", "Origin", user.base,
		"Sec-Fetch-Site", "same-origin",
	}, headers...); i < len(h); i += 2 {
		if r.Header.Set(h[i], h[i+1]); h[i+1] == "" {
			r.Header.Del(h[i])
		}
	}
	return send(user.t, r, body)
}

// expectData checks that a mutation succeeded and that its response is not cacheable, and returns its data.
func (user *webUser) expectData(res graphqlResponse) map[string]map[string]any {
	user.t.Helper()
	if res.status != 200 || len(res.Errors) > 0 || res.header.Get("Cache-Control") != "max-age=0, private, no-store" ||
		res.header.Get("ETag") != "" || res.header.Get("Access-Control-Allow-Origin") != "" {
		user.t.Fatalf("%d %v %s", res.status, res.header, res.body)
	}
	return res.Data
}

const createTokenMutation = `mutation($name: String!) {
	createToken(input: {name: $name}) {
		value token { id name prefix description public } userErrors { field message code retryAfter }
	}
}`

// Mutations offer a signed-in user everything that the account page does.
func TestAccountMutations(t *testing.T) {
	t.Parallel()
	p, dir := serveDemo(t, "--log-level", "debug", "--session-rate", "1000", "--guest-rate", "1000")
	user, other := newWebUser(t, p), newWebUser(t, p)
	user.signUp("Veiled one").expect(200)
	other.signUp("Brindle").expect(200)
	code := linkCode(t, dir, "Veiled")
	expectError := func(user *webUser, field, code, message, query string, variables map[string]any) {
		t.Helper()
		res := user.mutate(query, variables)
		user.expectData(res)
		got := res.userErrors(t)
		if len(got) != 1 || got[0].Code != code || strings.Join(got[0].Field, ".") != field ||
			!strings.Contains(got[0].Message, message) || (got[0].RetryAfter > 0) != (code == "TOO_MANY_REQUESTS") {
			t.Errorf("%s: got %d %s, want %s %q", query, res.status, res.body, code, message)
		}
	}
	const link = `mutation($code: String!) {
		linkPlayer(input: {code: $code}) { profile { uuid primary } userErrors { field message code retryAfter } }
	}`
	expectError(user, "input.code", "NOT_FOUND", "The code is unknown, used or expired.", link,
		map[string]any{"code": "AAAA-BBBB-CCCC"})
	linked := user.mutate(link, map[string]any{"code": strings.ToLower(code)})
	if want := `"profile":{"uuid":"` + castUUID("Veiled") + `","primary":true},"userErrors":[]`; !strings.Contains(
		string(linked.body), want) {
		t.Errorf("linkPlayer: got %s, want %s", linked.body, want)
	}
	const own = `{ viewer { profiles { username } } }`
	if res := user.mutate(own, nil); !strings.Contains(string(res.body), `"profiles":[{"username":"Veiled"}]`) {
		t.Errorf("after linking: got %s, want the profile Veiled", res.body)
	}
	second := linkCode(t, dir, "Veiled")
	expectError(other, "input.code", "CONFLICT", "The player is linked to another account.", link,
		map[string]any{"code": second})

	made := user.expectData(user.mutate(createTokenMutation, map[string]any{"name": "laptop"}))["createToken"]
	value, token := made["value"].(string), made["token"].(map[string]any)
	if token["name"] != "laptop" || token["public"] != false || !strings.HasPrefix(value, token["prefix"].(string)) {
		t.Errorf("createToken: got %v", made)
	}
	if _, body := getWithToken(t, p, value, "/v3/player/"+castUUID("Veiled")); body["globalData"] == nil {
		t.Error("the token does not see its owner's player")
	}
	expectError(user, "input.name", "CONFLICT", "The account has a token of that name.", createTokenMutation,
		map[string]any{"name": "laptop"})
	expectError(user, "input.name", "INVALID_FORM", "A name has 1 to 40 characters", createTokenMutation,
		map[string]any{"name": " "})
	const edit = `mutation($id: ID!, $text: String) {
		editToken(input: {id: $id, description: $text, public: true}) {
			token { id description public } userErrors { field message code retryAfter }
		}
	}`
	if got := user.expectData(user.mutate(edit, map[string]any{
		"id":   token["id"],
		"text": "for trains",
	}))["editToken"]["token"].(map[string]any); got["description"] != "for trains" ||
		got["public"] != true {
		t.Errorf("changed to %v", got)
	}
	edited := user.expectData(user.mutate(edit, map[string]any{"id": token["id"]}))
	if got := edited["editToken"]["token"].(map[string]any); got["description"] != "for trains" {
		t.Errorf("editToken without a description: got %v, want the old one", got)
	}
	expectError(user, "input.description", "INVALID_FORM", "A description has at most 200", edit, map[string]any{
		"id":   token["id"],
		"text": strings.Repeat("x", 201),
	})
	expectError(other, "input.id", "NOT_FOUND", "The account has no token", edit, map[string]any{"id": token["id"]})

	// Mutations run in order, and one that fails does not undo those before it.
	res := user.mutate(
		`mutation {
			a: createToken(input: {name: "phone"}) { ...P } b: createToken(input: {name: "phone"}) { ...P }
			c: createToken(input: {name: "clock"}) { ...P } d: createToken(input: {name: "more"}) { ...P }
		}
		fragment P on CreateTokenPayload { value userErrors { code field } }`,
		nil,
	)
	if res.Data["a"]["value"] == nil || res.Data["c"]["value"] == nil || len(res.Errors) != 0 ||
		!strings.Contains(string(res.body),
			`"b":{"value":null,"userErrors":[{"code":"CONFLICT","field":["input","name"]}]}`) ||
		!strings.Contains(string(res.body), `"d":{"value":null,"userErrors":[{"code":"LIMIT_REACHED","field":null}]}`) ||
		len(res.Extensions.Cost) != 0 {
		t.Errorf("%s", res.body)
	}
	const drop = `mutation($id: ID!) {
		deleteToken(input: {id: $id}) { deletedId userErrors { field message code retryAfter } }
	}`
	expectError(other, "input.id", "NOT_FOUND", "no token", drop, map[string]any{"id": token["id"]})
	user.expectData(user.mutate(drop, map[string]any{"id": token["id"]}))
	var tokens struct {
		Data struct {
			Viewer struct{ Tokens []struct{ ID, Name string } }
		}
	}
	list := user.mutate(`{ viewer { tokens { id name } } }`, nil)
	if err := json.Unmarshal(list.body, &tokens); err != nil || len(tokens.Data.Viewer.Tokens) != 2 ||
		tokens.Data.Viewer.Tokens[0].Name != "phone" {
		t.Fatalf("%s", list.body)
	}
	expectError(user, "", "TOO_MANY_REQUESTS", "wait 1", drop, map[string]any{"id": tokens.Data.Viewer.Tokens[0].ID})

	unlink := `mutation { unlinkPlayer(input: {player: "` + castUUID("Veiled") + `"}) {
		playerUuid userErrors { field message code retryAfter }
	} }`
	expectError(other, "input.player", "NOT_FOUND", "not linked", unlink, nil)
	user.expectData(user.mutate(unlink, nil))
	if res := user.mutate(own, nil); !strings.Contains(string(res.body), `"profiles":[]`) {
		t.Errorf("after unlinking: got %s, want no profiles", res.body)
	}
	expectError(user, "input.player", "NOT_FOUND", "not linked", unlink, nil)

	// A new password ends the session and deletes the cookie.
	const pass = `mutation($present: String!, $new: String!) {
		changePassword(input: {password: $present, newPassword: $new}) {
			account userErrors { field message code retryAfter }
		}
	}`
	expectError(user, "input.password", "WRONG_PASSWORD", "The current password is wrong.", pass, map[string]any{
		"present": "another password",
		"new":     "a new password",
	})
	expectError(user, "input.newPassword", "INVALID_FORM", "10 to 128", pass,
		map[string]any{"present": "a long password", "new": "short"})
	ended := user.mutate(pass, map[string]any{"present": "a long password", "new": "a new password"})
	if user.expectData(ended); !strings.Contains(ended.header.Get("Set-Cookie"),
		"__Host-session=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Lax") {
		t.Errorf("%v", ended.header)
	}
	if res := user.mutate(`mutation { signOut { account } }`, nil); res.status != 401 {
		t.Errorf("an ended session: got %d %s, want 401", res.status, res.body)
	}
	user.signIn("Veiled one", "a new password").expect(200, "Veiled one")
	// What follows a sign-out in a document is rejected, whatever the caller was when it began.
	both := user.mutate(`mutation { signOut { account } createToken(input: {name: "late"}) { value } }`, nil)
	if both.Data["signOut"]["account"] != "Veiled one" || both.Data["createToken"] != nil ||
		both.code() != "SESSION_REQUIRED" || both.header.Get("Set-Cookie") == "" {
		t.Errorf("a mutation after signOut: got %s, want SESSION_REQUIRED", both.body)
	}
	user.signIn("Veiled one", "a new password").expect(200, "Veiled one")
	out := user.mutate(`mutation { signOut { account } }`, nil)
	if user.expectData(out)["signOut"]["account"] != "Veiled one" || out.header.Get("Set-Cookie") == "" {
		t.Errorf("%s", out.body)
	}
	for range 10 {
		other.mutate(pass, map[string]any{"present": "another password", "new": "a new password"})
	}
	expectError(other, "", "TOO_MANY_REQUESTS", "Too many tries, wait ", pass, map[string]any{
		"present": "a long password",
		"new":     "a new password",
	})
	p.stop()
	for _, s := range []string{value, code, res.Data["a"]["value"].(string), "a new password"} {
		if strings.Contains(p.stdout.String()+p.stderr.String(), s) {
			t.Error("a secret is in the log")
		}
	}
}

// Mutations manage the applications of their own user only.
func TestApplicationMutations(t *testing.T) {
	p, _ := serveDemo(t, "--session-rate", "1000", "--guest-rate", "1000")
	user, other := newWebUser(t, p), newWebUser(t, p)
	user.signUp("Salted").expect(200)
	other.signUp("Brindle").expect(200)
	const create = `mutation($private: Boolean!, $uris: [String!]!, $scopes: [OAuthScope!]! = []) {
		registerApplication(input: {name: "Moss board", private: $private, redirectUris: $uris, scopes: $scopes}) {
			secret application { id clientId name private redirectUris scopes created }
			userErrors { field message code } } }`
	made := user.expectData(user.mutate(create, map[string]any{
		"private": true, "uris": []string{redirectURI},
		"scopes": []string{"MAIN_ACCESS"},
	}))["registerApplication"]
	app, first := made["application"].(map[string]any), made["secret"].(string)
	id := app["id"].(string)
	if fmt.Sprint(app["scopes"]) != "[IDENTIFY MAIN_ACCESS]" || app["private"] != true ||
		fmt.Sprint(app["redirectUris"]) != "["+redirectURI+"]" {
		t.Errorf("registerApplication: got %v", made)
	}
	if made := user.expectData(user.mutate(create, map[string]any{
		"private": false,
		"uris":    []string{redirectURI},
	}))["registerApplication"]; made["secret"] != nil {
		t.Errorf("a public application has a secret: %v", made)
	}
	byID := map[string]any{"id": id}
	const rotate = `mutation($id: ID!) {
		rotateSecret(input: {id: $id}) { application { clientId } secret userErrors { field message code } }
	}`
	second := user.expectData(user.mutate(rotate, byID))["rotateSecret"]["secret"].(string)
	form := url.Values{
		"grant_type": {"authorization_code"}, "code": {"x"}, "redirect_uri": {redirectURI},
		"client_id": {app["clientId"].(string)},
	}
	for secret, want := range map[string]string{first: "invalid_client", second: "invalid_grant"} {
		form.Set("client_secret", secret)
		if _, body := exchange(t, p, form); body["error"] != want {
			t.Errorf("%v, want %s", body, want)
		}
	}
	const edit = `mutation($id: ID!, $name: String, $uris: [String!]) {
		editApplication(input: {id: $id, name: $name, redirectUris: $uris}) {
			application { name redirectUris scopes } userErrors { field message code }
		}
	}`
	changed := user.expectData(user.mutate(edit, map[string]any{
		"id":   id,
		"name": "Moss map",
	}))["editApplication"]["application"].(map[string]any)
	if changed["name"] != "Moss map" || fmt.Sprint(changed["redirectUris"], changed["scopes"]) != "["+redirectURI+
		"] [IDENTIFY MAIN_ACCESS]" {
		t.Errorf("changed to %v", changed)
	}
	if got := user.expectData(user.mutate(edit, map[string]any{
		"id":   id,
		"uris": []string{"https://b.example/"},
	})); fmt.Sprint(got["editApplication"]["application"].(map[string]any)["redirectUris"]) != "[https://b.example/]" {
		t.Errorf("changed to %v", got)
	}
	for query, variables := range map[string]map[string]any{
		edit: {"id": id, "uris": []string{}}, create: {"private": true, "uris": []string{"http://board.example/"}},
	} {
		want := []userError{{Field: []string{"input", "redirectUris"}, Code: "INVALID_FORM"}}
		got := user.mutate(query, variables).userErrors(t)
		if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(userError{}, "Message")); diff != "" {
			t.Errorf("%s: %s", query, diff)
		}
	}
	// Each wrong member is an error of its own.
	wrong := user.mutate(`mutation { registerApplication(input: {name: " ", private: true, redirectUris: []}) {
		application { id } secret userErrors { field message code }
	} }`, nil)
	if got := wrong.userErrors(t); len(got) != 2 || got[0].Field[1] != "name" || got[1].Field[1] != "redirectUris" {
		t.Errorf("a form with two faults: %s", wrong.body)
	}
	const drop = `mutation($id: ID!) {
		deleteApplication(input: {id: $id}) { deletedId userErrors { field message code } }
	}`
	for _, query := range []string{rotate, edit, drop} {
		if got := other.mutate(query, byID).userErrors(t); len(got) != 1 || got[0].Code != "NOT_FOUND" {
			t.Errorf("%s of another user's application: got %v, want NOT_FOUND", query, got)
		}
	}
	if got := user.mutate(`{ viewer { applications { clientId name } grants { application { name } scopes } } }`,
		nil); strings.Contains(string(got.body), first) || !strings.Contains(string(got.body), "Moss map") {
		t.Errorf("%s", got.body)
	}
	user.expectData(user.mutate(drop, byID))
	if _, body := exchange(t, p, form); body["error"] != "invalid_client" {
		t.Errorf("a deleted application: got %v, want invalid_client", body)
	}
	// An id is that of one type: the application's is not that of a grant.
	const revoke = `mutation($id: ID!) { revokeGrant(input: {id: $id}) { deletedId userErrors { code } } }`
	if got := user.mutate(revoke, byID).userErrors(t); len(got) != 1 || got[0].Code != "NOT_FOUND" {
		t.Errorf("the id of an application as that of a grant: got %v", got)
	}
}

// Mutations need a session and a request from a page of the service.
func TestMutationsRequireSession(t *testing.T) {
	t.Parallel()
	p, dir := serveDemo(t, "--session-rate", "1000", "--guest-rate", "1000")
	createMembers(t, dir, "Veiled")
	token := createToken(t, dir, "Veiled")
	user := newWebUser(t, p)
	user.signUp("Salted").expect(200)
	session := user.cookies["__Host-session"]
	rejected := map[string]any{"name": "rejected"}
	for name, c := range map[string]struct {
		headers []string
		status  int
		code    string
	}{
		"another site":            {[]string{"Sec-Fetch-Site", "cross-site"}, 403, "CROSS_SITE"},
		"a neighbour":             {[]string{"Sec-Fetch-Site", "same-site"}, 403, "CROSS_SITE"},
		"another origin":          {[]string{"Sec-Fetch-Site", "", "Origin", "https://other.example"}, 403, "CROSS_SITE"},
		"an opaque origin":        {[]string{"Sec-Fetch-Site", "", "Origin", "null"}, 403, "CROSS_SITE"},
		"an own name as a prefix": {[]string{"Sec-Fetch-Site", "", "Origin", p.base + ".other.example"}, 403, "CROSS_SITE"},
		"no own header":           {[]string{"X-Requested-With", ""}, 403, "CROSS_SITE"},
		"no type":                 {[]string{"Content-Type", ""}, 415, "UNSUPPORTED_MEDIA_TYPE"},
		"text":                    {[]string{"Content-Type", "text/plain"}, 415, "UNSUPPORTED_MEDIA_TYPE"},
		"a form": {
			[]string{"Content-Type", "application/x-www-form-urlencoded"},
			415,
			"UNSUPPORTED_MEDIA_TYPE",
		},
		"parts": {
			[]string{"Content-Type", "multipart/form-data; boundary=x"},
			415,
			"UNSUPPORTED_MEDIA_TYPE",
		},
		"text that says JSON":     {[]string{"Content-Type", "text/plain; application/json"}, 415, "UNSUPPORTED_MEDIA_TYPE"},
		"a guest":                 {[]string{"Cookie", ""}, 200, "SESSION_REQUIRED"},
		"a guest from elsewhere":  {[]string{"Cookie", "", "Sec-Fetch-Site", "cross-site"}, 200, "SESSION_REQUIRED"},
		"an API token":            {[]string{"Cookie", "", "Authorization", "Bearer " + token}, 200, "SESSION_REQUIRED"},
		"a token beside a cookie": {[]string{"Authorization", "Bearer " + token}, 200, "SESSION_REQUIRED"},
		"an unknown session":      {[]string{"Cookie", "__Host-session=" + session[:len(session)-1]}, 401, "INVALID_TOKEN"},
		"two sessions": {
			[]string{"Cookie", "__Host-session=" + session + "; __Host-session=" + session},
			401,
			"INVALID_TOKEN",
		},
	} {
		res := user.mutate(createTokenMutation, rejected, c.headers...)
		if res.status != c.status || res.code() != c.code || res.Data["createToken"] != nil ||
			(res.header.Get("Set-Cookie") != "") != (c.status == 401) { // an invalid session is deleted
			t.Errorf("%s: got %d %s, want %d %s", name, res.status, res.body, c.status, c.code)
		}
	}
	// An application cannot change the account that it acts for.
	owner := newWebUser(t, p)
	owner.signUp("Owner").
		open("/account/applications").submit("/account/applications/create", "name", "Moss board", "private", "",
		"redirectUris",
		redirectURI).expect(200)
	app := owner.fieldValue("created-id")
	q := url.Values{
		"response_type": {"code"}, "client_id": {app}, "redirect_uri": {redirectURI},
		"code_challenge": {rfcChallenge}, "code_challenge_method": {"S256"},
	}
	user.open("/oauth/authorize?"+q.Encode()).submit("/oauth/authorize", "decision", "allow").expect(302)
	back, _ := url.Parse(user.response.Header.Get("Location"))
	_, body := exchange(t, p, url.Values{
		"grant_type": {"authorization_code"}, "redirect_uri": {redirectURI},
		"client_id": {app}, "code": {back.Query().Get("code")}, "code_verifier": {rfcVerifier},
	})
	granted, _ := body["access_token"].(string)
	if res := user.mutate(createTokenMutation, rejected, "Cookie", "", "Authorization",
		"Bearer "+granted); res.status != 200 ||
		res.code() != "SESSION_REQUIRED" {
		t.Errorf("an application: got %d %s, want SESSION_REQUIRED", res.status, res.body)
	}
	for _, authorization := range []string{"Bearer " + token, "Bearer " + granted} {
		const query = `{ viewer { kind tokens { id } applications { clientId } grants { since } } }`
		res := user.mutate(query, nil, "Cookie", "", "Authorization", authorization)
		if !strings.Contains(string(res.body), `"tokens":null,"applications":null,"grants":null`) {
			t.Errorf("%s", res.body)
		}
	}
	// A page of another site does not see the account by a query either.
	const whose = `{ viewer { kind account } }`
	if res := user.mutate(whose, nil, "Sec-Fetch-Site", "cross-site"); res.status != 403 || res.code() != "CROSS_SITE" {
		t.Errorf("a query by POST from another site: got %d %s, want 403", res.status, res.body)
	}
	foreign, err := http.NewRequestWithContext(t.Context(), http.MethodGet,
		p.base+"/graphql?query="+url.QueryEscape(whose),
		nil)
	if err != nil {
		t.Fatal(err)
	}
	foreign.AddCookie(&http.Cookie{Name: "__Host-session", Value: session})
	foreign.Header.Set("Sec-Fetch-Site", "cross-site")
	foreign.Header.Set("Origin", "https://other.example")
	if res := send(t, foreign, nil); !bytes.Contains(res.body, []byte(`{"kind":"GUEST","account":null}`)) {
		t.Errorf("a query by GET from another site: got %d %s, want a guest", res.status, res.body)
	}
	// Mutations are not possible by GET, and no preflight allows the required header.
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.base+"/graphql?query="+
		url.QueryEscape(`mutation { signOut { account } }`), nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("X-Requested-With", "x")
	r.AddCookie(&http.Cookie{Name: "__Host-session", Value: session})
	if res := send(t, r, nil); res.status != 405 || res.header.Get("Allow") != "POST, OPTIONS" {
		t.Errorf("by GET: got %d %v, want 405", res.status, res.header)
	}
	r.Method = http.MethodOptions
	r.Header.Set("Origin", "https://other.example")
	r.Header.Set("Access-Control-Request-Method", "POST")
	r.Header.Set("Access-Control-Request-Headers", "x-requested-with")
	if res := send(t, r, nil); strings.Contains(strings.ToLower(res.header.Get("Access-Control-Allow-Headers")),
		"x-requested-with") || res.header.Get("Access-Control-Allow-Credentials") != "" {
		t.Errorf("preflight: got %v, want no permission", res.header)
	}
	// A mutation's text, which may contain a password, is not stored as a persisted query.
	const named = `mutation { signOut { account } }`
	hash := sha256.Sum256([]byte(named))
	for _, c := range []struct{ query, code string }{{named, "SESSION_REQUIRED"}, {"", "PERSISTED_QUERY_NOT_FOUND"}} {
		body, _ := json.Marshal(map[string]any{
			"query": c.query,
			"extensions": map[string]any{"persistedQuery": map[string]any{
				"version":    1,
				"sha256Hash": hex.EncodeToString(hash[:]),
			}},
		})
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.base+"/graphql", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		if res := send(t, r, body); !bytes.Contains(res.body, []byte(c.code)) {
			t.Errorf("got %s, want %s", res.body, c.code)
		}
	}
	// None of the mutations had an effect: the account can still create its first token.
	if res := user.mutate(`{ viewer { kind tokens { id } } }`, nil); !strings.Contains(string(res.body),
		`"kind":"SESSION","tokens":[]`) {
		t.Errorf("%s", res.body)
	}
	user.expectData(user.mutate(createTokenMutation, rejected))
}
