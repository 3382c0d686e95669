package app_test

import (
	"fmt"
	"strings"
	"testing"

	"gamedata/internal/app/apptest"
)

const saveQuery = `mutation($name: String!, $query: String!) {
	saveQuery(input: {name: $name, query: $query}) { savedQuery { name } userErrors { field code message } }
}`

func (user *webUser) savedQueries() map[string]string {
	user.t.Helper()
	res := user.mutate(`{ viewer { savedQueries { name query variables savedAt } } }`, nil)
	saved := map[string]string{}
	for _, q := range apptest.Decode[struct {
		Data struct {
			Viewer struct {
				SavedQueries []struct{ Name, Query string }
			}
		}
	}](user.t, res.Body).Data.Viewer.SavedQueries {
		saved[q.Name] = q.Query
	}
	return saved
}

// A user saves queries, renames and deletes them; nobody else sees or changes them, and they go with the account.
func TestSavedQueries(t *testing.T) {
	t.Parallel()
	p, _ := apptest.StartDemo(t, "--session-rate", "1000")
	user, other := signedUp(t, p, "Salted"), signedUp(t, p, "Brindle")
	save := func(u *webUser, name, query string) []userError {
		t.Helper()
		return u.mutate(saveQuery, map[string]any{"name": name, "query": query}).userErrors(t)
	}
	for _, q := range [][2]string{{"Guilds", "{ a }"}, {"Boards", "{ b }"}, {"Guilds", "{ c }"}} {
		if errs := save(user, q[0], q[1]); len(errs) > 0 {
			t.Fatalf("save %v: got %v", q, errs)
		}
	}
	if got := user.savedQueries(); len(got) != 2 || got["Guilds"] != "{ c }" || got["Boards"] != "{ b }" {
		t.Errorf("got %v, want two, the second saved again", got)
	}
	if got := other.savedQueries(); len(got) != 0 {
		t.Errorf("another user sees %v", got)
	}
	for name, c := range map[string]struct{ name, query, code string }{
		"no name":    {"", "{ a }", "INVALID_FORM"},
		"long name":  {strings.Repeat("x", 41), "{ a }", "INVALID_FORM"},
		"no query":   {"Empty", " \n", "INVALID_FORM"},
		"long query": {"Long", strings.Repeat("x", 20_001), "INVALID_FORM"},
	} {
		if errs := save(user, c.name, c.query); len(errs) != 1 || errs[0].Code != c.code {
			t.Errorf("%s: got %v, want %s", name, errs, c.code)
		}
	}

	rename := func(u *webUser, from, to string) []userError {
		t.Helper()
		return u.mutate(`mutation($from: String!, $to: String!) {
			renameSavedQuery(input: {savedAs: $from, name: $to}) { savedQuery { name } userErrors { field code message } }
		}`, map[string]any{"from": from, "to": to}).userErrors(t)
	}
	remove := func(u *webUser, name string) []userError {
		t.Helper()
		return u.mutate(`mutation($name: String!) {
			deleteSavedQuery(input: {savedAs: $name}) { deletedName userErrors { field code message } }
		}`, map[string]any{"name": name}).userErrors(t)
	}
	if errs := rename(user, "Guilds", "All guilds"); len(errs) > 0 {
		t.Errorf("rename: got %v", errs)
	}
	for name, c := range map[string]struct {
		errs []userError
		code string
	}{
		"to a name in use":         {rename(user, "All guilds", "Boards"), "CONFLICT"},
		"an unknown one":           {rename(user, "Guilds", "New"), "NOT_FOUND"},
		"one of another user":      {rename(other, "Boards", "New"), "NOT_FOUND"},
		"delete another user's":    {remove(other, "Boards"), "NOT_FOUND"},
		"delete one that is gone":  {remove(user, "Guilds"), "NOT_FOUND"},
		"rename to an invalid one": {rename(user, "Boards", " x"), "INVALID_FORM"},
	} {
		if len(c.errs) != 1 || c.errs[0].Code != c.code {
			t.Errorf("%s: got %v, want %s", name, c.errs, c.code)
		}
	}
	if errs := remove(user, "Boards"); len(errs) > 0 {
		t.Errorf("delete: got %v", errs)
	}
	if got := user.savedQueries(); len(got) != 1 || got["All guilds"] != "{ c }" {
		t.Errorf("afterwards: got %v", got)
	}

	for i := range 50 {
		if errs := save(other, fmt.Sprint("Query ", i), "{ a }"); len(errs) > 0 {
			t.Fatalf("query %d: got %v", i, errs)
		}
	}
	if errs := save(other, "One more", "{ a }"); len(errs) != 1 || errs[0].Code != "LIMIT_REACHED" {
		t.Errorf("query 51: got %v, want LIMIT_REACHED", errs)
	}
	if errs := save(other, "Query 7", "{ again }"); len(errs) > 0 || other.savedQueries()["Query 7"] != "{ again }" {
		t.Errorf("a full list: saving one again got %v", errs)
	}
	guest := newWebUser(t, p)
	for _, operation := range []string{
		`{ viewer { savedQueries { name } } }`,
		`mutation { deleteSavedQuery(input: {savedAs: "Query 7"}) { deletedName } }`,
	} {
		if res := string(guest.mutate(operation, nil).Body); !strings.Contains(res, `"savedQueries":null`) &&
			!strings.Contains(res, "SESSION_REQUIRED") {
			t.Errorf("a guest: got %s", res)
		}
	}
}
