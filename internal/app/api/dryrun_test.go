package api

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gamedata/internal/app/apptest"
)

// A dry run returns the cost that a run is charged, without running or charging anything.
func TestDryRun(t *testing.T) {
	t.Parallel()
	svc := apptest.NewService(t)
	type result struct {
		Data       map[string]json.RawMessage
		Errors     []struct{ Extensions struct{ Code string } }
		Extensions struct{ Cost map[string]int }
	}
	send := func(query string, variables map[string]any) (apptest.Response, result) {
		t.Helper()
		res := apptest.GraphQL(t, svc.URL, query, variables)
		return res, apptest.Decode[result](t, res.Body)
	}
	left := func() (sum int) {
		t.Helper()
		_, got := send(`{rateLimit{buckets{remaining}}}`, nil)
		for _, b := range apptest.Decode[struct{ Buckets []struct{ Remaining int } }](t, got.Data["rateLimit"]).Buckets {
			sum += b.Remaining
		}
		return sum
	}
	const dry = ` price: rateLimit(dryRun: true) { cost { bucket cost } } `
	costs := func(text json.RawMessage) map[string]int {
		t.Helper()
		out := map[string]int{}
		for _, c := range apptest.Decode[struct {
			Cost []struct {
				Bucket string
				Cost   int
			}
		}](t, text).Cost {
			out[c.Bucket] = c.Cost
		}
		return out
	}
	for name, c := range map[string]struct {
		query     string // %s is where the dry run is selected
		variables map[string]any
	}{
		"a player":    {`{ %s player(by: {username: "Salted"}) { username } }`, nil},
		"two buckets": {`{ %s guilds(first: 1000) { nodes { name prefix level uuid wars } } items { nodes { id } } }`, nil},
		"a variable": {
			`query($n: Int!) { %s items(first: $n) { nodes { id displayName internalName } } }`, map[string]any{"n": 100_000},
		},
		"a default":         {`query($n: Int = 9) { %s items(first: $n) { nodes { id } } }`, nil},
		"in a fragment":     {`query { ...all } fragment all on Query { %s quests: questSummary { quests } }`, nil},
		"something skipped": {`{ %s viewer @skip(if: true) { kind } guilds { nodes { id } } }`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			before := left()
			_, priced := send(fmt.Sprintf(c.query, dry), c.variables)
			if len(priced.Errors) > 0 || len(priced.Data) != 1 || len(priced.Extensions.Cost) > 0 {
				t.Errorf("the dry run: got %+v, want only the price", priced)
			}
			if after := left(); after < before {
				t.Errorf("the dry run was charged: %d left, before %d", after, before)
			}
			price := costs(priced.Data["price"])
			_, ran := send(fmt.Sprintf(c.query, strings.ReplaceAll(dry, "true", "false")), c.variables)
			if len(ran.Errors) > 0 || len(ran.Data) < 2 {
				t.Errorf("the run: got %+v", ran)
			}
			if diff := cmp.Diff(ran.Extensions.Cost, price); diff != "" {
				t.Errorf("cost of the run and price (-run +price):\n%s", diff)
			}
			if diff := cmp.Diff(ran.Extensions.Cost, costs(ran.Data["price"])); diff != "" {
				t.Errorf("cost and rateLimit.cost of the run (-cost +rateLimit):\n%s", diff)
			}
		})
	}

	by := func(on bool) map[string]any { return map[string]any{"dry": on} }
	const variable = `query($dry: Boolean!) { rateLimit(dryRun: $dry) { cost { cost } } viewer { kind } }`
	if _, got := send(variable, by(true)); len(got.Data) != 1 || len(got.Errors) > 0 {
		t.Errorf("a variable that is true: got %+v", got)
	}
	if _, got := send(variable, by(false)); len(got.Data) != 2 || len(got.Errors) > 0 {
		t.Errorf("a variable that is false: got %+v", got)
	}

	for name, c := range map[string]struct{ query, code string }{
		"an unknown field": {`{` + dry + `nothing }`, "GRAPHQL_VALIDATION_FAILED"},
		"too expensive": {
			`{` + dry + `guilds(first: 1000) { nodes { members(first: 1000) { nodes { ` + ids + ` } } } } }`, "LIMIT_EXCEEDED",
		},
		"a wrong variable":  {`query($n: Int = "x") {` + dry + `items(first: $n) { nodes { id } } }`, "GRAPHQL_VALIDATION_FAILED"},
		"a missing one":     {`query($n: Int!) {` + dry + `items(first: $n) { nodes { id } } }`, "BAD_VARIABLES"},
		"not of a mutation": {`mutation {` + dry + `signOut { account } }`, "GRAPHQL_VALIDATION_FAILED"},
	} {
		if _, got := send(c.query, nil); len(got.Errors) == 0 || got.Errors[0].Extensions.Code != c.code {
			t.Errorf("%s: got %+v, want %s", name, got, c.code)
		}
	}
}

// ids are several fields of any object.
const ids = `id a: id b: id c: id d: id e: id f: id g: id`
