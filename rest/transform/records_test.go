package transform

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

// eachRecord returns the records of a body that ReverseEach reads, as one list.
func eachRecord(op *Operation, body string, vars map[string]any) (string, error) {
	var out []string
	err := op.ReverseEach(strings.NewReader(body), vars, func(record json.RawMessage) error {
		text := string(record)
		out = append(out, strings.TrimSuffix(strings.TrimPrefix(text, "["), "]"))
		return nil
	})
	return "[" + strings.Join(out, ",") + "]", err
}

func TestReverseEachReportsPlaces(t *testing.T) {
	op, err := compileShop(t, `@pick(field: "tools", if: $all) { size tools { kind grams } }`)
	if err != nil {
		t.Fatal(err)
	}
	const first = `[{"kind":"a","grams":1},` + "\n"
	for _, c := range [][2]string{
		{first + ` {"kind":"é","grams":"2"}]`, "line 2, column 22, record 2 ($[1].grams)"},
		{first + ` {"kind":"b"}]`, `line 2, column 2, record 2 ($[1]): the key "grams" is missing`},
		{
			`{"size":1,"tools":[{"kind":"a","grams":1},{"kind":"a","grams":1,"x":2}]}`,
			`record 2 ($.tools[1].x): unknown key`,
		},
		{`{"size":"1","tools":[]}`, `line 1, column 9 ($.size): want`},
		{`{"tools":[]}`, `($): the key "size" is missing`},
		{`{"size":1,"size":1}`, `($.size): duplicate key`},
		{`{"size":1,"more":1}`, `($.more): unknown key`},
		{`{"size":1}`, `the key "tools" is missing`},
		{`{"size":1,"tools":{}}`, `($.tools): want an array`},
		{`[{"kind":"a","grams":1}`, `line 1, column 24, record 2 ($[1]): unexpected end`},
		{`[{"kind":"a","grams":1,"kind":"b"}]`, `record 1 ($[0].kind): duplicate key`},
		{`[{"kind":"a","grams":1}] []`, `unexpected data`},
		{`[{"kind":"a","grams":1}}`, `record 2 ($[1]): not JSON`},
		{"[{\"kind\":\"\xff\",\"grams\":1}]", `record 1 ($[0]): not JSON`},
		{``, `unexpected end`},
		{`"a"`, `($): want an object`},
		{`[null]`, `record 1 ($[0]): null is not allowed`},
		{`[` + strings.Repeat(" ", MaxRecord+1) + `]`, `larger than 4 MB`},
		{`["` + strings.Repeat("x", MaxRecord) + `"]`, `record 1 ($[0]): a record is larger than 4 MB`},
		{`[[` + strings.Repeat("1,", maxValues) + `1]]`, `record 1 ($[0][249999]): more than 250000 values`},
		{`[{"kind":"` + strings.Repeat("x", 70_000) + `"`, `unexpected end`},
	} {
		body, want := c[0], c[1]
		short := body[:min(len(body), 60)]
		if _, err := eachRecord(op, body, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got error %v, want %s", short, err, want)
		}
	}
}

// An error of the caller gets the place of its record.
func TestReverseEachKeepsErrors(t *testing.T) {
	op, err := compileShop(t, `@pick(field: "tools", if: $all) { size tools { kind } }`)
	if err != nil {
		t.Fatal(err)
	}
	failed := errors.New("repeats a key")
	n := 0
	err = op.ReverseEach(strings.NewReader("[{\"kind\":\"a\"},\n{\"kind\":\"b\"}]"), nil, func(json.RawMessage) error {
		n++
		if n == 2 {
			return failed
		}
		return nil
	})
	if !errors.Is(err, failed) || err.Error() != "line 2, column 1, record 2 ($[1]): repeats a key" {
		t.Errorf("got error %v", err)
	}
}
