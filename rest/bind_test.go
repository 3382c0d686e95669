package rest

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"gamedata/graph"
	"gamedata/internal/httpapi"
)

func TestBindQuery(t *testing.T) {
	ops := load()
	for _, c := range []struct {
		operation, query string
		want             map[string]any
		wantErr          string
	}{
		{"ItemDatabase", "", map[string]any{"page": json.Number("1"), "fullResult": false}, ""},
		{"ItemDatabase", "page=7&fullResult", map[string]any{
			"page": json.Number("1"), "first": json.Number("100000"), "fullResult": true,
		}, ""},
		{"ItemDatabase", "fullResult=&full_result=x&FullResult=1&%zz=1&&=", map[string]any{
			"page": json.Number("1"), "first": json.Number("100000"), "fullResult": true,
		}, ""},
		{"ItemDatabase", "page=2147483647", map[string]any{"page": int64(2147483647), "fullResult": false}, ""},
		{"ItemDatabase", "p%61ge=3", map[string]any{"page": int64(3), "fullResult": false}, ""},
		{"RecipeDatabase", "full_result", map[string]any{
			"page": json.Number("1"), "first": json.Number("100000"), "full_result": true,
		}, ""},
		{"OnlinePlayers", "", map[string]any{"identifier": "username"}, ""},
		{"OnlinePlayers", "identifier=uuid&server=EU37", map[string]any{"identifier": "uuid", "server": "EU37"}, ""},
		{"ItemDatabase", "fullResult=true", nil, "fullResult is a flag and takes no value."},
		{"ItemDatabase", "fullResult&fullResult", nil, "fullResult may be sent once."},
		{"ItemDatabase", "page=1&page=1", nil, "page may be sent once."},
		{"ItemDatabase", "page=%zz", nil, "page must be an integer, 1 or more."},
		{"ItemDatabase", "page=%2B1", nil, "page must be an integer, 1 or more."},
		{"ItemDatabase", "page=1.0", nil, "page must be an integer, 1 or more."},
		{"ItemDatabase", "page=99999999999999999999", nil, "page must be an integer, 1 or more."},
		{"OnlinePlayers", "identifier=", nil, "identifier must be username or uuid."},
		{"OnlinePlayers", "server=%ff", nil, "server must not be empty or hold control characters."},
		{"OnlinePlayers", "server=%00", nil, "server must not be empty or hold control characters."},
	} {
		got, err := ops[c.operation].Bind(map[string]any{}, c.query, nil)
		if c.wantErr != "" {
			if err == nil || err.Code != graph.InvalidQueryParams || err.Detail != c.wantErr {
				t.Errorf("%s?%s: got error %v, want %s", c.operation, c.query, err, c.wantErr)
			}
			continue
		}
		if d := cmp.Diff(c.want, got); err != nil || d != "" {
			t.Errorf("%s?%s: %v %s", c.operation, c.query, err, d)
		}
	}
}

