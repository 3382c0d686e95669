package rest

import (
	"net/url"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
)

// shopSchema has an argument of every type that a variable can have.
var shopSchema = gqlparser.MustLoadSchema(&ast.Source{Name: "shop", Input: `
type Query { shop(name: String, sort: Sort, bench: [Int], near: Float, few: Int, form: Form): Shop }
enum Sort { UP DOWN SIDE_WAYS }
enum Form { up UP }
type Shop { name: String! seats(level: Int, low: Int): Int }
`})

// Compile rejects variables that no part of a request can set.
func TestCompileRejectsVariables(t *testing.T) {
	for source, want := range map[string]string{
		`query T($b: [Int]) { shop(bench: $b) { name } }`:                               "a request cannot set a list",
		`query T($n: Float) { shop(near: $n) { name } }`:                                "a request cannot set a Float",
		`query T($f: Form) { shop(form: $f) { name } }`:                                 `two values are "up" in lower case`,
		`query T($n: String @lenient) { shop(name: $n) { name } }`:                      "want an Int",
		`query T($n: Int @lenient @accepts(min: 1, max: 2)) { shop(few: $n) { name } }`: "with @lenient or with @accepts",
		`query T($n: Int! @lenient) { shop(few: $n) { name } }`:                         "a nullable variable or a default",
		`query T($n: Int @accepts(min: 2, max: 1)) { shop(few: $n) { name } }`:          "the smaller one first",
		`query T($n: Int @accepts(min: 2, max: 3000000000)) { shop(few: $n) { name } }`: "32 bits",
		`query T($n: Int! @accepts(min: $n, max: 1)) { shop(few: $n) { name } }`:        "two integers",
		`query T($n: Int! = 0) { shop(few: $n) { name } }`:                              "the default 0 is out of range",
		`query T($n: Int! = 3 @accepts(min: 4, max: 5)) { shop(few: $n) { name } }`:     "the default 3 is out of range",
	} {
		if _, err := Compile(shopSchema, "T", source); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got error %v, want %q", source, err, want)
		}
	}
}

func parseURL(t *testing.T, path string) *url.URL {
	t.Helper()
	u, err := url.ParseRequestURI(path)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// No row is shadowed by one before it.
func TestEveryRowIsMatched(t *testing.T) {
	for _, row := range Rows {
		path := Prefix + strings.NewReplacer("{", "", "}", "").Replace(row.Path)
		if got, _, ok := Lookup(parseURL(t, path)); !ok || got.Method+got.Path != row.Method+row.Path {
			t.Errorf("%s %s: matched %s %s", row.Method, path, got.Method, got.Path)
		}
	}
	for path, operation := range map[string]string{
		"/v3/guild/seasons": "GuildSeasons", "/v3/guild/list": "Guild", "/v3/guild/list/guild": "Guilds",
		"/v3/guild/%73easons": "Guild", "/v3/guild/Seasons": "Guild",
		"/v3/guild/prefix": "Guild", "/v3/guild/uuid/seasons": "GuildByUUID", "/v3/map/locations/player": "PlayerLocations",
	} {
		if row, _, _ := Lookup(parseURL(t, path)); row.Operation != operation {
			t.Errorf("%s: matched %s, want %s", path, row.Operation, operation)
		}
	}
}

// Load rejects a row whose requests send what its operation has no variable for.
func TestRowCheck(t *testing.T) {
	op := load(t)["ItemSearch"]
	for _, row := range []Row{
		{Method: "POST", Path: "/item/{word}"},
		{Method: "POST", Path: "/item/{fullResult}"},
		{Method: "GET", Path: "/item"},
	} {
		if err := row.check(op); err == nil {
			t.Errorf("%s %s: got no error", row.Method, row.Path)
		}
	}
}
