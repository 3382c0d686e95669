package transform

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// everything uses every directive that can be reversed.
const everything = `{
	name size @omitNull note price @omitNull(when: "note", is: ["a"]) open
	built @offset closed @header(name: "x-closed") sold @text words @omitEmpty tags @numbered marks @numbered { count }
	owner @spread { town @omitNull age } guest @emptyObject { name age }
	bins @keyBy(field: "number", value: "v") { number count @coalesce(into: "v") label @coalesce(into: "v") }
	lent @omitEmpty @keyBy(field: "uuid") @unwrap(field: "grams") { uuid min grams max }
	at @tuple { x y }
	vote { total questions @spread @keyBy(field: "block") {
		block total answers @spread @keyBy(field: "answer", value: "count") { answer count } } }
	tools @spread @keyBy(field: "uuid") {
		uuid kind
		at @coalesce(into: "c") @tuple { x y } path @coalesce(into: "c") @tuple { x y }
		fixed @coalesce(into: "c") maker @coalesce(into: "c") { name }
	}
}`

// A body reverses to the same data as the body that is transformed from that data.
func FuzzRoundTrip(f *testing.F) {
	op, err := compileShop(f, everything)
	if err != nil {
		f.Fatal(err)
	}
	plain, err := compileShop(f, everything)
	if err != nil {
		f.Fatal(err)
	}
	useSchemaNames(plain.root, nil)
	for _, seed := range []string{
		`{"name":"n","note":"a","open":true,"built":"2026-03-19T23:45:48+00:00","sold":"-5",
		"tags":{"2":"b","1":"a"},"marks":{},"age":null,"guest":{},
		"bins":{"7":1,"-8":"x","9":null},"lent":{"u":5,"v":{"min":1,"grams":2,"max":null}},
		"at":[null,1],"vote":{"total":1,"b":{"total":2,"x":1}},
		"t":{"kind":null,"c":[1,2]},"u":{"kind":"k","c":[[1,2],[null,2]]},"v":{"kind":"k","c":[]},
		"w":{"kind":"k","c":false},"x":{"kind":"","c":{"name":"m"}},"y":{"kind":"k","c":null}}`,
		`{"name":"n","size":1,"note":null,"price":null,"open":false,"built":null,"sold":"0",
		"words":["a",""],"tags":null,"marks":null,"town":"t","age":1,
		"guest":{"name":"g","age":5},"bins":{},"at":null,"vote":null,"closed":{"kind":"named like a header","c":null}}`,
	} {
		if _, err := op.Reverse([]byte(seed), nil); err != nil {
			f.Fatal(err)
		}
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		data, err := op.Reverse([]byte(body), nil)
		if err != nil {
			return
		}
		var again bytes.Buffer
		if _, err := plain.Transform(&again, json.RawMessage(`{"shop":`+string(data)+`}`), nil); err != nil {
			t.Fatalf("%v in %s", err, data)
		}
		back, err := op.Reverse(again.Bytes(), nil)
		if err != nil {
			t.Fatalf("%v in %s", err, again.String())
		}
		if d := cmp.Diff(decoded(t, data), decoded(t, back)); d != "" {
			t.Fatalf("%s\nvia %s", d, again.String())
		}
	})
}

// Malformed data is rejected or written, without a hang or a panic.
func FuzzTransform(f *testing.F) {
	op, err := compileShop(f, everything)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(
		[]byte(
			`{"shop":{"name":"n","size":null,"note":"a","price":null,"built":"2026Z",
		"closed":"2026-03-19T23:45:48Z","sold":5,"words":[],"tags":["a"],"marks":[{"count":1}],
		"owner":{"town":null,"age":1},"guest":null,"bins":[{"number":1,"count":null,"label":"x"}],
		"lent":[{"uuid":"u","min":null,"grams":1,"max":null}],"at":{"x":1,"y":2},
		"vote":{"total":1,"questions":[{"block":"total","total":1,"answers":[]}]},
		"tools":[{"uuid":"name","kind":null,"at":null,"path":[],"fixed":true,"maker":null}]}}`,
		),
	)
	f.Fuzz(func(t *testing.T, data []byte) {
		var out bytes.Buffer
		if headers, err := op.Transform(&out, data, nil); err == nil && len(headers) > 1 {
			t.Fatalf("got headers %v for %s", headers, data)
		}
	})
}
