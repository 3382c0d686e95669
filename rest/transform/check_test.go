package transform

import (
	"strings"
	"testing"
)

// Compile rejects operations that cannot be transformed in one pass or reversed, and names the field.
func TestCompileRejectsDirectives(t *testing.T) {
	for _, c := range []struct{ selection, want string }{
		{`{ nothing }`, "nothing"},
		{`{ name @reject(true: "X") }`, "requires a Boolean"},
		{`{ vote { public @reject(true: "X") } }`, "never null"},
		{`{ name }  other`, "selects 2 root fields"},
		{`{ ... on Shop @include(if: $all) { name } }`, "directives on the fragment"},
		{`{ board { ... on Guest { score } ... on Team { score @text } } }`, "score has two meanings"},
		{`{ board { ... on Guest { v: score } ... on House { v: area } } }`, "conflict"},
		{`{ board { ... on Guest { s: name } ... on House { s: note } } }`, "s has two meanings"},
		{`{ board { name ... on Guest { name @omitNull } } }`, "name has two meanings"},
		{`{ board { ... on Guest { meta { xp } } ... on Team { meta { xp @text } } } }`, "meta: xp has two meanings"},
		{`{ board { ... on Guest { meta @tuple { xp won } } ... on Team { meta @tuple { won xp } } } }`, "requires an order"},
		{`{ board { ... on Guest { meta { xp } } ... on Team { meta { n: won @coalesce(into: "xp") } } } }`, `the key "xp"`},
		{`{ board { rank: note ... on Team { none: hue @coalesce(into: "rank") } } }`, `the key "rank"`},
		{`{ board { ... on Row { n: note } ... on Team { none: hue @coalesce(into: "n") } } }`, `the key "n"`},
		{`{ board @keyBy(field: "score") { ... on Guest { score } ... on Team { score } } }`, "not always written"},
		{`{ board @tuple { place ... on Team { hue } } }`, "single values"},
		{`{ board { place ... on Guest { person @emptyObject { age @omitNull } } } }`, "never written empty"},
		{`{ board { place ... on Guest { was } ... on House { then: was @omitNull } } }`, "whether an object is of House"},
		{`{ board { was ... on Guest { then: was } } }`, "select one field of a type"},
		{`{ board @unwrap(field: "place") { place ... on Guest { alias } } }`, "the same fields on all types"},
		{`{ name @constant(key: "k", json: "1") }`, "requires @oneWay"},
		{`{ n: name n: note }`, `"n"`},
		{`{ name n: note @coalesce(into: "name") }`, `two fields are written to the key "name"`},
		{`{ size @coalesce(into: "c") note @coalesce(into: "d") words @coalesce(into: "c") }`, "must be adjacent"},
		{`{ size @coalesce(into: "c") @omitNull note @coalesce(into: "c") }`, "agree on @omitNull"},
		{`{ note @coalesce(into: "c") more: note @coalesce(into: "c") }`, "select one field"},
		{`{ size @coalesce(into: "c") price @coalesce(into: "c") }`, "look the same"},
		{`{ odd @coalesce(into: "c") { kind } size @coalesce(into: "c") }`, "@coalesce"},
		{`{ note @omitNull @within(object: "o") }`, "always written"},
		{`{ name @within(object: "o") note @within(object: "o", key: "name") }`, `the key "o"`},
		{`{ name @within(object: "size") size }`, `the key "size"`},
		{`{ name @omitNull }`, "can be null"},
		{`{ size @emptyObject }`, "a selection set"},
		{`{ tools @spread { kind } }`, "@spread"},
		{`{ name owner @spread { name } }`, `the key "name"`},
		{`{ tools @spread @keyBy(field: "uuid") { uuid } bins @spread @keyBy(field: "number") { number } }`, "one list"},
		{`{ tools @keyBy { uuid } }`, "either field or chosen"},
		{`{ owner @keyBy(field: "name") { name } }`, "a list of objects"},
		{`{ rows { kind } }`, "lists of lists"},
		{`{ tools @keyBy(field: "uuid") { kind } }`, `"uuid", which is not selected`},
		{`{ tools @keyBy(field: "kind") { kind } }`, "cannot name an entry"},
		{`{ tools @keyBy(field: "uuid") { kind uuid } }`, "before the other fields"},
		{`{ tools @keyBy(chosen: $by) { uuid kind } }`, `"username", which is not selected`},
		{`{ tools @keyBy(chosen: uuid) { username uuid } }`, "requires a variable"},
		{`{ tools @keyBy(field: "uuid", value: "kind") { uuid kind grams } }`, `"grams" would be lost`},
		{`{ tools @keyBy(field: "uuid", value: "kind") { uuid } }`, `written to "kind"`},
		{`{ tools @unwrap(field: "kind") { kind min } }`, "cannot be written bare"},
		{`{ tools @unwrap(field: "grams") { rate grams } }`, "is never written bare"},
		{`{ tools @unwrap(field: "grams") { min } }`, "not selected"},
		{`@pick(field: "tools", if: $all) { tools @keyBy(field: "uuid") { uuid } }`, "@pick requires a list"},
		{`{ at @pick(field: "x", if: $all) @tuple { x y } }`, "contradict"},
		{`{ size @header(name: "x") }`, "a DateTime"},
		{`{ built @header(name: "x") @omitNull }`, "no other directive"},
		{`{ built @header(name: "x") @include(if: $all) }`, "always selected"},
		{`{ built @header(name: "X y") }`, "not a header name"},
		{`{ built @header(name: "x") closed @header(name: "x") }`, "sent twice"},
		{`{ guest @spread { born @header(name: "x") name } }`, "the root object"},
		{`@unwrap(field: "name") { name built @header(name: "x") }`, "written whole"},
		{`{ lent @spread @keyBy(field: "uuid") { uuid } }`, "null and empty"},
		{`{ vote @spread { total questions @spread @keyBy(field: "block") { block } } }`, "through two objects"},
		{`{ note @text }`, "a number"},
		{`{ tools @keyBy(field: "grams") { grams @text } }`, `"grams", which is not selected or not always written`},
		{`{ owner @numbered { name } }`, "@numbered requires a list"},
		{`{ tools @numbered @spread { uuid } }`, "@numbered"},
		{`{ size @omitEmpty }`, "@omitEmpty requires a list"},
		{`{ words @omitEmpty @omitNull }`, "@omitEmpty"},
		{`{ at @emptyObject { x @omitNull(when: "y", is: ["a"]) } }`, "selected before it"},
		{`{ note size @omitNull(when: "note") }`, "is: its values"},
		{`{ size note @omitNull(when: "size", is: ["1"]) }`, "requires a string"},
		{`{ name note size @omitNull(when: "note", is: ["a"]) price @omitNull(when: "name", is: ["a"]) }`, "only one field"},
		{`{ note size @omitNull(when: "note", is: ["\""]) }`, "escapes"},
		{`{ tools @keyBy(field: "uuid") { uuid kind @omitNull(when: "uuid", is: ["a"]) } }`, "cannot name it"},
	} {
		_, err := compileShop(t, c.selection)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "operation T: ") {
			t.Errorf("%s: got error %v, want %q", c.selection, err, c.want)
		}
	}
}

// Compile rejects sources that are not one valid query of the given name.
func TestCompileRejectsSources(t *testing.T) {
	for source, want := range map[string]string{
		`query T($n: String!) { shop(name: $n) { tools @keyBy(field: $n) { uuid } } }`: "takes no variable",
		`query T($n: Int @accepts(min: 1)) { shop(few: $n) { name } }`:                 "max",
		`query T($n: Int) { shop(few: $n) @lenient { name } }`:                         "lenient",
		`query T($n: String) { shop { name } }`:                                        "never used",
		`query Other { shop { name } }`:                                                "want exactly one query, named T",
		`query T { shop { name } } query U { shop { name } }`:                          "want exactly one query, named T",
		`mutation T { shop { name } }`:                                                 "mutation",
		`query T { shop {`:                                                             "Expected",
		`query T($i: Identifier = other) { shop { name size } }`:                       "other",
	} {
		if _, err := Compile(workshop, "T", source); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got error %v, want %q", source, err, want)
		}
	}
}