// Parameters with @accepts or @lenient, and of enums.
func TestBindParameters(t *testing.T) {
	schema := gqlparser.MustLoadSchema(&ast.Source{Input: `
		type Query { shop(sort: Sort, few: Int): Shop }
		enum Sort { UP DOWN SIDE_WAYS }
		type Shop { seats(level: Int, low: Int): Int }`})
	op, err := Compile(schema, "T", `query T(
		$few: Int! = 100 @accepts(min: 0, max: 1000), $level: Int @lenient, $low: Int = 5 @lenient, $sort: Sort = SIDE_WAYS) {
		shop(few: $few, sort: $sort) { seats(level: $level, low: $low) }
	}`)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(op.Document(), "@") {
		t.Errorf("the public document contains our directives:\n%s", op.Document())
	}
	huge := strings.Repeat("9", 8000)
	for _, c := range []struct {
		query      string
		few, level any
		low, sort  any
		wantErr    string
	}{
		{"", json.Number("100"), nil, json.Number("5"), "SIDE_WAYS", ""},
		{"few=0&sort=up", int64(0), nil, json.Number("5"), "UP", ""},
		{"few=1000&sort=side_ways", int64(1000), nil, json.Number("5"), "SIDE_WAYS", ""},
		{"level=75&low=-3", json.Number("100"), int64(75), int64(-3), "SIDE_WAYS", ""},
		{"level=-0&low=007", json.Number("100"), int64(0), int64(7), "SIDE_WAYS", ""},
		{"level=" + huge + "&low=-" + huge, json.Number("100"), int64(2147483647), int64(-2147483648), "SIDE_WAYS", ""},
		{"level=&low=abc", json.Number("100"), nil, json.Number("5"), "SIDE_WAYS", ""},
		{"level=1.5&low=1e3", json.Number("100"), nil, json.Number("5"), "SIDE_WAYS", ""},
		{"level=%2B5&low=+5", json.Number("100"), nil, json.Number("5"), "SIDE_WAYS", ""},
		{"level=%ff&low=%00", json.Number("100"), nil, json.Number("5"), "SIDE_WAYS", ""},
		{"level=5&level=5&low=1&low=2", json.Number("100"), nil, json.Number("5"), "SIDE_WAYS", ""},
		{"level=0x10&low=1_0", json.Number("100"), nil, json.Number("5"), "SIDE_WAYS", ""},
		{"level=%D9%A3&low=-", json.Number("100"), nil, json.Number("5"), "SIDE_WAYS", ""},
		{query: "few=-1", wantErr: "few must be an integer, 0 to 1000."},
		{query: "few=1001", wantErr: "few must be an integer, 0 to 1000."},
		{query: "few=", wantErr: "few must be an integer, 0 to 1000."},
		{query: "few=5.0", wantErr: "few must be an integer, 0 to 1000."},
		{query: "few=%2B5", wantErr: "few must be an integer, 0 to 1000."},
		{query: "few=" + huge, wantErr: "few must be an integer, 0 to 1000."},
		{query: "few=5&few=5", wantErr: "few may be sent once."},
		{query: "sort=UP", wantErr: "sort must be up, down or side_ways."},
		{query: "sort=", wantErr: "sort must be up, down or side_ways."},
		{query: "sort=up,down", wantErr: "sort must be up, down or side_ways."},
		{query: "sort=up&sort=down", wantErr: "sort may be sent once."},
		{query: "sort=" + huge, wantErr: "sort must be up, down or side_ways."},
	} {
		got, err := op.Bind(map[string]any{}, c.query, nil)
		if c.wantErr != "" {
			if err == nil || err.Code != graph.InvalidQueryParams || err.Detail != c.wantErr {
				t.Errorf("%.40s: got error %v, want %s", c.query, err, c.wantErr)
			}
			continue
		}
		want := map[string]any{"few": c.few, "low": c.low, "sort": c.sort}
		if c.level != nil {
			want["level"] = c.level
		}
		if d := cmp.Diff(want, got); err != nil || d != "" {
			t.Errorf("%.40s: %v %s", c.query, err, d)
		}
	}
}

func TestBindBody(t *testing.T) {
	op := load()["ItemSearch"]
	for _, c := range []struct {
		body string
		want map[string]any
		code graph.Code
	}{
		{"", map[string]any{}, ""},
		{"{}", map[string]any{}, ""},
		{`{"query":null,"unknown":{"a":[1]}}`, map[string]any{}, ""},
		{`{"query":"x","type":["weapon","armour"],"levelRange":5}`, map[string]any{
			"query": []any{"x"},
			"type":  []any{"weapon", "armour"}, "levelRange": []any{int64(5)},
		}, ""},
		{`{"levelRange":[0,110],"tier":[]}`, map[string]any{"levelRange": []any{int64(0), int64(110)}, "tier": []any{}}, ""},
		{`{"levelRange":-3}`, map[string]any{"levelRange": []any{int64(-3)}}, ""},
		{`null`, nil, graph.MalformedPayload},
		{`[]`, nil, graph.MalformedPayload},
		{`"x"`, nil, graph.MalformedPayload},
		{`{"query":`, nil, graph.MalformedPayload},
		{`{} {}`, nil, graph.MalformedPayload},
		{`{"query":5}`, nil, graph.InvalidForm},
		{`{"query":["x",5]}`, nil, graph.InvalidForm},
		{`{"query":[["x"]]}`, nil, graph.InvalidForm},
		{`{"query":{"$ne":""}}`, nil, graph.InvalidForm},
		{`{"query":true}`, nil, graph.InvalidForm},
		{`{"levelRange":1.0}`, nil, graph.InvalidForm},
		{`{"levelRange":1e2}`, nil, graph.InvalidForm},
		{`{"levelRange":"5"}`, nil, graph.InvalidForm},
		{`{"levelRange":[null]}`, nil, graph.InvalidForm},
		{`{"type":["a"` + strings.Repeat(`,"a"`, 200) + `]}`, nil, graph.InvalidForm},
	} {
		vars, err := op.Bind(map[string]any{}, "", []byte(c.body))
		if c.code != "" {
			if err == nil || err.Code != c.code || strings.Contains(err.Detail, "$ne") {
				t.Errorf("%s: got error %v, want %s", c.body, err, c.code)
			}
			continue
		}
		if d := cmp.Diff(c.want, vars["filter"]); err != nil || d != "" {
			t.Errorf("%s: %v %s", c.body, err, d)
		}
	}
}

