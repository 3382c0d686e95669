package account

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"gamedata/internal/app/apptest"
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
	}}, "--session-rate", "1000")
	user := signedUp(t, &apptest.Program{Base: svc.URL}, "Veiled")
	app := user.register()
	consent := authorizePath(app, "identify")
	code := codeForm(app, user.open(consent).submit("/oauth/authorize", "decision", "allow").redirected().Get("code"))
	feedToken, err := svc.Users.FeedTokens.Create(t.Context(), "eu-1")
	if err != nil {
		t.Fatal(err)
	}
	const urlEncoded = "application/x-www-form-urlencoded"
	writes := func() map[string]apptest.Response {
		form := func(path string, pairs ...string) apptest.Response {
			values := url.Values{"form": {attribute(find(user.open("/account").page, hidden), "value")}}
			for i := 0; i < len(pairs); i += 2 {
				values.Set(pairs[i], pairs[i+1])
			}
			return svc.Request(http.MethodPost, path, values.Encode(), "Content-Type", urlEncoded, "Origin", svc.URL, "Cookie",
				user.cookieHeader())
		}
		return map[string]apptest.Response{
			"token endpoint":     svc.Request("POST", "/v3/oauth/token", code.Encode(), "Content-Type", urlEncoded),
			"consent page":       form(consent, "decision", "allow"),
			"create token":       form("/account/tokens/create", "name", "of the page"),
			"create application": form("/account/applications/create", "name", "Moss", "redirectUris", redirectURI),
			"mutation":           user.request(`mutation { createToken(input: {name: "of a mutation"}) { value } }`, nil),
			"feed": svc.Request("POST", "/feed", `{"id": "p", "event": "PlayerAdded", "data": {"player": "`+mongotest.UUID(1)+
				`", "username": "Fernwick"}}`, "Content-Type", "application/x-ndjson", "Authorization", "Bearer "+feedToken),
		}
	}
	reads := func() {
		t.Helper()
		user.open("/account").expect(200, "Veiled").open(consent).expect(200, "Moss board")
		for path, status := range map[string]int{
			"/v3/player/Nobody": 404, "/v3/leaderboards/types": 200, "/v3/map/locations/markers": 200,
		} {
			svc.Request("GET", path, "").Expect(t, path, status)
		}
	}

	proxy.Handle(func(c mongotest.Command) (a mongotest.Action) {
		if slices.Contains([]string{"insert", "update", "delete", "findAndModify", "bulkWrite"}, c.Name) {
			a.Reply = mongotest.CommandFailure(outOfSpace)
		}
		return a
	})
	for range 2 { // the breaker stays closed
		for name, res := range writes() {
			expectRefused(t, name, res)
		}
		reads()
	}
	if res := svc.Request("GET", "/readyz", ""); res.Status != 200 ||
		!res.Has("degraded: store: the store accepts no writes") {
		t.Errorf("readiness: got %d %s", res.Status, res.Body)
	}

	proxy.Handle(nil)
	for name, res := range writes() {
		if res.Status >= 400 || res.Has("UNAVAILABLE") {
			t.Errorf("%s, afterwards: got %d %s", name, res.Status, res.Body)
		}
	}
	if res := writes()["token endpoint"]; res.Status != 400 || !res.Has("invalid_grant") {
		t.Errorf("the code again: got %d %s", res.Status, res.Body)
	}
	reads()
	account, err := svc.Users.ByName(t.Context(), "Veiled")
	if err != nil || len(account.Tokens) != 2 {
		t.Fatalf("got %+v, %v, want one token of the page and one of a mutation", account, err)
	}
	if access, err := svc.Store.Grants.Of(t.Context(), account.ID); err != nil || len(access) != 1 {
		t.Errorf("got %d access tokens, want 1 (%v)", len(access), err)
	}
	svc.Request("GET", "/v3/player/Fernwick", "").Expect(t, "the player of the feed", 200)
}

// expectRefused checks the response to a request whose writes were refused: 503, as JSON or as a page; for a mutation,
// an error of its field.
func expectRefused(t *testing.T, name string, res apptest.Response) {
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
