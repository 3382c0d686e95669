package transform

import (
	"strings"
	"testing"
)

// Errors of a recorded body give line, column and path.
func TestReverseReportsPosition(t *testing.T) {
	op, err := compileShop(t, `{
		name size open price words owner { name age @omitNull }
		tools @keyBy(field: "uuid") { uuid grams at @tuple { x y } fixed @coalesce(into: "c") kind @coalesce(into: "c") }
		bins @keyBy(field: "number", value: "v") { number v: count }
		again: size
		built @offset sold @text marks @numbered { count } closed @omitNull(when: "name", is: ["x"]) words2: tags @omitEmpty
	}`)
	if err != nil {
		t.Fatal(err)
	}
	whole := "{\n \"name\": \"é\", \"size\": 1, \"open\": true, \"price\": 1.5, \"words\": [\"a\", \"b\"],\n" +
		" \"owner\": {\"name\": \"n\"},\n" +
		" \"tools\": {\n  \"a b\": {\"grams\": 1, \"at\": [1, 2], \"c\": \"k\"}\n },\n" +
		" \"bins\": {\"7\": 8}, \"again\": 1,\n" +
		" \"built\": \"2026-03-19T23:45:48+00:00\", \"sold\": \"12\", \"marks\": {\"2\": {\"count\": 2}, \"1\": " +
		"{\"count\": 1}}, \"closed\": null\n}"
	if _, err := op.Reverse([]byte(whole), nil); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, old, new, want string }{
		{
			"unknown key", `"n"}`, `"n", "town": "t"}`,
			`line 3, column 33 ($.owner.town): unknown key, its value would be lost`,
		},
		{"missing key", `"name": "n"`, ``, `line 3, column 11 ($.owner): the key "name" is missing`},
		{"key twice", `"n"}`, `"n", "name": "m"}`, `line 3, column 25 ($.owner.name): duplicate key`},
		{"text for a number", `"size": 1`, `"size": "1"`, `line 2, column 23 ($.size): want an integer of 32 bits`},
		{"beyond 32 bits", `"size": 1`, `"size": 2147483648`, `line 2, column 23 ($.size): want an integer of 32 bits`},
		{
			"beyond 64 bits", `"grams": 1`, `"grams": 9223372036854775808`,
			`line 5, column 20 ($.tools["a b"].grams): want an integer of 64 bits`,
		},
		{"beyond a float", `1.5`, `1e999`, `line 2, column 49 ($.price): want a number`},
		{"number for a text", `"é"`, `5`, `line 2, column 10 ($.name): want a string`},
		{"text for a boolean", `true`, `"true"`, `line 2, column 34 ($.open): want true or false`},
		{"object for a value", `true`, `{}`, `line 2, column 34 ($.open): want a single value`},
		{"null where none may stand", `"é"`, `null`, `line 2, column 10 ($.name): null is not allowed here`},
		{"wrong element", `"b"]`, `7]`, `line 2, column 69 ($.words[1]): want a string`},
		{"tuple too short", `[1, 2]`, `[1]`, `line 5, column 29 ($.tools["a b"].at): want an array of 2 values`},
		{"no form fits", `"k"`, `5`, `line 5, column 42 ($.tools["a b"].c): want a string`},
		{
			"wrong name of an entry", `"7": 8`, `"07": 8`,
			`line 7, column 17 ($.bins["07"]): the key is not an integer of 64 bits`,
		},
		{
			"the key inside the entry", `"grams": 1`, `"uuid": "a b", "grams": 1`,
			`line 5, column 19 ($.tools["a b"].uuid): unknown key, its value would be lost`,
		},
		{
			"two facts of one", `"again": 1`, `"again": 2`,
			`line 7, column 29 ($.again): differs from "size", which has the same value`,
		},
		{"no JSON", `true`, `yes`, `line 2, column 34 ($.open): not JSON`},
		{"cut off", `, "closed": null` + "\n}", ``, `line 8, column 101 ($): unexpected end of the JSON text`},
		{
			"a tail", `"closed": null` + "\n}", `"closed": null } 5`,
			`line 8, column 120 ($): unexpected data after the JSON value`,
		},
		{"Z for an offset", `48+00:00`, `48Z`, `line 8, column 11 ($.built): want a date-time that ends in +00:00`},
		{"number for a moment", `"2026-03-19T23:45:48+00:00"`, `5`, `line 8, column 11 ($.built): want a date-time`},
		{"number for a number as text", `"12"`, `12`, `line 8, column 48 ($.sold): want an integer of 64 bits as a string`},
		{
			"a gap in the numbers", `"2": {`, `"3": {`,
			`line 8, column 69 ($.marks["3"]): want keys that number the entries, 1 to 2`,
		},
		{
			"a missing key that another field does not excuse", `, "closed": null`, ``,
			`line 1, column 1 ($): the key "closed" is missing`,
		},
		{"deep", `"é"`, strings.Repeat("[", 70), `nested deeper than 64 levels`},
		{"control characters stay out of the message", `"again": 1`, `"again": 1, "\u001b[2J": 1`, `($["\x1b[2J"])`},
	} {
		t.Run(c.name, func(t *testing.T) {
			body := strings.Replace(whole, c.old, c.new, 1)
			if body == whole {
				t.Fatalf("the body does not contain %s", c.old)
			}
			if _, err := op.Reverse([]byte(body), nil); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got error %v\nwant      %s", err, c.want)
			}
		})
	}
}

// An entry under another key than the usual one contains both fields; one of them must be its key.
func TestReverseClash(t *testing.T) {
	op, err := compileShop(t, `{ tools @keyBy(chosen: $by, clash: "uuid") { username uuid grams } }`)
	if err != nil {
		t.Fatal(err)
	}
	for body, want := range map[string]string{
		`{"tools":{"b":{"username":"A","uuid":"b","grams":2}}}`: `{"tools":[{"uuid":"b","username":"A","grams":2}]}`,
		`{"tools":{"b":{"username":"A","grams":2}}}`:            `{"tools":[{"uuid":"b","username":"A","grams":2}]}`,
		`{"tools":{"b":{"username":"A","uuid":"c","grams":2}}}`: "differs from the key",
		`{"tools":{"A":{"username":"A","uuid":"b","grams":2}}}`: `{"tools":[{"username":"A","uuid":"b","grams":2}]}`,
	} {
		back, err := op.Reverse([]byte(body), nil)
		if string(back) != want && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: got %s, %v, want %s", body, back, err, want)
		}
	}
}
