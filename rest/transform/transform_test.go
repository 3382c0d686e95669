package transform

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
)

// workshop is a schema with a field for each form of value.
var workshop = gqlparser.MustLoadSchema(&ast.Source{Name: "workshop", Input: `
scalar Int64
scalar DateTime
type Query { shop(name: String, sort: Sort, open: Boolean, bench: [Int], near: Float, few: Int, form: Form): Shop
  other: Int }
enum Sort { UP DOWN SIDE_WAYS }
enum Form { up UP }
type Shop {
  name: String! size: Int note: String open: Boolean! price: Float
  owner: Person! guest: Person tools: [Tool!]! lent: [Tool!] odd: [Tool] rows: [[Tool!]!]
  bins: [Bin!]! at: Place path: [Place!] words: [String!] tags: [String!]
  built: DateTime closed: DateTime marks: [Bin!] sold: Int64! days: [DateTime] vote: Vote main: Vote!
  clubs: [Club!]! board: [Row!]! seats(level: Int, low: Int): Int
}
type Person { name: String! age: Int town: String born: DateTime }
type Tool { uuid: String! username: String! kind: String grams: Int64! min: Int max: Int
  at: Place path: [Place!] fixed: Boolean rate: Float! maker: Person }
type Bin { number: Int64! count: Int label: String }
type Place { x: Int y: Int }
interface Row { place: Int! name: String note: String was: Int }
type Guest implements Row { place: Int! name: String note: String was: Int score: Int! rank: String!
  meta: Meta! person: Person alias: String }
type Team implements Row { place: Int! name: String note: String was: Int score: Int! rank: String
  meta: Meta! hue: String tags: [String!]! }
type House implements Row { place: Int! name: String note: String was: Int area: Int hue: String score: Int! }
type Meta { xp: Int won: Int }
type Club { name: String! uuid: String! size: Int }
type Vote { total: Int! public: Boolean! questions: [Question!]! }
type Question { block: String! total: Int! answers: [Answer!]! }
type Answer { answer: String! count: Int! }
`})

func compileShop(t testing.TB, selection string) (*Operation, error) {
	t.Helper()
	variables := ""
	if strings.Contains(selection, "$by") {
		variables += " $by: Identifier = username"
	}
	if strings.Contains(selection, "$all") {
		variables += " $all: Boolean!"
	}
	if variables != "" {
		variables = "(" + variables + ")"
	}
	return Compile(workshop, "T", "query T"+variables+" { shop "+selection+" }")
}

