package app_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gamedata/internal/app/apptest"
)

const createSavedQuery = `mutation($name: String!, $query: String!, $key: String) {
	createSavedQuery(input: {name: $name, query: $query, idempotencyKey: $key}) {
		savedQuery { id name } replayed userErrors { field code message }
	}
}`

type savedQuery struct{ ID, Name, Query, Variables string }

func (user *webUser) savedQueries() map[string]savedQuery {
	user.t.Helper()
	res := user.mutate(`{ viewer { savedQueries { id name query variables savedAt } } }`, nil)
	saved := map[string]savedQuery{}
	for _, q := range apptest.Decode[struct {
		Data struct {
			Viewer struct{ SavedQueries []savedQuery }
		}
	}](user.t, res.Body).Data.Viewer.SavedQueries {
		saved[q.Name] = q
	}
	return saved
}

// A user saves queries, changes and deletes them; no one else sees or changes them, and they go with the account.
func TestSavedQueries(t *testing.T) {
	t.Parallel()
	p, _ := apptest.StartDemo(t, "--session-rate", "1000")
	user, other := signedUp(t, p, "Salted"), signedUp(t, p, "Brindle")
	save := func(u *webUser, name, query string) []userError {
		t.Helper()
		return u.mutate(createSavedQuery, map[string]any{"name": name, "query": query}).userErrors(t)
	}
	for _, q := range [][2]string{{"Guilds", "{ a }"}, {"Boards", "{ b }"}} {
		if errs := save(user, q[0], q[1]); len(errs) > 0 {
			t.Fatalf("save %v: got %v", q, errs)
		}
	}
	saved := user.savedQueries()
	if len(saved) != 2 || saved["Guilds"].Query != "{ a }" || saved["Boards"].Query != "{ b }" {
		t.Errorf("got %v", saved)
	}
	if got := other.savedQueries(); len(got) != 0 {
		t.Errorf("another user sees %v", got)
	}
	for name, c := range map[string]struct{ name, query, code string }{
		"no name":       {"", "{ a }", "INVALID_FORM"},
		"long name":     {strings.Repeat("x", 41), "{ a }", "INVALID_FORM"},
		"no query":      {"Empty", " \n", "INVALID_FORM"},
		"long query":    {"Long", strings.Repeat("x", 20_001), "INVALID_FORM"},
		"a name in use": {"Guilds", "{ c }", "CONFLICT"},
	} {
		if errs := save(user, c.name, c.query); len(errs) != 1 || errs[0].Code != c.code {
			t.Errorf("%s: got %v, want %s", name, errs, c.code)
		}
	}

	guilds, boards := saved["Guilds"].ID, saved["Boards"].ID
	nodeName := func(u *webUser, id string) any {
		t.Helper()
		res := u.mutate(`query($id: ID!) { node(id: $id) { id ... on SavedQuery { name } } }`, map[string]any{"id": id})
		return res.Data["node"]["name"]
	}
	guest := newWebUser(t, p)
	if got := []any{nodeName(user, boards), nodeName(other, boards), nodeName(guest, boards)}; got[0] != "Boards" ||
		got[1] != nil || got[2] != nil {
		t.Errorf("node of its owner, another user and a guest: got %v", got)
	}

	update := func(u *webUser, input map[string]any) []userError {
		t.Helper()
		return u.mutate(`mutation($input: UpdateSavedQueryInput!) {
			updateSavedQuery(input: $input) { savedQuery { name } userErrors { field code message } }
		}`, map[string]any{"input": input}).userErrors(t)
	}
	remove := func(u *webUser, id string) []userError {
		t.Helper()
		return u.mutate(`mutation($id: ID!) {
			deleteSavedQuery(input: {id: $id}) { deletedId userErrors { field code message } }
		}`, map[string]any{"id": id}).userErrors(t)
	}
	type input = map[string]any
	for name, change := range map[string]input{
		"a new name":      {"id": guilds, "name": "All guilds"},
		"a new query":     {"id": guilds, "query": "{ c }"},
		"new variables":   {"id": guilds, "variables": "{}"},
		"the same values": {"id": guilds},
	} {
		if errs := update(user, change); len(errs) > 0 {
			t.Errorf("%s: got %v", name, errs)
		}
	}
	for name, c := range map[string]struct {
		errs []userError
		code string
	}{
		"to a name in use":         {update(user, input{"id": guilds, "name": "Boards"}), "CONFLICT"},
		"an unknown one":           {update(user, input{"id": "x", "name": "New"}), "NOT_FOUND"},
		"one of another user":      {update(other, input{"id": boards, "name": "New"}), "NOT_FOUND"},
		"delete another user's":    {remove(other, boards), "NOT_FOUND"},
		"rename to an invalid one": {update(user, input{"id": boards, "name": " x"}), "INVALID_FORM"},
		"no query":                 {update(user, input{"id": boards, "query": ""}), "INVALID_FORM"},
	} {
		if len(c.errs) != 1 || c.errs[0].Code != c.code {
			t.Errorf("%s: got %v, want %s", name, c.errs, c.code)
		}
	}
	if errs := remove(user, boards); len(errs) > 0 {
		t.Errorf("delete: got %v", errs)
	}
	if errs := remove(user, boards); len(errs) != 1 || errs[0].Code != "NOT_FOUND" {
		t.Errorf("delete one that is gone: got %v", errs)
	}
	want := map[string]savedQuery{"All guilds": {guilds, "All guilds", "{ c }", "{}"}}
	if diff := cmp.Diff(want, user.savedQueries()); diff != "" {
		t.Errorf("afterwards (-want +got):\n%s", diff)
	}

	for i := range 50 {
		if errs := save(other, fmt.Sprint("Query ", i), "{ a }"); len(errs) > 0 {
			t.Fatalf("query %d: got %v", i, errs)
		}
	}
	if errs := save(other, "One more", "{ a }"); len(errs) != 1 || errs[0].Code != "LIMIT_REACHED" {
		t.Errorf("query 51: got %v, want LIMIT_REACHED", errs)
	}
	if errs := update(other, input{"id": other.savedQueries()["Query 7"].ID, "query": "{ again }"}); len(errs) > 0 {
		t.Errorf("a full list: changing one got %v", errs)
	}
	for _, operation := range []string{
		`{ viewer { savedQueries { name } } }`,
		`mutation { deleteSavedQuery(input: {id: "x"}) { deletedId } }`,
	} {
		if res := string(guest.mutate(operation, nil).Body); !strings.Contains(res, `"savedQueries":null`) &&
			!strings.Contains(res, "SESSION_REQUIRED") {
			t.Errorf("a guest: got %s", res)
		}
	}
}

