package account

import (
	"net/http"
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
	svc.Serve(mongo.Options{Options: conn.Options{
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
		for name, send := range d.writes() {
			d.expectRefused(t, name, send())
		}
		d.expectReads(t)
	}
	if res := d.Request("GET", "/readyz", ""); res.Status != 200 ||
		!res.Has("degraded: store: the store accepts no writes") {
		t.Errorf("readiness: got %d %s", res.Status, res.Body)
	}

	proxy.Handle(nil)
	for name, send := range d.writes() {
		if res := send(); res.Status >= 400 || res.Has("UNAVAILABLE") {
			t.Errorf("%s, afterwards: got %d %s", name, res.Status, res.Body)
		}
	}
	if res := d.writes()["token endpoint"](); res.Status != 400 || !res.Has("invalid_grant") {
		t.Errorf("the code again: got %d %s", res.Status, res.Body)
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
func (d *fullDisk) expectRefused(t *testing.T, name string, res apptest.Response) {
	t.Helper()
	status, wait, want := 503, "5", `"code":503`
	switch {
	case name == "mutation":
		status, wait, want = 200, "", `"extensions":{"code":"SERVICE_UNAVAILABLE"}}],"data":{"createToken":null}`
	case strings.HasPrefix(res.Header.Get("Content-Type"), "text/html"):
		want = "The service is temporarily unavailable. Try again in a moment."
	}
	if res.Expect(t, name, status, "Retry-After", wait); !res.Has(want) {
		t.Errorf("%s: got %s, want %s", name, res.Body, want)
	}
}

func newFullDisk(t *testing.T, svc *apptest.Service) *fullDisk {
	t.Helper()
	d := &fullDisk{Service: svc, user: signedUp(t, &apptest.Program{Base: svc.URL}, "Veiled")}
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

func (d *fullDisk) writes() map[string]func() apptest.Response {
	formToken := attribute(find(d.user.open("/account").page, hidden), "value")
	const urlEncoded = "application/x-www-form-urlencoded"
	post := func(path, body string, headers ...string) func() apptest.Response {
		return func() apptest.Response { return d.Request(http.MethodPost, path, body, headers...) }
	}
	form := func(path string, pairs ...string) func() apptest.Response {
		values := url.Values{"form": {formToken}}
		for i := 0; i < len(pairs); i += 2 {
			values.Set(pairs[i], pairs[i+1])
		}
		return post(path, values.Encode(), "Content-Type", urlEncoded, "Origin", d.URL, "Cookie", d.user.cookieHeader())
	}
	return map[string]func() apptest.Response{
		"token endpoint":     post("/v3/oauth/token", codeForm(d.app, d.code).Encode(), "Content-Type", urlEncoded),
		"consent page":       form(authorizePath(d.app, "identify"), "decision", "allow"),
		"create token":       form("/account/tokens/create", "name", "of the page"),
		"create application": form("/account/applications/create", "name", "Moss", "redirectUris", redirectURI),
		"mutation": func() apptest.Response {
			return d.user.request(`mutation { createToken(input: {name: "of a mutation"}) { value } }`, nil)
		},
		"feed": post("/feed", `{"id": "p", "event": "PlayerAdded", "data": {"player": "`+mongotest.UUID(1)+
			`", "username": "Fernwick"}}`, "Content-Type", "application/x-ndjson", "Authorization", "Bearer "+d.feedToken),
	}
}

// expectReads checks pages and endpoints that read the store.
func (d *fullDisk) expectReads(t *testing.T) {
	t.Helper()
	d.user.open("/account").expect(200, "Veiled")
	d.user.open(authorizePath(d.app, "identify")).expect(200, "Board")
	for path, status := range map[string]int{
		"/v3/player/Nobody": 404, "/v3/leaderboards/types": 200, "/v3/map/locations/markers": 200,
	} {
		d.Request("GET", path, "").Expect(t, path, status)
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
	d.Request("GET", "/v3/player/Fernwick", "").Expect(t, "the player of the feed", 200)
}