func TestLookup(t *testing.T) {
	for _, c := range []struct {
		path, operation string
		vars            map[string]any
	}{
		{"/v3/player/whoami", "Whoami", map[string]any{}},
		{"/v3/player/a%2Fb", "Player", map[string]any{"username": "a/b"}},
		{"/v3/player/%2E%2E", "Player", map[string]any{"username": ".."}},
		{"/v3/player/%ff", "Player", map[string]any{"username": invalidSegment}},
		{"/v3/player/%25", "Player", map[string]any{"username": "%"}},
		{"/v3/player/%2541", "Player", map[string]any{"username": "%41"}},
		{"/v3/player/a+b%20c", "Player", map[string]any{"username": "a+b c"}},
		{"/v3/player/%0d%0a", "Player", map[string]any{"username": invalidSegment}},
		{"/v3/player/%c2%85", "Player", map[string]any{"username": invalidSegment}},
		{"/v3/player/..%2fclasses", "Player", map[string]any{"username": "../classes"}},
		{"/v3/player/..", "Player", map[string]any{"username": ".."}},
		{"/v3/player/%77hoami", "Player", map[string]any{"username": "whoami"}},
		{"/v3/player/x/../whoami", "", nil},
		{"/V3/classes", "", nil},
		{"/v3/Classes", "", nil},
		{"/v3", "", nil},
		{"/v3/", "", nil},
		{"/v30/classes", "", nil},
		{"/v3/item/search/x", "ItemsByName", map[string]any{"query": "x"}},
		{"/v3/item/search", "ItemSearch", map[string]any{}},
		{"/v3/player/", "", nil},
		{"/v3/player/x/", "", nil},
		{"/v3//classes", "", nil},
	} {
		u, err := url.ParseRequestURI(c.path)
		if err != nil {
			t.Fatal(err)
		}
		row, vars, ok := Lookup(u)
		if row.Operation != c.operation || ok != (c.operation != "") || ok && !cmp.Equal(vars, c.vars) {
			t.Errorf("%s: got %s with %v, want %s with %v", c.path, row.Operation, vars, c.operation, c.vars)
		}
	}
	if got := segment("%zz"); got != invalidSegment {
		t.Errorf("malformed encoding: got %q", got)
	}
}

// Every request binds or fails with a documented 4xx.
func FuzzRequest(f *testing.F) {
	ops := load()
	f.Add("/v3/item/search", "page=1&fullResult", `{"query":["a"],"levelRange":[1,2]}`)
	f.Add("/v3/player/%00/characters/%ff/abilities", "%zz=&identifier=uuid", "")
	f.Add("/v3/map/camps", "level=-99999999999&level", "")
	f.Add("/v3/search/x", "only=PLAYER", "")
	f.Add("/v3/guild/list/guild", "identifier=uuid&identifier=", "")
	f.Add("/v3/item/recipe/search", "full_result=true", `{"level":[1,2,3],"materials":null}`)
	f.Fuzz(func(t *testing.T, path, query, body string) {
		u, err := url.ParseRequestURI(path)
		if err != nil {
			return
		}
		row, vars, ok := Lookup(u)
		if !ok || row.Operation == "" {
			return
		}
		if _, err := ops[row.Operation].Bind(vars, query, []byte(body)); err != nil {
			if status, name := httpapi.Status(err.Code); status < 400 || status > 499 || name == "" {
				t.Fatalf("%s?%s: %v", path, query, err)
			}
		}
	})
}
