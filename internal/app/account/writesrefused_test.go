package account

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"gamedata/internal/app/apptest"
	"gamedata/internal/auth"
	"gamedata/mongo"
	"gamedata/mongo/conn"
	"gamedata/mongo/mongotest"
)

// outOfSpace is MongoDB's code for a write that a full disk refuses.
const outOfSpace = 14031

// While the store refuses writes, whatever writes is 503 with Retry-After and the documented body, or an error of the
// mutation's field; reads go on and readiness is degraded. Afterwards the same requests succeed, and no token was
// issued twice. TestWritesRefused of mongo has the other forms in which a store refuses a write, and
// TestRefusedWritesAreForgotten shows that readiness recovers.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	svc := apptest.OpenStore(t, t.TempDir(), time.Now)
	proxy := mongotest.NewProxy(svc)
	svc.Start(mongo.Options{Options: conn.Options{
		Timeout: time.Minute, ServerSelectionTimeout: 3 * time.Second, Dialer: proxy,
	}})
	d := newFullDisk(t, svc)

	proxy.Handle(func(c mongotest.Command) mongotest.Action {
		if slices.Contains([]string{"insert", "update", "delete", "findAndModify", "bulkWrite"}, c.Name) {
			return mongotest.Action{Reply: mongotest.CommandFailure(outOfSpace)}
		}
		return mongotest.Action{}
	})
	for range 2 { // the breaker stays closed
		for name, r := range d.writes() {
			d.expectRefused(t, name, d.serve(r))
		}
		d.expectReads(t)
	}
	if w := d.get("/readyz"); w.Code != 200 ||
		!strings.HasPrefix(w.Body.String(), "degraded: store: the store accepts no writes") {
		t.Errorf("readiness: got %d %s", w.Code, w.Body)
	}

	proxy.Handle(nil)
	for name, r := range d.writes() {
		if w := d.serve(r); w.Code >= 400 || strings.Contains(w.Body.String(), "UNAVAILABLE") {
			t.Errorf("%s, afterwards: got %d %s", name, w.Code, w.Body)
		}
	}
	if w := d.serve(d.writes()["token endpoint"]); w.Code != 400 || !strings.Contains(w.Body.String(), "invalid_grant") {
		t.Errorf("the code again: got %d %s", w.Code, w.Body)
	}
	d.expectReads(t)
	d.expectTokensOnce(t)
}

// fullDisk is a service and its users while its store refuses writes, and afterwards.
type fullDisk struct {
	*apptest.Service
	user      *webUser
	account   string
	app       string
	code      string // an authorization code
	feedToken string
}

// expectRefused checks the response to a request whose writes were refused: 503, as JSON or as a page; for a mutation,
// an error of its field.
func (d *fullDisk) expectRefused(t *testing.T, name string, w *httptest.ResponseRecorder) {
	t.Helper()
	status, wait, want := 503, "5", `"code":503`
	switch {
	case name == "mutation":
		status, wait, want = 200, "", `"extensions":{"code":"SERVICE_UNAVAILABLE"}}],"data":{"createToken":null}`
	case strings.HasPrefix(w.Header().Get("Content-Type"), "text/html"):
		want = "The service is temporarily unavailable. Try again in a moment."
	}
	body, after := w.Body.String(), w.Header().Get("Retry-After")
	if w.Code != status || after != wait || !strings.Contains(body, want) {
		t.Errorf("%s: got %d, Retry-After %q: %s", name, w.Code, after, body)
	}
}

