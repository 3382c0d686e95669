package account

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"gamedata/internal/app/apptest"
)

var competitionPath = regexp.MustCompile(`/competitions/[a-z0-9]+`)

// A user creates a competition of a guild and one of players, everybody sees their standings, and they end with the
// account's wish.
func TestCompetitionPages(t *testing.T) {
	t.Parallel()
	p, _ := apptest.StartDemo(t, "--session-rate", "1000")
	day := func(n int) string { return time.Now().UTC().AddDate(0, 0, n).Format(time.DateOnly) }
	user := signedUp(t, p, "Salted").open("/account/competitions").expect(200, "No competitions yet.").
		submit("/account/competitions/create", "name", "Two", "metric", "PLAYTIME", "startsAt", day(-9), "endsAt", day(-2),
			"guild", "", "players", "brindle\r\n Salted").expect(200, "Competition created.", ">Two<")
	path := competitionPath.FindString(user.text)
	guest := newWebUser(t, p)
	guest.open(path).expect(200, "It is over", "2 players")
	user.submit("/account/competitions/create", "name", "Company", "metric", "CONTRIBUTED", "startsAt", day(-9), "endsAt",
		day(9), "guild", "mossbound company", "players", "").expect(200, ">Company<")
	guest.open(competitionPath.FindString(user.text)).expect(200, "It is running", "members of", "Mossbound Company")
	user.submit("/account/competitions/create", "name", "Nobody", "metric", "WARS", "startsAt", day(-9), "endsAt", day(9),
		"guild", "", "players", "Salted Nobody-at-all Twinleaf").
		rejected(404, "players", "There is no player with this name or UUID: “Nobody-at-all”. "+
			"Several players have this name: give the UUID of one: “Twinleaf”.", `value="Nobody"`, `value="WARS" selected`,
			`value="`+day(-9)+`"`,
			`value="`+day(9)+`"`, ">Salted Nobody-at-all Twinleaf</textarea>")
	user.submit("/account/competitions/create", "name", "Never", "metric", "WARS", "startsAt", day(-9), "endsAt", day(-10),
		"players", "Salted Brindle").rejected(400, "endsAt", "A competition ends after it begins", `value="Never"`)
	user.submit("/account/competitions/create", "name", "Ever", "metric", "WARS", "startsAt", day(1), "endsAt", "",
		"players", "Salted Brindle").rejected(400, "endsAt", "Choose the last day of the competition.", `value="Ever"`)
	user.submit("/account/competitions/create", "name", "Ever", "metric", "", "startsAt", day(1), "endsAt", day(2)).
		expect(400, "The form could not be read.", `value="Ever"`)
	user.confirm("/account/competitions/delete").expect(200, "Competition deleted.")
	user.confirm("/account/competitions/delete").expect(200, "No competitions yet.")
	guest.open("/competitions/company").expect(200, "Company against itself", "members of")
	guest.open("/competitions/unknown").expect(404)
}

// Competitions are created in a session, within limits, and deleted by their own account.
func TestCompetitionMutations(t *testing.T) {
	t.Parallel()
	p, _ := apptest.StartDemo(t, "--session-rate", "1000")
	user, other := signedUp(t, p, "Salted"), signedUp(t, p, "Brindle")
	const create = `mutation($input: CreateCompetitionInput!) { createCompetition(input: $input) {
		competition { id key playerCount guild { name } startsAt endsAt } userErrors { field code message } } }`
	now := time.Now().UTC()
	input := func(changes ...any) map[string]any {
		in := map[string]any{
			"name": "C", "metric": "WARS", "startsAt": now.Format(time.RFC3339), "endsAt": now.Format(time.RFC3339),
			"players": []string{"Salted", "Brindle"},
		}
		for i := 0; i < len(changes); i += 2 {
			in[changes[i].(string)] = changes[i+1]
		}
		return map[string]any{"input": in}
	}
	created := user.mutate(create, input()).Data["createCompetition"]
	c, _ := created["competition"].(map[string]any)
	today := now.Truncate(24 * time.Hour)
	if c["playerCount"] != 2.0 ||
		!strings.HasPrefix(fmt.Sprint(c["startsAt"]), today.Format(time.DateOnly)+"T00:00:00") ||
		!strings.HasPrefix(fmt.Sprint(c["endsAt"]), today.AddDate(0, 0, 1).Format(time.DateOnly)+"T00:00:00") {
		t.Errorf("got %v", created)
	}
	many := make([]string, 101)
	for i := range many {
		many[i] = "Salted"
	}
	at := func(days int) string { return now.AddDate(0, 0, days).Format(time.RFC3339) }
	for name, bad := range map[string]struct {
		changes []any
		code    string
	}{
		"no name":         {[]any{"name", ""}, "INVALID_FORM"},
		"no players":      {[]any{"players", []string{}}, "INVALID_FORM"},
		"one player":      {[]any{"players", []string{"Salted", "salted"}}, "INVALID_FORM"},
		"many players":    {[]any{"players", many}, "INVALID_FORM"},
		"guild and more":  {[]any{"guild", map[string]any{"prefix": "MOSS"}}, "INVALID_FORM"},
		"backwards":       {[]any{"endsAt", at(-1)}, "INVALID_FORM"},
		"long":            {[]any{"startsAt", at(-200), "endsAt", at(200)}, "INVALID_FORM"},
		"long ago":        {[]any{"startsAt", at(-400), "endsAt", at(-300)}, "INVALID_FORM"},
		"far away":        {[]any{"startsAt", at(735), "endsAt", at(740)}, "INVALID_FORM"},
		"of guilds":       {[]any{"metric", "TERRITORIES"}, "INVALID_FORM"},
		"unknown player":  {[]any{"players", []string{"Salted", "Nobody-at-all"}}, "NOT_FOUND"},
		"several players": {[]any{"players", []string{"Salted", "Mirrored"}}, "NOT_FOUND"},
		"unknown guild":   {[]any{"players", []string{}, "guild", map[string]any{"name": "No guild"}}, "NOT_FOUND"},
		"malformed tag":   {[]any{"players", []string{}, "guild", map[string]any{"prefix": "?"}}, "NOT_FOUND"},
	} {
		if errs := user.mutate(create, input(bad.changes...)).userErrors(t); len(errs) != 1 || errs[0].Code != bad.code {
			t.Errorf("%s: got %v, want %s", name, errs, bad.code)
		}
	}
	const remove = `mutation($id: ID!) { deleteCompetition(input: {id: $id}) { userErrors { field code message } } }`
	id := map[string]any{"id": c["id"]}
	other.expectError(remove, id, "input.id", "NOT_FOUND", "another user")
	if guest := newWebUser(t, p).mutate(create, input()); guest.code() != "SESSION_REQUIRED" {
		t.Errorf("a guest: got %s", guest.Body)
	}
	const node = `query($id: ID!) { node(id: $id) { ... on Competition { name } } viewer { competitions { name } } }`
	if body := string(other.request(node, id).Body); !strings.Contains(body, `"node":{"name":"C"}`) ||
		!strings.Contains(body, `"competitions":[]`) {
		t.Errorf("another user sees %s", body)
	}
	for range 19 {
		if errs := user.mutate(create, input()).userErrors(t); len(errs) > 0 {
			t.Fatal(errs)
		}
	}
	user.expectError(create, input(), "", "LIMIT_REACHED", "competition 21")
	if errs := user.mutate(remove, id).userErrors(t); len(errs) > 0 {
		t.Error(errs)
	}
}
