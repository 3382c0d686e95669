package account

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"gamedata/graph/model"
	"gamedata/internal/app"
	"gamedata/internal/app/apptest"
	"gamedata/mongo"
)

// A user creates a webhook on their page, tests it, sees the results of events, disables, enables and deletes it.
func TestWebhookPage(t *testing.T) {
	t.Parallel()
	p, dir := apptest.StartDemo(t, "--session-rate", "1000", "--webhook-private-addresses")
	bodies, gone := make(chan string, 10), atomic.Bool{}
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if gone.Load() {
			w.WriteHeader(http.StatusGone)
		}
		body, _ := io.ReadAll(r.Body)
		bodies <- string(body)
	}))
	defer receiver.Close()
	user := signedUp(t, p, "Salted").open("/account/webhooks").expect(200, "No webhooks yet.").
		submit("/account/webhooks/create", "url", receiver.URL, "types", "WAR_FINISHED", "guilds",
			"Mossbound Company\r\nNobody", "players", "salted\nTwinleaf\n"+apptest.CastUUID("Brindle"), "territories", "Atlantis").
		rejected(404, "guilds", "None of the guilds has the name “Nobody”.", "\r\nNobody</textarea>").
		rejected(404, "players", "Several players have the name “Twinleaf”", `value="`+receiver.URL+`"`).
		rejected(404, "territories", "None of the territories has the name “Atlantis”.", `value="WAR_FINISHED" checked`).
		submit("/account/webhooks/create", "url", receiver.URL, "format", "JSON", "guilds",
			"Moſſbound company\nmossbound company", "players", "salted\n"+apptest.CastUUID("Brindle")).
		expect(200, "<dd>Mossbound Company</dd>", "<dd>Salted, Brindle</dd>").
		confirm("/account/webhooks/delete").
		submit("/account/webhooks/create", "url", receiver.URL, "format", "DISCORD",
			"territories", "Alderford Crossing\r\n\r\n Alderford Fields ").expect(200, "Secret of the new webhook")
	if secret := user.fieldValue("created-secret"); !strings.HasPrefix(secret, "whsec_") || len(secret) != 50 {
		t.Errorf("got the secret %s", secret)
	}
	user.expect(200, "Alderford Fields</dd>", "Nothing was sent yet.").
		submit("/account/webhooks/test").expect(200, "The test event was delivered")
	if body := <-bodies; !strings.Contains(body, "This is a test of your webhook.") {
		t.Errorf("got the test %s", body)
	}
	db, err := app.JoinStore(t.Context(), apptest.StoreIn(dir))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	capture := func() {
		t.Helper()
		if err := db.Events.Append(t.Context(), mongo.NewEvent{Data: &model.TerritoryCaptured{
			Territory: "Alderford Fields", To: &model.EventGuild{UUID: "x", Name: "Mossbound", Prefix: "MOS"},
		}}); err != nil {
			t.Fatal(err)
		}
	}
	showing := func(text string) {
		t.Helper()
		for user.open("/account/webhooks"); !strings.Contains(user.text, text); user.open("/account/webhooks") {
			if t.Context().Err() != nil {
				t.Fatalf("the page does not show %q: %s", text, user.text)
			}
		}
	}
	capture()
	if body := <-bodies; !strings.Contains(body, "**Mossbound** \\\\[MOS\\\\] captured **Alderford Fields**, which was free.") {
		t.Errorf("got %s", body)
	}
	showing("<td>delivered</td>")
	gone.Store(true)
	capture()
	<-bodies
	showing("which means that it is gone")
	gone.Store(false)
	user.submit("/account/webhooks/update").expect(200, "Webhook changed.", ">enabled<")
	<-bodies
	showing("<td>delivered</td>")
	user.submit("/account/webhooks/update").expect(200, "Webhook changed.", "by you")
	user.confirm("/account/webhooks/delete").expect(200, "Webhook deleted.", "No webhooks yet.")
	user.submit("/account/webhooks/create", "url", receiver.URL, "format", "JSON", "players",
		strings.Repeat("some name of a player\n", 10_000)).
		rejected(400, "players", "Name at most 100 players, not 10000.", "player\nsome name")
	user.submit("/account/webhooks/create", "url", "ftp://board.example", "format", "DISCORD").
		rejected(400, "url", "The address of a webhook is a public https URL", `value="ftp://board.example"`,
			`value="DISCORD" selected`)
	user.submit("/account/webhooks/create", "url", strings.Repeat("x", 1<<20)).expect(413, "The form could not be read.")
}

