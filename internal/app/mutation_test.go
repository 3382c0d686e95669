package app_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// told is an answer of /graphql.
type told struct {
	answer
	Data   map[string]map[string]any
	Errors []struct {
		Message    string
		Path       []any
		Extensions struct{ Code string }
	}
	Extensions struct{ Cost map[string]int }
}

func (a told) code() string {
	if len(a.Errors) == 0 {
		return ""
	}
	return a.Errors[0].Extensions.Code
}

// change sends a mutation as a page of the service could; headers are set after that, an empty
// value takes one away.
func (v *person) change(query string, variables map[string]any, headers ...string) told {
	v.t.Helper()
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	if err != nil {
		v.t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(v.t.Context(), http.MethodPost, v.base+"/graphql", nil)
	if err != nil {
		v.t.Fatal(err)
	}
	for name, value := range v.cookies {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	for i, h := 0, append([]string{
		"Content-Type", "application/json", "X-Requested-With", "test", "Origin", v.base,
		"Sec-Fetch-Site", "same-origin",
	}, headers...); i < len(h); i += 2 {
		if r.Header.Set(h[i], h[i+1]); h[i+1] == "" {
			r.Header.Del(h[i])
		}
	}
	out := told{answer: send(v.t, r, body)}
	if err := json.Unmarshal(out.body, &out); err != nil {
		v.t.Fatalf("%v: %s", err, out.body)
	}
	return out
}

// gives checks that a mutation was done and nothing may keep its answer.
func (v *person) gives(a told) map[string]map[string]any {
	v.t.Helper()
	if a.status != 200 || len(a.Errors) > 0 || a.header.Get("Cache-Control") != "max-age=0, private, no-store" ||
		a.header.Get("ETag") != "" || a.header.Get("Access-Control-Allow-Origin") != "" {
		v.t.Fatalf("%d %v %s", a.status, a.header, a.body)
	}
	return a.Data
}

const anyToken = `mutation($name: String!) { createToken(input: {name: $name}) { value token { id name prefix description public } } }`

// A user who is signed in does by mutations what the account page offers.
func TestMutations(t *testing.T) {
	t.Parallel()
	p, dir := serveDemo(t, "--log-level", "debug", "--session-rate", "1000", "--guest-rate", "1000")
	v, other := newBrowser(t, p), newBrowser(t, p)
	v.signUp("Veiled one").has(200)
	other.signUp("Brindle").has(200)
	code := linkCode(t, dir, "Veiled")
	refused := func(who *person, want, says, query string, variables map[string]any) {
		t.Helper()
		a := who.change(query, variables)
		if a.status != 200 || a.code() != want || !strings.Contains(a.Errors[0].Message, says) ||
			a.header.Get("Cache-Control") != "max-age=0, private, no-store" {
			t.Errorf("%s: %d %s, want %s %q", query, a.status, a.body, want, says)
		}
	}
	const link = `mutation($code: String!) { linkPlayer(code: $code) { uuid } }`
	refused(v, "NOT_FOUND", "The code is unknown, used or expired.", link, map[string]any{"code": "AAAA-BBBB-CCCC"})
	if got := v.gives(
		v.change(link, map[string]any{"code": strings.ToLower(code)}),
	); got["linkPlayer"]["uuid"] != castUUID(
		"Veiled",
	) {
		t.Errorf("linked %v", got)
	}
	const own = `{ viewer { profiles { username } } }`
	if a := v.change(own, nil); !strings.Contains(string(a.body), `"profiles":[{"username":"Veiled"}]`) {
		t.Errorf("right after linking: %s", a.body)
	}
	again := linkCode(t, dir, "Veiled")
	refused(other, "CONFLICT", "The player is linked to another account.", link, map[string]any{"code": again})

	made := v.gives(v.change(anyToken, map[string]any{"name": "laptop"}))["createToken"]
	value, token := made["value"].(string), made["token"].(map[string]any)
	if token["name"] != "laptop" || token["public"] != false || !strings.HasPrefix(value, token["prefix"].(string)) {
		t.Errorf("made %v", made)
	}
	if _, body := asBearer(t, p, value, "/v3/player/"+castUUID("Veiled")); body["globalData"] == nil {
		t.Error("the token does not see its owner's player")
	}
	refused(v, "CONFLICT", "The account has a token of that name.", anyToken, map[string]any{"name": "laptop"})
	refused(v, "INVALID_FORM", "A name has 1 to 40 characters", anyToken, map[string]any{"name": " "})
	const edit = `mutation($id: ID!, $text: String) { editToken(input: {id: $id, description: $text, public: true}) { token { id description public } } }`
	if got := v.gives(v.change(edit, map[string]any{
		"id":   token["id"],
		"text": "for trains",
	}))["editToken"]["token"].(map[string]any); got["description"] != "for trains" ||
		got["public"] != true {
		t.Errorf("changed to %v", got)
	}
	if got := v.gives(v.change(edit, map[string]any{"id": token["id"]}))["editToken"]["token"].(map[string]any); got["description"] != "for trains" {
		t.Errorf("changed to %v", got)
	}
	refused(v, "INVALID_FORM", "A description has at most 200", edit, map[string]any{
		"id":   token["id"],
		"text": strings.Repeat("x", 201),
	})
	refused(other, "NOT_FOUND", "The account has no token", edit, map[string]any{"id": token["id"]})

	// One after the other, and what fails does not undo what was done.
	a := v.change(
		`mutation { a: createToken(input: {name: "phone"}) { value } b: createToken(input: {name: "phone"}) { value } c: createToken(input: {name: "clock"}) { value } d: createToken(input: {name: "more"}) { value } }`,
		nil,
	)
	if a.Data["a"]["value"] == nil || a.Data["b"] != nil || a.Data["c"]["value"] == nil || a.Data["d"] != nil ||
		len(a.Errors) != 2 ||
		a.code() != "CONFLICT" || a.Errors[1].Extensions.Code != "LIMIT_REACHED" || a.Extensions.Cost["SHARED"] < 4 {
		t.Errorf("%s", a.body)
	}
	const drop = `mutation($id: ID!) { deleteToken(id: $id) { id } }`
	refused(other, "NOT_FOUND", "no token", drop, map[string]any{"id": token["id"]})
	v.gives(v.change(drop, map[string]any{"id": token["id"]}))
	var tokens struct {
		Data struct {
			Viewer struct{ Tokens []struct{ ID, Name string } }
		}
	}
	list := v.change(`{ viewer { tokens { id name } } }`, nil)
	if err := json.Unmarshal(list.body, &tokens); err != nil || len(tokens.Data.Viewer.Tokens) != 2 ||
		tokens.Data.Viewer.Tokens[0].Name != "phone" {
		t.Fatalf("%s", list.body)
	}
	refused(v, "TOO_MANY_REQUESTS", "wait 1", drop, map[string]any{"id": tokens.Data.Viewer.Tokens[0].ID})

	unlink := `mutation { unlinkPlayer(uuid: "` + castUUID("Veiled") + `") { uuid } }`
	refused(other, "NOT_FOUND", "not linked", unlink, nil)
	v.gives(v.change(unlink, nil))
	if a := v.change(own, nil); !strings.Contains(string(a.body), `"profiles":[]`) {
		t.Errorf("right after unlinking: %s", a.body)
	}
	refused(v, "NOT_FOUND", "not linked", unlink, nil)

	// Another password ends the session, and the cookie leaves the browser.
	const pass = `mutation($present: String!, $new: String!) { changePassword(input: {present: $present, password: $new}) { account } }`
	refused(v, "FORBIDDEN", "The current password is wrong.", pass, map[string]any{
		"present": "another password",
		"new":     "a new password",
	})
	refused(v, "INVALID_FORM", "10 to 128", pass, map[string]any{"present": "a long password", "new": "short"})
	ended := v.change(pass, map[string]any{"present": "a long password", "new": "a new password"})
	if v.gives(ended); !strings.Contains(ended.header.Get("Set-Cookie"),
		"__Host-session=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Lax") {
		t.Errorf("%v", ended.header)
	}
	if a := v.change(`mutation { signOut { account } }`, nil); a.status != 401 {
		t.Errorf("an ended session: %d %s", a.status, a.body)
	}
	v.open("/account/sign-in").fill("/account/sign-in", "name", "Veiled one", "password", "a new password").has(200,
		"Veiled one")
	out := v.change(`mutation { signOut { account } }`, nil)
	if v.gives(out)["signOut"]["account"] != "Veiled one" || out.header.Get("Set-Cookie") == "" {
		t.Errorf("%s", out.body)
	}
	for range 10 {
		other.change(pass, map[string]any{"present": "another password", "new": "a new password"})
	}
	refused(other, "TOO_MANY_REQUESTS", "Too many tries, wait ", pass, map[string]any{
		"present": "a long password",
		"new":     "a new password",
	})
	p.stop()
	for _, s := range []string{value, code, a.Data["a"]["value"].(string), "a new password"} {
		if strings.Contains(p.stdout.String()+p.stderr.String(), s) {
			t.Error("a secret stands in the log")
		}
	}
}

// Applications by mutations: what a user registered is his alone.
func TestApplicationMutations(t *testing.T) {
	p, _ := serveDemo(t, "--session-rate", "1000", "--guest-rate", "1000")
	v, other := newBrowser(t, p), newBrowser(t, p)
	v.signUp("Salted").has(200)
	other.signUp("Brindle").has(200)
	const create = `mutation($private: Boolean!, $uris: [String!]!, $scopes: [String!]! = []) {
		registerApplication(input: {name: "Moss board", private: $private, redirectUris: $uris, scopes: $scopes}) {
			secret application { clientId name private redirectUris scopes created } } }`
	made := v.gives(v.change(create, map[string]any{
		"private": true, "uris": []string{boardBack},
		"scopes": []string{"main_access"},
	}))["registerApplication"]
	app, first := made["application"].(map[string]any), made["secret"].(string)
	id := app["clientId"].(string)
	if fmt.Sprint(app["scopes"]) != "[identify main_access]" || app["private"] != true ||
		fmt.Sprint(app["redirectUris"]) != "["+boardBack+"]" {
		t.Errorf("registered %v", made)
	}
	if made := v.gives(v.change(create, map[string]any{
		"private": false,
		"uris":    []string{boardBack},
	}))["registerApplication"]; made["secret"] != nil {
		t.Errorf("a public application has a secret: %v", made)
	}
	byID := map[string]any{"id": id}
	const rotate = `mutation($id: String!) { rotateSecret(clientId: $id) { clientId secret } }`
	second := v.gives(v.change(rotate, byID))["rotateSecret"]["secret"].(string)
	ask := url.Values{"grant_type": {"authorization_code"}, "code": {"x"}, "redirect_uri": {boardBack}, "client_id": {id}}
	for secret, want := range map[string]string{first: "invalid_client", second: "invalid_grant"} {
		ask.Set("client_secret", secret)
		if _, body := exchange(t, p, ask); body["error"] != want {
			t.Errorf("%v, want %s", body, want)
		}
	}
	const edit = `mutation($id: String!, $name: String, $uris: [String!]) { editApplication(input: {clientId: $id, name: $name, redirectUris: $uris}) { application { name redirectUris scopes } } }`
	changed := v.gives(v.change(edit, map[string]any{
		"id":   id,
		"name": "Moss map",
	}))["editApplication"]["application"].(map[string]any)
	if changed["name"] != "Moss map" || fmt.Sprint(changed["redirectUris"], changed["scopes"]) != "["+boardBack+
		"] [identify main_access]" {
		t.Errorf("changed to %v", changed)
	}
	if got := v.gives(v.change(edit, map[string]any{
		"id":   id,
		"uris": []string{"https://b.example/"},
	})); fmt.Sprint(got["editApplication"]["application"].(map[string]any)["redirectUris"]) != "[https://b.example/]" {
		t.Errorf("changed to %v", got)
	}
	for query, variables := range map[string]map[string]any{
		edit: {"id": id, "uris": []string{}}, create: {"private": true, "uris": []string{"http://board.example/"}},
		`mutation($id: String!) { editApplication(input: {clientId: $id, scopes: ["everything"]}) { application { name } } }`: byID,
	} {
		if a := v.change(query, variables); a.code() != "INVALID_FORM" {
			t.Errorf("%s: %s", query, a.body)
		}
	}
	const drop = `mutation($id: String!) { deleteApplication(clientId: $id) { clientId } }`
	for _, query := range []string{rotate, edit, drop} {
		if a := other.change(query, byID); a.code() != "NOT_FOUND" {
			t.Errorf("another's: %s", a.body)
		}
	}
	if got := v.change(`{ viewer { applications { clientId name } grants { application { name } scopes } } }`,
		nil); strings.Contains(string(got.body), first) || !strings.Contains(string(got.body), "Moss map") {
		t.Errorf("%s", got.body)
	}
	v.gives(v.change(drop, byID))
	if _, body := exchange(t, p, ask); body["error"] != "invalid_client" {
		t.Errorf("deleted: %v", body)
	}
	v.gives(v.change(`mutation($id: String!) { withdrawGrant(clientId: $id) { clientId } }`, byID))
}

// Only a session may change an account, and only from a page of the service.
func TestMutationsRefuse(t *testing.T) {
	t.Parallel()
	p, dir := serveDemo(t, "--session-rate", "1000", "--guest-rate", "1000")
	members(t, dir, "Veiled")
	token := createToken(t, dir, "Veiled", "laptop")
	v := newBrowser(t, p)
	v.signUp("Salted").has(200)
	session := v.cookies["__Host-session"]
	never := map[string]any{"name": "never made"}
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
		a := v.change(anyToken, never, c.headers...)
		if a.status != c.status || a.code() != c.code || a.Data["createToken"] != nil || a.header.Get("Set-Cookie") != "" {
			t.Errorf("%s: %d %s, want %d %s", name, a.status, a.body, c.status, c.code)
		}
	}
	// An application cannot change the account that it acts for.
	owner := newBrowser(t, p)
	owner.signUp("Owner").fill("/account/applications/create", "name", "Moss board", "private", "", "redirectUris",
		boardBack).has(200)
	app := owner.value("created-id")
	q := url.Values{
		"response_type": {"code"}, "client_id": {app}, "redirect_uri": {boardBack},
		"code_challenge": {rfcChallenge}, "code_challenge_method": {"S256"},
	}
	v.open("/oauth/authorize?"+q.Encode()).fill("/oauth/authorize", "decision", "allow").has(302)
	back, _ := url.Parse(v.answer.Header.Get("Location"))
	_, body := exchange(t, p, url.Values{
		"grant_type": {"authorization_code"}, "redirect_uri": {boardBack},
		"client_id": {app}, "code": {back.Query().Get("code")}, "code_verifier": {rfcVerifier},
	})
	granted, _ := body["access_token"].(string)
	if a := v.change(anyToken, never, "Cookie", "", "Authorization", "Bearer "+granted); a.status != 200 ||
		a.code() != "SESSION_REQUIRED" {
		t.Errorf("an application: %d %s", a.status, a.body)
	}
	for _, who := range []string{"Bearer " + token, "Bearer " + granted} {
		if a := v.change(`{ viewer { kind tokens { id } applications { clientId } grants { since } } }`, nil, "Cookie", "",
			"Authorization", who); !strings.Contains(string(a.body), `"tokens":null,"applications":null,"grants":null`) {
			t.Errorf("%s", a.body)
		}
	}
	// Never by GET, nor with a preflight that allows what the guard asks for.
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.base+"/graphql?query="+
		url.QueryEscape(`mutation { signOut { account } }`), nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("X-Requested-With", "x")
	r.AddCookie(&http.Cookie{Name: "__Host-session", Value: session})
	if a := send(t, r, nil); a.status != 405 || a.header.Get("Allow") != "POST, OPTIONS" {
		t.Errorf("by GET: %d %v", a.status, a.header)
	}
	r.Method = http.MethodOptions
	r.Header.Set("Origin", "https://other.example")
	r.Header.Set("Access-Control-Request-Method", "POST")
	r.Header.Set("Access-Control-Request-Headers", "x-requested-with")
	if a := send(t, r, nil); strings.Contains(strings.ToLower(a.header.Get("Access-Control-Allow-Headers")),
		"x-requested-with") || a.header.Get("Access-Control-Allow-Credentials") != "" {
		t.Errorf("the preflight says %v", a.header)
	}
	// Its text, which may hold a password, is not remembered by its hash.
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
		if a := send(t, r, body); !bytes.Contains(a.body, []byte(c.code)) {
			t.Errorf("%s, want %s", a.body, c.code)
		}
	}
	// Nothing of all that was done: the account can still make its first token.
	if a := v.change(`{ viewer { kind tokens { id } } }`, nil); !strings.Contains(string(a.body),
		`"kind":"SESSION","tokens":[]`) {
		t.Errorf("%s", a.body)
	}
	v.gives(v.change(anyToken, never))
}