// Every directive transforms data into a body that reverses to the same data.
func TestDirectives(t *testing.T) {
	uuid, all := map[string]any{"by": "uuid"}, map[string]any{"all": true}
	for _, c := range []struct {
		name, selection string
		vars            map[string]any
		data, body      string
	}{
		{"plain", `{ name size n: note }`, nil, `{"name":"a","size":null,"n":"b"}`, `{"name":"a","size":null,"n":"b"}`},
		{
			"white space", `{ name words }`, nil, "\n{ \"name\" : \"a\\\"\\\\\" ,\t\"words\" : [ \"}\" , \"]\" ] }\n",
			"{\"name\":\"a\\\"\\\\\",\"words\":[ \"}\" , \"]\" ]}",
		},
		{"nothing", `{ name }`, nil, `null`, `null`},
		{
			"omitNull", `{ size @omitNull note @omitNull open }`, nil, `{"size":null,"note":"b","open":true}`,
			`{"note":"b","open":true}`,
		},
		{
			"omitNull when", `{ tools { username kind @omitNull(when: "username", is: ["A", "B"]) min } }`, nil,
			`{"tools":[{"username":"A","kind":null,"min":1},{"username":"C","kind":null,"min":1},{"username":"B",` +
				`"kind":"k","min":1},{"username":"C","kind":"k","min":null}]}`,
			`{"tools":[{"username":"A","min":1},{"username":"C","kind":null,"min":1},{"username":"B","kind":"k","min":1},` +
				`{"username":"C","kind":"k","min":null}]}`,
		},
		{
			"omitNull when of an alias", `{ name n: note size @omitNull(when: "n", is: ["b"]) price @omitNull(when: "n", ` +
				`is: ["b", "c"]) }`, nil,
			`{"name":"a","n":"b" ,"size":null,"price":null}`, `{"name":"a","n":"b"}`,
		},
		{
			"omitNull when the other is null", `{ note size @omitNull(when: "note", is: ["null"]) }`, nil,
			`{"note":null,"size":null}`, `{"note":null,"size":null}`,
		},
		{
			"omitEmpty", `{ name bins @omitEmpty { count } words @omitEmpty size }`, nil,
			`{"name":"a","bins": [ ],"words":[],"size":1}`, `{"name":"a","size":1}`,
		},
		{
			"numbered", `{ bins @numbered { count } tools @numbered @omitEmpty { kind } }`, nil,
			`{"bins":[{"count":1},{"count":2},{"count":3},{"count":4},{"count":5},{"count":6},{"count":7},{"count":8},` +
				`{"count":9},{"count":10}],"tools":[]}`,
			`{"bins":{"1":{"count":1},"2":{"count":2},"3":{"count":3},"4":{"count":4},"5":{"count":5},"6":{"count":6},` +
				`"7":{"count":7},"8":{"count":8},"9":{"count":9},"10":{"count":10}}}`,
		},
		{
			"numbered values", `{ words @numbered odd @numbered { kind } marks @numbered { count } tags @numbered @omitNull }`,
			nil,
			`{"words":["a","b"],"odd":[null,{"kind":"k"}],"marks":[],"tags":null}`,
			`{"words":{"1":"a","2":"b"},"odd":{"1":null,"2":{"kind":"k"}},"marks":{}}`,
		},
		{
			"text", `{ size @text sold @text tools @keyBy(field: "uuid", value: "g") { uuid g: grams @text } }`, nil,
			`{"size":null,"sold":-9007199254740993,"tools":[{"uuid":"a","g":0}]}`,
			`{"size":null,"sold":"-9007199254740993","tools":{"a":"0"}}`,
		},
		{
			"text beside a number", `{ size @text @coalesce(into: "c") price @coalesce(into: "c") }`, nil,
			`{"size":null,"price":5}`, `{"c":5}`,
		},
		{
			"offset", `{ built closed @offset }`, nil,
			`{"built":"2026-03-19T23:45:48.667000Z","closed":"2026-03-19T23:45:48.667000Z"}`,
			`{"built":"2026-03-19T23:45:48.667000Z","closed":"2026-03-19T23:45:48.667000+00:00"}`,
		},
		{"emptyObject null", `{ guest @emptyObject { name age } }`, nil, `{"guest":null}`, `{"guest":{}}`},

		{
			"keyBy", `{ tools @keyBy(field: "uuid") { uuid kind grams } }`, nil,
			`{"tools":[{"uuid":"b","kind":null,"grams":1},{"uuid":"a \"","kind":"k","grams":2}]}`,
			`{"tools":{"b":{"kind":null,"grams":1},"a \"":{"kind":"k","grams":2}}}`,
		},
		{
			"keyBy 64 bits", `{ bins @keyBy(field: "number") { number count } }`, nil,
			`{"bins":[{"number":99999999999,"count":1},{"number":-1,"count":null}]}`,
			`{"bins":{"99999999999":{"count":1},"-1":{"count":null}}}`,
		},
		{
			"keyBy value", `{ tools @keyBy(field: "uuid", value: "g") { uuid g: grams } }`, nil,
			`{"tools":[{"uuid":"a","g":7}]}`, `{"tools":{"a":7}}`,
		},
		{
			"keyBy value of two forms", `{ bins @keyBy(field: "number", value: "v") { number count @coalesce(into: "v") ` +
				`label @coalesce(into: "v") } }`, nil,
			`{"bins":[{"number":1,"count":5,"label":null},{"number":2,"count":null,"label":"x"},{"number":3,"count":null,` +
				`"label":null}]}`, `{"bins":{"1":5,"2":"x","3":null}}`,
		},
		{
			"keyBy chosen by default", `{ tools @keyBy(chosen: $by) { username uuid grams } }`, nil,
			`{"tools":[{"username":"A","uuid":"a","grams":1}]}`, `{"tools":{"A":{"uuid":"a","grams":1}}}`,
		},
		{
			"keyBy chosen", `{ tools @keyBy(chosen: $by) { username uuid grams } }`, uuid,
			`{"tools":[{"username":"A","uuid":"a","grams":1}]}`, `{"tools":{"a":{"username":"A","grams":1}}}`,
		},
		{
			"keyBy clash", `{ tools @keyBy(chosen: $by, clash: "uuid") { username uuid grams } }`, nil,
			`{"tools":[{"username":"A","uuid":"a","grams":1},{"username":"A","uuid":"b","grams":2}]}`,
			`{"tools":{"A":{"uuid":"a","grams":1},"b":{"username":"A","uuid":"b","grams":2}}}`,
		},

		{
			"coalesce", `{ tools { at @coalesce(into: "c") @tuple { x y } path @coalesce(into: "c") @tuple { x y } fixed ` +
				`@coalesce(into: "c") } }`, nil,
			`{"tools":[{"at":{"x":1,"y":2},"path":null,"fixed":null},{"at":null,"path":[{"x":1,"y":2}],"fixed":null},` +
				`{"at":null,"path":[],"fixed":null},{"at":null,"path":null,"fixed":false},{"at":null,"path":null,"fixed":null}]}`,
			`{"tools":[{"c":[1,2]},{"c":[[1,2]]},{"c":[]},{"c":false},{"c":null}]}`,
		},
		{
			"coalesce around nulls", `{ guest @coalesce(into: "c") @tuple { town age } size @coalesce(into: "c") owner ` +
				`@tuple { age } }`, nil,
			`{"guest":{"town":null,"age":null},"size":null,"owner":{"age":null}}`, `{"c":[null,null],"owner":[null]}`,
		},
		{
			"coalesce twice", `{ size @coalesce(into: "c") note @coalesce(into: "c") guest @coalesce(into: "d") { name } ` +
				`words @coalesce(into: "d") }`, nil,
			`{"size":null,"note":"x","guest":null,"words":[]}`, `{"c":"x","d":[]}`,
		},

		{
			"unwrap", `{ tools @keyBy(field: "uuid") @unwrap(field: "grams") { uuid min grams max } }`, nil,
			`{"tools":[{"uuid":"a","min":null,"grams":5,"max":null},{"uuid":"b","min":1,"grams":5,"max":9}]}`,
			`{"tools":{"a":5,"b":{"min":1,"grams":5,"max":9}}}`,
		},
		{
			"unwrap an object", `{ owner @unwrap(field: "name") { name age } }`, nil, `{"owner":{"name":"x","age":null}}`,
			`{"owner":"x"}`,
		},

		{
			"tuple", `{ at @tuple { x y } path @tuple { y x } }`, nil, `{"at":{"x":1,"y":null},"path":[{"y":2,"x":3}]}`,
			`{"at":[1,null],"path":[[2,3]]}`,
		},

		{
			"spread an object", `{ size owner @spread { n: name age @omitNull } note }`, nil,
			`{"size":1,"owner":{"n":"x","age":null},"note":"y"}`, `{"size":1,"n":"x","note":"y"}`,
		},
		{
			"spread a list first", `{ tools @spread @keyBy(field: "uuid", value: "kind") { uuid kind } size }`, nil,
			`{"tools":[{"uuid":"a","kind":null},{"uuid":"b","kind":"k"}],"size":1}`, `{"a":null,"b":"k","size":1}`,
		},

		{
			"spread lists into maps", `{ vote { total questions @spread @keyBy(field: "block") { block total answers ` +
				`@spread @keyBy(field: "answer", value: "count") { answer count } } } }`, nil,
			`{"vote":{"total":7,"questions":[{"block":"b","total":3,"answers":[{"answer":"x","count":1},{"answer":"block",` +
				`"count":2}]},{"block":"c","total":4,"answers":[]}]}}`,
			`{"vote":{"total":7,"b":{"total":3,"x":1,"block":2},"c":{"total":4}}}`,
		},
		{
			"spread an object that holds one", `{ vote @spread { public total } size }`, nil,
			`{"vote":{"public":true,"total":3},"size":1}`, `{"public":true,"total":3,"size":1}`,
		},
		{
			"pick the whole", `@pick(field: "tools", if: $all) { size tools { kind } }`,
			map[string]any{"all": false},
			`{"size":1,"tools":[]}`, `{"size":1,"tools":[]}`,
		},
		{
			"within", `{ name size @within(object: "of") n: note @within(object: "of", key: "note") open }`, nil,
			`{"name":"a","size":1,"n":null,"open":true}`, `{"name":"a","of":{"size":1,"note":null},"open":true}`,
		},
		{
			"one field with different arguments", `{ low: seats(low: 1) high: seats(level: 2) @within(object: "of") }`, nil,
			`{"low":1,"high":2}`, `{"low":1,"of":{"high":2}}`,
		},
		{
			"pick always", `{ at @pick(field: "x") { x } guest @pick(field: "name") { name } }`, nil,
			`{"at":{"x":1},"guest":null}`, `{"at":1,"guest":null}`,
		},
		{"twice the same fact", `{ size again: size }`, nil, `{"size":1,"again":1}`, `{"size":1,"again":1}`},
		{"skip", `{ size note @skip(if: $all) }`, all, `{"size":1}`, `{"size":1}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			op, err := compileShop(t, c.selection)
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			if _, err := op.Transform(&out, json.RawMessage(`{"shop":`+c.data+`}`),
				c.vars); err != nil || out.String() != c.body {
				t.Fatalf("got body %s (%v), want %s", out.String(), err, c.body)
			}
			back, err := op.Reverse(out.Bytes(), c.vars)
			if err != nil {
				t.Fatal(err)
			}
			// The reversed data has the schema's names instead of aliases, each once.
			want := strings.NewReplacer(`"n":`, `"`+schemaName(op, "n")+`":`, `"g":`, `"grams":`, `,"again":1`,
				``).Replace(c.data)
			if d := cmp.Diff(decoded(t, []byte(want)), decoded(t, back)); d != "" {
				t.Errorf("reversed to %s: %s", back, d)
			}
		})
	}
}

// schemaName is the schema's name of an alias.
func schemaName(op *Operation, alias string) string {
	var find func(f *field) string
	find = func(f *field) string {
		for _, c := range f.children {
			if c.name == alias {
				return c.field.Name
			}
			if name := find(c); name != "" {
				return name
			}
		}
		return ""
	}
	return find(op.root)
}

func decoded(t testing.TB, text []byte) any {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return v
}

// These bodies do not reverse to the same data.
func TestLossyDirectives(t *testing.T) {
	all := map[string]any{"all": true}
	for _, c := range []struct{ name, selection, data, body, back string }{
		{
			"an entry of a spread list, named like a field of its parent",
			`{ vote { total public @skip(if: $all) questions @spread @keyBy(field: "block") { block total } } }`,
			`{"vote":{"total":1,"questions":[{"block":"total","total":2},{"block":"a","total":3},` +
				`{"block":"public","total":4},{"block":"block","total":5}]}}`,
			`{"vote":{"total":1,"a":{"total":3},"block":{"total":5}}}`,
			`{"vote":{"total":1,"questions":[{"block":"a","total":3},{"block":"block","total":5}]}}`,
		},
		{
			"orFalse", `{ tools { fixed @orFalse } }`, `{"tools":[{"fixed":null},{"fixed":true}]}`,
			`{"tools":[{"fixed":false},{"fixed":true}]}`, `{"tools":[{"fixed":false},{"fixed":true}]}`,
		},
		{
			"a picked value", `@pick(field: "tools", if: $all) { size tools { kind } }`, `{"size":1,"tools":[{"kind":"a"}]}`,
			`[{"kind":"a"}]`, `{"tools":[{"kind":"a"}]}`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			op, err := compileShop(t, c.selection)
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			_, err = op.Transform(&out, json.RawMessage(`{"shop":`+c.data+`}`), all)
			if err != nil || out.String() != c.body {
				t.Fatalf("got body %s (%v), want %s", out.String(), err, c.body)
			}
			if back, err := op.Reverse(out.Bytes(), all); err != nil || string(back) != c.back {
				t.Errorf("reversed to %s (%v), want %s", back, err, c.back)
			}
		})
	}
}

// A header is not part of the body and reverses to null.
func TestHeader(t *testing.T) {
	op, err := compileShop(t, `{ built @header(name: "x-built") tools @spread @keyBy(field: "uuid", value: "kind") { `+
		`uuid kind } closed @header(name: "x-closed") }`)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		data, body, back string
		want             map[string][]string
	}{
		{
			`{"built":"2026-07-24T23:01:10Z","tools":[],"closed":null}`, `{}`, `{"built":null,"tools":[],"closed":null}`,
			map[string][]string{"x-built": {"2026-07-24 23:01:10.000000+00:00"}},
		},
		{
			`{"built":"2026-07-24T23:01:10.5Z","tools":[{"uuid":"built","kind":"k"}],"closed":"2013-10-23T20:02:38.667001Z"}`,
			`{"built":"k"}`, `{"built":null,"tools":[{"uuid":"built","kind":"k"}],"closed":null}`,
			map[string][]string{
				"x-built":  {"2026-07-24 23:01:10.500000+00:00"},
				"x-closed": {"2013-10-23 20:02:38.667001+00:00"},
			},
		},
		{`null`, `null`, `null`, nil},
	} {
		var out bytes.Buffer
		got, err := op.Transform(&out, json.RawMessage(`{"shop":`+c.data+`}`), nil)
		if d := cmp.Diff(c.want, got); err != nil || out.String() != c.body || d != "" {
			t.Errorf("%s: got body %s (%v), headers %s", c.data, out.String(), err, d)
		}
		if back, err := op.Reverse([]byte(c.body), nil); err != nil || string(back) != c.back {
			t.Errorf("%s: reversed to %s (%v), want %s", c.body, back, err, c.back)
		}
	}
	if _, err := op.Transform(new(bytes.Buffer), json.RawMessage(`{"shop":{"built":"today\r\nx: y"}}`), nil); err == nil {
		t.Error("a header is written from an invalid date-time")
	}
}

// A field that is only checked rejects data, and is not part of the body.
func TestRejectTrue(t *testing.T) {
	for selection, data := range map[string]string{
		`@pick(field: "tools") { vote { public @reject(true: "PUBLIC") } tools { kind } }`: `[{"kind":"a"}]`,
		`{ vote { public @reject(true: "PUBLIC") } tools { kind } }`:                       `{"tools":[{"kind":"a"}]}`,
	} {
		op, err := compileShop(t, strings.ReplaceAll(selection, "vote", "main"))
		if err != nil {
			t.Fatal(err)
		}
		for public, want := range map[bool]string{false: data, true: ""} {
			var out bytes.Buffer
			_, err := op.Transform(&out, json.RawMessage(fmt.Sprintf(`{"shop":{"main":{"public":%v},"tools":[{"kind":"a"}]}}`,
				public)), nil)
			if rejected := new(RejectError); public != errors.As(err, &rejected) || public && rejected.Name != "PUBLIC" {
				t.Errorf("%s: %v", selection, err)
			}
			if !public && out.String() != want {
				t.Errorf("%s: %s", selection, out.String())
			}
		}
		if back, err := op.Reverse([]byte(data), nil); err != nil || string(back) != `{"tools":[{"kind":"a"}]}` {
			t.Error(string(back), err)
		}
		if fields := op.Plan().Fields; len(fields) != 1 || op.Rejections()[0] != "PUBLIC" {
			t.Errorf("%+v", fields)
		}
	}
}

// Data that the operation did not select, or malformed data, is an error.
func TestTransformRejectsBadData(t *testing.T) {
	op, err := compileShop(t, `{ name at @tuple { x y } tools @keyBy(field: "uuid") @unwrap(field: "grams") { uuid `+
		`min grams } owner { name } }`)
	if err != nil {
		t.Fatal(err)
	}
	whole := `{"shop":{"name":"a\\","at":{"x":1,"y":2},"tools":[{"uuid":"b","min":null,"grams":1}],"owner":{"name":"c"}}}`
	if _, err := op.Transform(new(bytes.Buffer), json.RawMessage(whole), nil); err != nil {
		t.Fatal(err)
	}
	for n := range len(whole) - 1 { // the last bracket is not read
		if _, err := op.Transform(new(bytes.Buffer), json.RawMessage(whole[:n]), nil); err == nil {
			t.Errorf("got no error for %s", whole[:n])
		}
	}
	for _, data := range []string{
		`{"shop":{"other":1}}`, `{"other":{}}`, `{}`, `[]`, `{"shop":5}`, `{"shop":{"name":}}`, `{"shop":{"name" "a"}}`,
		`{"shop":{"name":"a","at":[1,2]}}`, `{"shop":{"name":"a","at":{"x":1}}}`,
		`{"shop":{"name":"a","at":{"x":1,"y":2,"z":3}}}`,
		`{"shop":{"tools":{"uuid":"a"}}}`, `{"shop":{"tools":[{"min":1}]}}`, `{"shop":{"tools":[null]}}`,
		`{"shop":{"owner":{},"name":"a"}}`,
	} {
		if _, err := op.Transform(new(bytes.Buffer), json.RawMessage(data), nil); err == nil {
			t.Errorf("got no error for %s", data)
		}
	}
}
