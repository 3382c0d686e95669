package tabular

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"pgregory.net/rapid"
)

func write(t *testing.T, f Format, data, path string) string {
	t.Helper()
	text, err := Write(f, []byte(data), path, nil)
	if err != nil {
		t.Fatalf("%s of %s: %v", path, data, err)
	}
	return string(text)
}

// The same cases as in the tests of the console.
func TestLayout(t *testing.T) {
	for name, c := range map[string]struct{ rows, want string }{
		"nested objects become adjacent columns": {
			`[{"a":1,"g":{"n":"x","m":{"k":true}},"z":0}]`,
			"a,g.n,g.m.k,z\r\n1,x,true,0\r\n",
		},
		"a later key is next to the other keys of its object": {
			`[{"g":{"n":1},"z":2},{"g":{"n":3,"o":4}}]`,
			"g.n,g.o,z\r\n1,,2\r\n3,4,\r\n",
		},
		"a null object is null in all its columns": {`[{"g":null},{"g":{"n":1,"o":2}}]`, "g.n,g.o\r\n,\r\n1,2\r\n"},
		"a value that is always null has a column": {`[{"a":null},{"a":null}]`, "a\r\n\r\n\r\n"},
		"null and empty differ":                    {`[{"a":null,"b":""}]`, "a,b\r\n,\"\"\r\n"},
		"a null row":                               {`[null,{"a":1}]`, "a\r\n\r\n1\r\n"},
		"plain values":                             {`["x",2,null]`, "value\r\nx\r\n2\r\n\r\n"},
		"a list is one cell": {
			`[{"l":[1,{"a":2}],"e":[]}]`,
			"l,e\r\n\"[1,{\"\"a\"\":2}]\",[]\r\n",
		},
		"a value in one row, an object in another": {`[{"v":1},{"v":{"a":2}}]`, "v,v.a\r\n1,\r\n,2\r\n"},
		"an empty object has one empty column":     {`[{"o":{}}]`, "o\r\n\r\n"},
		"no rows":                                  {`[]`, ""},
		"whole numbers keep their digits":          {`[{"n":-9007199254740993}]`, "n\r\n-9007199254740993\r\n"},
		"formulas of spreadsheets": {
			`["=1+1","+1","-1","@SUM(A1)","\t=1","\r=1","\n1","a=1","'=1"," 1"]`,
			"value\r\n'=1+1\r\n'+1\r\n'-1\r\n'@SUM(A1)\r\n'\t=1\r\n\"'\r=1\"\r\n\"'\n1\"" +
				"\r\na=1\r\n'=1\r\n\" 1\"\r\n",
		},
		"formulas behind blanks and in other widths": {
			`["＝1"," +1","\u00a0－1","\u200b@x","\ufeff＠1","\u2800\u3164﹢1","\u0000−1","\ufe0f\u2060=1"]`,
			"value\r\n'＝1\r\n' +1\r\n'\u00a0－1\r\n'\u200b@x\r\n'\ufeff＠1\r\n" +
				"'\u2800\u3164﹢1\r\n'\x00−1\r\n'\ufe0f\u2060=1\r\n",
		},
		"quotes": {
			`["a,b","say \"hi\"","two\nlines"," edge ","Übergröße 鉱"]`,
			"value\r\n\"a,b\"\r\n\"say \"\"hi\"\"\"\r\n\"two\nlines\"\r\n\" edge \"\r\nÜbergröße 鉱\r\n",
		},
	} {
		if got := write(t, CSV, `{"rows":`+c.rows+`}`, "rows"); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
	inner := `{"a":[{"b":[{"c":["x"]}]},{"b":[{"c":["y","z"]},null]},{"b":null}]}`
	if got := write(t, CSV, inner, "a[].b[].c"); got != "a[],a[].b[],value\r\n0,0,x\r\n1,0,y\r\n1,0,z\r\n1,1,\r\n2,,\r\n" {
		t.Errorf("lists in lists: %q", got)
	}
	const history = `{
		"series":[{"metric":"LEVEL","unit":null,"tags":[1],"points":[{"at":1,"value":5},{"at":2,"value":6}]},
			{"metric":"WARS","unit":{"name":"won"},"points":[{"at":1,"value":7}]},{"metric":"MEMBERS","points":[]}],
		"a":[{"name":"A","b":[{"name":"B","c":[{"name":"C"}]},{"name":"D","c":null}]},{"name":"E","b":[]}]}`
	for path, want := range map[string]string{
		"series[].points": "metric,unit.name,at,value\r\nLEVEL,,1,5\r\nLEVEL,,2,6\r\nWARS,won,1,7\r\nMEMBERS,,,\r\n",
		"a[].b[].c":       "a[].name,a[].b[].name,name\r\nA,B,C\r\nA,D,\r\nE,,\r\n",
	} {
		if got := write(t, CSV, history, path); got != want {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
	}
	if got := write(t, NDJSON, inner, "a[].b"); got != "{\"c\":[\"x\"]}\n{\"c\":[\"y\",\"z\"]}\nnull\n" {
		t.Errorf("NDJSON: %q", got)
	}
	for _, nothing := range []string{`null`, `{}`, `{"a":null}`, `{"a":1}`, `{"a":{"b":null}}`} {
		if got := write(t, CSV, nothing, "a.b"); got != "" {
			t.Errorf("%s has %q", nothing, got)
		}
	}
}

// A CSV reader gets back every row with every column: strings except for the apostrophe before
// formulas, numbers digit by digit.
func TestReadBack(t *testing.T) {
	cell := rapid.OneOf(rapid.Just(any(nil)), rapid.Map(rapid.String(), func(s string) any {
		return strings.ReplaceAll(s, "\r\n", "\n")
	}),
		rapid.Map(rapid.SampledFrom([]string{"=1", "-x", "+", "@", "\t", "a,\"b\"\n", " ", ""}),
			func(s string) any { return s }),
		rapid.Map(rapid.Int64(), func(n int64) any { return n }), rapid.Map(rapid.Bool(), func(b bool) any { return b }))
	rapid.Check(t, func(r *rapid.T) {
		rows := rapid.SliceOfN(rapid.MapOfN(rapid.SampledFrom([]string{"a", "b", "c"}), cell, 1, 3), 1, 20).Draw(r, "rows")
		data, err := json.Marshal(map[string]any{"rows": rows})
		if err != nil {
			r.Fatal(err)
		}
		text, err := Write(CSV, data, "rows", nil)
		if err != nil {
			r.Fatal(err)
		}
		// The reader skips lines that are empty, as a row of one null column is.
		all, err := csv.NewReader(strings.NewReader(strings.ReplaceAll(string(text), "\r\n\r\n", "\r\n\"\"\r\n"))).ReadAll()
		if err != nil {
			r.Fatalf("%v: %q", err, text)
		}
		if len(all[0]) > 1 && len(all) != len(rows)+1 {
			r.Fatalf("%d lines for %d rows: %q", len(all), len(rows), text)
		}
		for i := range min(len(rows), len(all)-1) {
			for n, name := range all[0] {
				want, ok := rows[i][name]
				if got := all[i+1][n]; len(all[0]) > 1 && got != expectedCell(want, ok) {
					r.Fatalf("row %d, %s is %q, want %q", i, name, got, expectedCell(want, ok))
				}
			}
		}
	})
}

func expectedCell(value any, ok bool) string {
	switch v := value.(type) {
	case string:
		v = strings.ReplaceAll(strings.ToValidUTF8(v, "\uFFFD"), "\r\n", "\n")
		if isFormula(v) {
			v = "'" + v
		}
		return v
	case nil:
		return ""
	}
	text, err := json.Marshal(value)
	if err != nil || !ok {
		return ""
	}
	return string(text)
}

var schema = gqlparser.MustLoadSchema(
	&ast.Source{Input: `type Query { page: Page names: [String!] rows: [Row] grid: [[Row]] }
	type Page { total: Int results: [Row!]! tags: [String] } type Rows { nodes: [Row] }
	type Row { n: Int tags: [String] inner: [Row] page: Page rows: Rows }`},
)

// The columns follow from the operation, not from the data: programs that load a table again find the same ones.
func TestColumnsOfOperation(t *testing.T) {
	for query, tables := range map[string]map[string]string{
		`{ rows { n page { total tags } tags } }`: {
			`{"rows":[]}`:   "n,page.total,page.tags,tags\r\n",
			`{"rows":null}`: "n,page.total,page.tags,tags\r\n",
			`{"rows":[{"n":1,"page":null,"tags":null}]}`:                "n,page.total,page.tags,tags\r\n1,,,\r\n",
			`{"rows":[{"n":1,"page":{"total":2,"tags":[]},"tags":[]}]}`: "n,page.total,page.tags,tags\r\n1,2,[],[]\r\n",
		},
		`{ rows { n tags page { total } rows { nodes { n } } } }`: {
			`{"rows":[{"n":1,"tags":null,"page":null,"rows":null}]}`:                "rows[].n,page.total,n\r\n1,,\r\n",
			`{"rows":[{"n":1,"tags":null,"page":{"total":2},"rows":{"nodes":[]}}]}`: "rows[].n,page.total,n\r\n1,2,\r\n",
			`{"rows":[{"n":1,"tags":[],"page":null,"rows":{"nodes":[{"n":3}]}}]}`:   "rows[].n,page.total,n\r\n1,,3\r\n",
		},
		`{ names }`: {`{"names":[]}`: "value\r\n", `{"names":["a"]}`: "value\r\na\r\n"},
		`query($c: Boolean!) { rows { a: n @include(if: $c) ... @skip(if: $c) { b: n page { total } } c: n } }`: {
			`{"rows":[{"a":1,"c":2}]}`:             "a,c\r\n1,2\r\n",
			`{"rows":[{"b":1,"page":null,"c":2}]}`: "b,page.total,c\r\n1,,2\r\n",
		},
		`{ rows { n ...F } } fragment F on Row { m: n n }`: {`{"rows":[]}`: "n,m\r\n"},
	} {
		doc, errs := gqlparser.LoadQueryWithRules(schema, query, nil)
		if errs != nil {
			t.Fatal(query, errs)
		}
		op := doc.Operations[0]
		path, err := Choose(op, CSV, "")
		if err != nil {
			t.Fatal(query, err)
		}
		for data, want := range tables {
			if got, err := Write(CSV, []byte(data), path, op); string(got) != want || err != nil {
				t.Errorf("%s: %s: got %q %v, want %q", query, data, got, err, want)
			}
		}
	}
}

func TestChoose(t *testing.T) {
	for query, c := range map[string]struct {
		name, want string
		lists      []string
	}{
		`{ rows { n } }`: {"", "rows", nil},
		`{ page { total results { n tags } tags } }`: {"", "page.results", nil},
		`{ names }`:                                      {"", "names", nil},
		`{ all: rows { n inner { n } } }`:                {"", "all[].inner", nil},
		`{ rows { page { results { n } } } }`:            {"", "rows", nil},
		`{ rows { a: inner { n } b: inner { n } } }`:     {"", "rows", nil},
		`{ rows { rows { nodes { inner { tags } } } } }`: {"", "rows[].rows.nodes[].inner", nil},
		`{ a: rows { n inner { tags } } } # inner`: {
			"a[].inner[].tags", "a[].inner[].tags", nil,
		},
		`{ ...F page { total } } fragment F on Query { page { results { n } } }`: {"", "page.results", nil},
		`{ ... on Query { rows { n } } rows { tags } }`:                          {"", "rows", nil},
		`{ grid { n } }`:                     {"", "grid", nil},
		`{ a: rows { n } b: rows { tags } }`: {"", "", []string{"a", "b", "b[].tags"}},
		`{ rows { n } } # other`:             {"results", "", []string{"rows"}},
		`{ page { total } }`:                 {"", "", nil},
	} {
		doc, errs := gqlparser.LoadQueryWithRules(schema, query, nil)
		if errs != nil {
			t.Fatal(query, errs)
		}
		got, err := Choose(doc.Operations[0], CSV, c.name)
		var unclear *ChoiceError
		if got != c.want || (err == nil) != (c.want != "") || err != nil && (!errors.As(err, &unclear) ||
			!slices.Equal(unclear.Lists, c.lists)) {
			t.Errorf("%s: %q %v, want %+v", query, got, err, c)
		}
	}
	doc := gqlparser.MustLoadQueryWithRules(schema, `{ rows { n inner { n } } }`, nil)
	if got, err := Choose(doc.Operations[0], NDJSON, ""); got != "rows" || err != nil {
		t.Errorf("NDJSON: got %q %v, want the outermost list", got, err)
	}
	if text := (&ChoiceError{[]string{"a", "b[].c"}}).Error(); !strings.Contains(text, "?list=") || !strings.Contains(text,
		"a, b[].c") {
		t.Error(text)
	}
	if !reflect.DeepEqual([]string{CSV.String(), NDJSON.String(), None.String()}, []string{"csv", "ndjson", "json"}) {
		t.Error("names of formats")
	}
}
