package transform

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// Objects of several types are written with the fields that their data has, in its order.
func TestFragments(t *testing.T) {
	op, err := compileShop(t, `{
		board @keyBy(field: "place") @spread {
			place
			... on Guest { name score rank meta { xp } person @omitNull { n: name } ...Hidden }
			... on Team { name meta { won @omitNull xp } score hue @omitNull none: rank @coalesce(into: "rank") ...Hidden }
			... on Row { note }
			... on House { area name hue @omitNull }
		}
	} } fragment Hidden on Row { was @omitNull ... on Guest { alias } ... on Team { tags @omitEmpty }`)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ data, body string }{
		{`{"board":[]}`, `{}`},
		{
			`{"board":[{"place":1,"name":"a","score":5,"rank":"R","meta":{"xp":1},"person":{"n":"p"},"was":2,"alias":null,` +
				`"note":"x"}]}`,
			`{"1":{"name":"a","score":5,"rank":"R","meta":{"xp":1},"person":{"n":"p"},"was":2,"alias":null,"note":"x"}}`,
		},
		{
			`{"board":[{"place":1,"name":null,"score":5,"rank":"R","meta":{"xp":1},"person":null,"was":null,"alias":"z",` +
				`"note":null},` +
				`{"place":2,"name":"b","meta":{"won":null,"xp":1},"score":4,"hue":null,"none":null,"was":1,"tags":[],` +
				`"note":null},` +
				`{"place":3,"name":"c","meta":{"won":7,"xp":null},"score":3,"hue":"red","none":"S","was":null,"tags":["t"],` +
				`"note":"y"},` +
				`{"place":4,"note":"n","area":9,"name":"d","hue":"blue"}]}`,
			`{"1":{"name":null,"score":5,"rank":"R","meta":{"xp":1},"alias":"z","note":null},` +
				`"2":{"name":"b","meta":{"xp":1},"score":4,"rank":null,"was":1,"note":null},` +
				`"3":{"name":"c","meta":{"won":7,"xp":null},"score":3,"hue":"red","rank":"S","tags":["t"],"note":"y"},` +
				`"4":{"note":"n","area":9,"name":"d","hue":"blue"}}`,
		},
	} {
		var out bytes.Buffer
		if _, err := op.Transform(&out, json.RawMessage(`{"shop":`+c.data+`}`), nil); err != nil || out.String() != c.body {
			t.Errorf("%s\ngot  %s (%v)\nwant %s", c.data, out.String(), err, c.body)
		}
	}
	for _, data := range []string{
		`{"board":[{"place":1,"other":2}]}`, `{"board":[{"name":"a","place":1}]}`,
		`{"board":[{"place":1,"name":"a"]}`,
	} {
		if _, err := op.Transform(new(bytes.Buffer), json.RawMessage(`{"shop":`+data+`}`), nil); err == nil {
			t.Errorf("got no error for %s", data)
		}
	}
	for _, left := range []string{"@spread", "@omitNull", "@keyBy"} {
		if strings.Contains(op.Document(), left) {
			t.Errorf("the public document contains %s:\n%s", left, op.Document())
		}
	}
	if _, err := Compile(workshop, "T", op.Document()); err != nil {
		t.Errorf("the public document is invalid: %v", err)
	}
}

// An object of a body is read as the first type whose keys it has, with values of their kinds.
func TestReverseFragments(t *testing.T) {
	op, err := compileShop(t, `{
		board {
			place
			... on Guest { score @coalesce(into: "value") alias @omitNull }
			... on Team { rank @coalesce(into: "value") tags @omitEmpty inner: meta { xp } }
			... on House { n: name area @omitNull }
		}
	}`)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ body, want string }{
		{`[{"place":1,"value":5}]`, `[{"place":1,"score":5,"alias":null}]`},
		{`[{"alias":"x","value":5,"place":1}]`, `[{"place":1,"score":5,"alias":"x"}]`},
		{`[{"place":1,"value":"5","inner":{"xp":1}}]`, `[{"place":1,"rank":"5","tags":[],"meta":{"xp":1}}]`},
		{`[{"place":1,"value":null,"inner":{"xp":1}}]`, `[{"place":1,"rank":null,"tags":[],"meta":{"xp":1}}]`},
		{`[{"place":1,"n":null}]`, `[{"place":1,"name":null,"area":null}]`},
		{`[{"place":1,"n":"a","area":2}]`, `[{"place":1,"name":"a","area":2}]`},
		{`[{"place":1}]`, `column 11 ($.board[0]): the key "value" is missing`},
		{`[{"place":1,"value":null}]`, `($.board[0].value): null is not allowed here`},
		{`[{"place":1,"value":5,"n":"a"}]`, `($.board[0].n): unknown key, its value would be lost`},
		{`[{"place":1,"value":true}]`, `($.board[0].value): want an integer of 32 bits`},
	} {
		back, err := op.Reverse([]byte(`{"board":`+c.body+`}`), nil)
		if string(back) != `{"board":`+c.want+`}` && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: got %s, %v, want %s", c.body, back, err, c.want)
		}
	}
}

// A fragment that applies to all types can be reversed.
func TestFragmentForAll(t *testing.T) {
	for _, selection := range []string{
		`{ ... on Shop { name ... { size } } }`,
		`{ ...f size } } fragment f on Shop { name`,
	} {
		op, err := compileShop(t, selection)
		if err != nil {
			t.Fatal(err)
		}
		if back, err := op.Reverse([]byte(`{"size":1,"name":"a"}`), nil); err != nil ||
			string(back) != `{"name":"a","size":1}` {
			t.Errorf("%s: reversed to %s (%v)", selection, back, err)
		}
	}
}