func newFullDisk(t *testing.T, svc *apptest.Service) *fullDisk {
	t.Helper()
	d := &fullDisk{Service: svc, user: newWebUser(t, &apptest.Program{Base: "http://example.com"})}
	d.user.handler = svc.Handler
	d.user.signUp("Veiled").expect(200)
	account, err := svc.Users.ByName(t.Context(), "Veiled")
	if err != nil {
		t.Fatal(err)
	}
	app, _, err := svc.Users.Applications.Create(t.Context(), account.ID, "Board", []string{redirectURI}, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	d.account, d.app = account.ID, app.ClientID
	if d.code, err = svc.Users.Grants.IssueCode(t.Context(), auth.Grant{
		Account: d.account, App: d.app, RedirectURI: redirectURI, Scopes: []string{"identify"}, Challenge: rfcChallenge,
	}); err != nil {
		t.Fatal(err)
	}
	if d.feedToken, err = svc.Users.FeedTokens.Create(t.Context(), "eu-1"); err != nil {
		t.Fatal(err)
	}
	return d
}

// writes returns a request to everything that writes.
func (d *fullDisk) writes() map[string]*http.Request {
	formToken := attribute(find(d.user.open("/account").page, hidden), "value")
	form := func(path string, pairs ...string) *http.Request {
		values := url.Values{"form": {formToken}}
		for i := 0; i < len(pairs); i += 2 {
			values.Set(pairs[i], pairs[i+1])
		}
		return d.post(path, values.Encode(), "Content-Type", "application/x-www-form-urlencoded", "Origin", d.user.base)
	}
	graphql := func(document string) *http.Request {
		return d.post("/graphql", `{"query":"`+document+`"}`, "Content-Type", "application/json",
			"X-Requested-With", "test", "Origin", d.user.base)
	}
	requests := map[string]*http.Request{
		"token endpoint": d.post("/v3/oauth/token", url.Values{
			"grant_type": {"authorization_code"}, "code": {d.code}, "client_id": {d.app},
			"redirect_uri": {redirectURI}, "code_verifier": {rfcVerifier},
		}.Encode(), "Content-Type", "application/x-www-form-urlencoded"),
		"consent page":       form(authorizePath(d.app, "identify"), "decision", "allow"),
		"create token":       form("/account/tokens/create", "name", "of the page"),
		"create application": form("/account/applications/create", "name", "Moss", "redirectUris", redirectURI),
		"mutation":           graphql(`mutation { createToken(input: {name: \"of a mutation\"}) { value } }`),
		"feed": d.post("/feed", `{"id": "p", "event": "PlayerAdded", "data": {"player": "`+mongotest.UUID(1)+
			`", "username": "Fernwick"}}`, "Content-Type", "application/x-ndjson", "Authorization", "Bearer "+d.feedToken),
	}
	for _, name := range []string{"token endpoint", "feed"} {
		requests[name].Header.Del("Cookie")
	}
	return requests
}

// post returns a request with the cookies of the user.
func (d *fullDisk) post(path, body string, headers ...string) *http.Request {
	r := httptest.NewRequestWithContext(d.T.Context(), http.MethodPost, path, strings.NewReader(body))
	for name, value := range maps.All(d.user.cookies) {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return r
}

func (d *fullDisk) get(path string) *httptest.ResponseRecorder {
	return d.serve(httptest.NewRequestWithContext(d.T.Context(), http.MethodGet, path, nil))
}

func (d *fullDisk) serve(r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	d.Handler.ServeHTTP(w, r)
	return w
}

// expectReads checks pages and endpoints that read the store.
func (d *fullDisk) expectReads(t *testing.T) {
	t.Helper()
	d.user.open("/account").expect(200, "Veiled")
	d.user.open(authorizePath(d.app, "identify")).expect(200, "Board")
	for path, status := range map[string]int{
		"/v3/player/Nobody": 404, "/v3/leaderboards/types": 200, "/v3/map/locations/markers": 200,
	} {
		if w := d.get(path); w.Code != status {
			t.Errorf("%s: got %d %s", path, w.Code, w.Body)
		}
	}
}

// expectTokensOnce checks that each request issued one token.
func (d *fullDisk) expectTokensOnce(t *testing.T) {
	t.Helper()
	access, err := d.Store.Grants.Of(t.Context(), d.account)
	if err != nil || len(access) != 1 {
		t.Errorf("got %d access tokens, want 1 (%v)", len(access), err)
	}
	account, err := d.Users.ByID(t.Context(), d.account)
	if err != nil || len(account.Tokens) != 2 {
		t.Errorf("got the tokens %v, want one of the page and one of a mutation (%v)", account.Tokens, err)
	}
	if w := d.get("/v3/player/Fernwick"); w.Code != 200 {
		t.Errorf("the player of the feed: got %d %s", w.Code, w.Body)
	}
}
