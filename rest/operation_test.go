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
		`query T($b: [Int]) { shop(bench: $b) { name } }`:                             "a list has no place",
		`query T($n: Float) { shop(near: $n) { name } }`:                              "no part of a request is read as Float",
		`query T($f: Form) { shop(form: $f) { name } }`:                               `two values are "up" in lower case`,
		`query T($n: String @lenient) { shop(name: $n) { name } }`:                    "want an Int",
		`query T($n: Int @lenient @range(min: 1, max: 2)) { shop(few: $n) { name } }`: "with @lenient or with @range",
		`query T($n: Int! @lenient) { shop(few: $n) { name } }`:                       "can be absent",
		`query T($n: Int @range(min: 2, max: 1)) { shop(few: $n) { name } }`:          "the smaller one first",
		`query T($n: Int @range(min: 2, max: 3000000000)) { shop(few: $n) { name } }`: "32 bits",
		`query T($n: Int! @range(min: $n, max: 1)) { shop(few: $n) { name } }`:        "two numbers",
		`query T($n: Int! = 0) { shop(few: $n) { name } }`:                            "the default 0 is out of range",
		`query T($n: Int! = 3 @range(min: 4, max: 5)) { shop(few: $n) { name } }`:     "the default 3 is out of range",
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

// No row stands behind one that takes its paths.
func TestRowsAreReached(t *testing.T) {
	for _, row := range Rows {
		path := Prefix + strings.NewReplacer("{", "", "}", "").Replace(row.Path)
		if got, _, ok := Match(row.Method, parseURL(t, path)); !ok || got.Method+got.Path != row.Method+row.Path {
			t.Errorf("%s %s is answered as %s", row.Method, path, got.Path)
		}
	}
	for path, operation := range map[string]string{
		"/v3/guild/seasons": "GuildSeasons", "/v3/guild/list": "Guild", "/v3/guild/list/guild": "Guilds",
		"/v3/guild/%73easons": "Guild", "/v3/guild/Seasons": "Guild",
		"/v3/guild/prefix": "Guild", "/v3/guild/uuid/seasons": "GuildByUUID", "/v3/map/locations/player": "PlayerLocations",
	} {
		if row, _, _ := Match("GET", parseURL(t, path)); row.Operation != operation {
			t.Errorf("%s is answered as %s, want %s", path, row.Operation, operation)
		}
	}
}

// A row whose requests tell what its operation cannot be asked is refused.
func TestRowRefuses(t *testing.T) {
	op := load(t)["ItemSearch"]
	for _, row := range []Row{
		{Method: "POST", Path: "/item/{word}"},
		{Method: "POST", Path: "/item/{page}"},
		{Method: "GET", Path: "/item"},
	} {
		if err := row.check(op); err == nil {
			t.Errorf("%s %s passes", row.Method, row.Path)
		}
	}
}