// Webhooks are changed by their own account, in a session, and with addresses that are allowed.
func TestWebhookMutations(t *testing.T) {
	t.Parallel()
	p, _ := apptest.StartDemo(t, "--session-rate", "1000")
	user, other := signedUp(t, p, "Salted"), signedUp(t, p, "Brindle")
	create := func(input map[string]any) graphqlResponse {
		return user.mutate(`mutation($input: CreateWebhookInput!) { createWebhook(input: $input) {
			webhook { id url format types guildUuids createdAt failures deliveries { sentAt } } secret
			userErrors { field code message }
		} }`, map[string]any{"input": input})
	}
	const address = "https://board.example/events"
	created := create(map[string]any{"url": address, "types": []string{"WAR_FINISHED"}})
	hook, _ := created.Data["createWebhook"]["webhook"].(map[string]any)
	id, _ := hook["id"].(string)
	if errs := created.userErrors(t); len(errs) > 0 || id == "" || hook["format"] != "JSON" {
		t.Fatalf("got %s", created.Body)
	}
	for name, url := range map[string]string{
		"http": "http://board.example", "private": "https://10.0.0.1/x", "no host": "https:///x", "text": "x",
		"user": "https://a:b@board.example/", "long": address + strings.Repeat("x", 500), "fragment": address + "#x",
	} {
		res := create(map[string]any{"url": url})
		if errs := res.userErrors(t); len(errs) != 1 || errs[0].Code != "INVALID_FORM" || errs[0].Field[1] != "url" {
			t.Errorf("%s: got %s", name, res.Body)
		}
	}
	var many []string
	for i := range 101 {
		many = append(many, string(rune('一'+i)))
	}
	if errs := create(map[string]any{"url": address, "territories": many}).userErrors(t); len(errs) != 1 {
		t.Errorf("101 territories: got %v", errs)
	}
	for _, operation := range []string{
		`mutation($id: ID!) { updateWebhook(input: {id: $id, enabled: false}) { userErrors { field code message } } }`,
		`mutation($id: ID!) { deleteWebhook(input: {id: $id}) { userErrors { field code message } } }`,
		`mutation($id: ID!) { sendTestEvent(input: {id: $id}) { userErrors { field code message } } }`,
	} {
		other.expectError(operation, map[string]any{"id": id}, "input.id", "NOT_FOUND", "another user")
		if guest := newWebUser(t, p).mutate(operation, map[string]any{"id": id}); guest.code() != "SESSION_REQUIRED" {
			t.Errorf("a guest: got %s", guest.Body)
		}
	}
	node := `query($id: ID!) { viewer { webhooks { url } } node(id: $id) { ... on Webhook { url disabledReason } } }`
	if body := string(other.request(node, map[string]any{"id": id}).Body); strings.Contains(body, address) {
		t.Errorf("another user sees %s", body)
	}
	if errs := user.mutate(`mutation($id: ID!) { updateWebhook(input: {id: $id, enabled: false, format: DISCORD}) {
		webhook { url } userErrors { field code message } } }`, map[string]any{"id": id}).userErrors(t); len(errs) > 0 {
		t.Errorf("got %v", errs)
	}
	if body := string(user.request(node, map[string]any{"id": id}).Body); strings.Count(body, address) != 2 ||
		!strings.Contains(body, `"disabledReason":"OWNER"`) {
		t.Errorf("the owner sees %s", body)
	}
}