// A mutation that is repeated with its idempotency key creates nothing, even while the first call runs.
func TestIdempotencyKeys(t *testing.T) {
	t.Parallel()
	p, _ := apptest.StartDemo(t, "--session-rate", "1000")
	user, other := signedUp(t, p, "Salted"), signedUp(t, p, "Brindle")
	const mutation = `mutation($token: String!, $app: String!, $query: String!, $key: String) {
		createToken(input: {name: $token, idempotencyKey: $key}) {
			token { id name } value replayed userErrors { field code message }
		}
		createApplication(input: {name: $app, private: true, redirectUris: ["https://a.example/"], idempotencyKey: $query}) {
			application { id name } secret replayed userErrors { field code message }
		}
		createSavedQuery(input: {name: $query, query: "{ a }", idempotencyKey: $app}) {
			savedQuery { id name } replayed userErrors { field code message }
		}
		createWebhook(input: {url: "https://board.example/", idempotencyKey: $token}) {
			webhook { id } secret replayed userErrors { field code message }
		}
	}`
	objects := map[string]struct{ member, secret string }{
		"createToken": {"token", "value"}, "createApplication": {"application", "secret"},
		"createSavedQuery": {"savedQuery", ""}, "createWebhook": {"webhook", "secret"},
	}
	variables := map[string]any{"token": "a", "app": "b", "query": "c", "key": "k"}
	results := make([]graphqlResponse, 8)
	var calls sync.WaitGroup
	for i := range results {
		calls.Go(func() { results[i] = user.mutate(mutation, variables) })
	}
	calls.Wait()
	for name, o := range objects {
		var created int
		for _, res := range results {
			payload := user.expectData(res)[name]
			if payload["replayed"] == false {
				created++
			}
			object, isObject := payload[o.member].(map[string]any)
			if !isObject || object["id"] != results[0].Data[name][o.member].(map[string]any)["id"] {
				t.Errorf("%s: got %s", name, res.Body)
			}
			if o.secret != "" && (payload[o.secret] != nil) != (payload["replayed"] == false) {
				t.Errorf("%s: got %s, want a secret in the first response only", name, res.Body)
			}
		}
		if created != 1 {
			t.Errorf("%s: %d of %d calls created something", name, created, len(results))
		}
	}
	if got := user.savedQueries(); len(got) != 1 {
		t.Errorf("saved %v", got)
	}

	changed := user.mutate(mutation, map[string]any{"token": "x", "app": "b", "query": "c", "key": "k"})
	if errs := changed.userErrors(t); len(errs) != 1 || errs[0].Code != "IDEMPOTENCY_KEY_REUSED" ||
		strings.Join(errs[0].Field, ".") != "input.idempotencyKey" {
		t.Errorf("another input: got %s", changed.Body)
	}
	shared := user.mutate(createSavedQuery, map[string]any{"name": "x", "query": "{ a }", "key": "k"})
	if errs := shared.userErrors(t); len(errs) != 1 || errs[0].Code != "IDEMPOTENCY_KEY_REUSED" {
		t.Errorf("another mutation: got %s", shared.Body)
	}
	if res := other.mutate(mutation, variables); other.expectData(res)["createToken"]["replayed"] != false {
		t.Errorf("the key of another account: got %s", res.Body)
	}
	for name, key := range map[string]string{"empty": "", "too long": strings.Repeat("k", 129), "control": "a\n"} {
		user.expectError(createSavedQuery, map[string]any{"name": "y", "query": "{ a }", "key": key},
			"input.idempotencyKey", "INVALID_FORM", name)
	}

	id := results[0].Data["createSavedQuery"]["savedQuery"].(map[string]any)["id"]
	user.mutate(`mutation($id: ID!) { deleteSavedQuery(input: {id: $id}) { deletedId } }`, map[string]any{"id": id})
	user.expectError(createSavedQuery, map[string]any{"name": "c", "query": "{ a }", "key": "b"},
		"input.idempotencyKey", "NOT_FOUND", "deleted since")
	// A call that created nothing does not use its key.
	taken := map[string]any{"name": "d", "query": " ", "key": "free"}
	user.expectError(createSavedQuery, taken, "input.query", "INVALID_FORM", "an invalid query")
	taken["query"] = "{ a }"
	if res := user.mutate(createSavedQuery, taken); user.expectData(res)["createSavedQuery"]["replayed"] != false {
		t.Errorf("corrected: got %s", res.Body)
	}
}
