package transform

import (
	"strings"
	"testing"
)

// Compile rejects operations that cannot be transformed in one pass or reversed, and names the field.
func TestCompileRejectsDirectives(t *testing.T) {
	for _, c := range []struct{ selection, want string }{
		{`{ nothing }`, "nothing"},
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
		{`{ name @constant(key: "k", json: "1") }`, "requires @oneWay"},
		{`{ name n: note @coalesce(into: "name") }`, `two fields are written to the key "name"`},
		{`{ name @within(object: "o") note @within(object: "o", key: "name") }`, `the key "o"`},
		{`{ name @within(object: "size") size }`, `the key "size"`},
		{`{ name owner @spread { name } }`, `the key "name"`},
		{`{ tools @keyBy { uuid } }`, "either field or chosen"},
		{`{ owner @keyBy(field: "name") { name } }`, "a list of objects"},
		{`{ tools @keyBy(field: "uuid") { kind } }`, `"uuid", which is not selected`},
		{`{ tools @keyBy(field: "uuid") { kind uuid } }`, "before the other fields"},
		{`{ tools @keyBy(chosen: $by) { uuid kind } }`, `"username", which is not selected`},
		{`{ tools @keyBy(chosen: uuid) { username uuid } }`, "requires a variable"},
		{`{ tools @unwrap(field: "grams") { min } }`, "not selected"},
		{`{ tools @keyBy(field: "grams") { grams @text } }`, `"grams", which is not selected or not always written`},
		{`{ at @emptyObject { x @omitNull(when: "y", is: ["a"]) } }`, "selected before it"},
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
