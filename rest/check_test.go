package rest

import (
	"strings"
	"testing"
)

// A plan that could not be shaped in one pass or undone is refused with its place.
func TestCompileRefuses(t *testing.T) {
	for _, c := range []struct{ selection, says string }{
		{`{ nothing }`, "nothing"},
		{`{ name @nothing }`, "nothing"},
		{`{ name }  other`, "selects 2 root fields"},
		{`{ ... on Shop @include(if: $all) { name } }`, "directives on the fragment"},
		{`{ board { ... on Guest { score } ... on Team { score @text } } }`, "score means one thing here and another there"},
		{`{ board { ... on Guest { v: score } ... on House { v: area } } }`, "conflict"},
		{`{ board { ... on Guest { s: name } ... on House { s: note } } }`, "s means one thing here and another there"},
		{`{ board { name ... on Guest { name @omitNull } } }`, "name means one thing here and another there"},
		{`{ board { ... on Guest { meta { xp } } ... on Team { meta { xp @text } } } }`, "meta: xp means one thing"},
		{`{ board { ... on Guest { meta @tuple { xp won } } ... on Team { meta @tuple { won xp } } } }`, "wants an order"},
		{`{ board { ... on Guest { meta { xp } } ... on Team { meta { n: won @coalesce(into: "xp") } } } }`, `the key "xp"`},
		{`{ board { rank: note ... on Team { none: hue @coalesce(into: "rank") } } }`, `the key "rank"`},
		{`{ board { ... on Row { n: note } ... on Team { none: hue @coalesce(into: "n") } } }`, `the key "n"`},
		{`{ board @keyBy(field: "score") { ... on Guest { score } ... on Team { score } } }`, "not always there"},
		{`{ board @tuple { place ... on Team { hue } } }`, "single values"},
		{`{ board { place ... on Guest { person @emptyObject { age @omitNull } } } }`, "never written empty"},
		{`{ n: name n: note }`, `"n"`},
		{`{ name n: note @coalesce(into: "name") }`, `two fields are written to the key "name"`},
		{`{ size @coalesce(into: "c") note @coalesce(into: "d") words @coalesce(into: "c") }`, "side by side"},
		{`{ size @coalesce(into: "c") @omitNull note @coalesce(into: "c") }`, "agree on @omitNull"},
		{`{ note @coalesce(into: "c") more: note @coalesce(into: "c") }`, "select one field"},
		{`{ size @coalesce(into: "c") price @coalesce(into: "c") }`, "look alike"},
		{`{ words @coalesce(into: "c") path @coalesce(into: "c") { x } }`, "look alike"},
		{`{ at @coalesce(into: "c") @tuple { x } guest @coalesce(into: "c") @tuple { town } }`, "look alike"},
		{`{ at @coalesce(into: "c") { x } guest @coalesce(into: "c") { name } }`, "look alike"},
		{`{ name @coalesce(into: "c") size @coalesce(into: "c") }`, "never null"},
		{`{ odd @coalesce(into: "c") { kind } size @coalesce(into: "c") }`, "@coalesce"},
		{`{ name @omitNull }`, "can be null"},
		{`{ size @emptyObject }`, "with selections"},
		{`{ owner @emptyObject { name } }`, "can be null"},
		{`{ guest @emptyObject { age @omitNull } }`, "never written empty"},
		{`{ lent @emptyObject { kind } }`, "never written empty"},
		{`{ size @tuple }`, "with selections"},
		{`{ owner @tuple { age @omitNull } }`, "single values"},
		{`{ tools @tuple { at { x } } }`, "single values"},
		{`{ guest @spread { age @omitNull } }`, "never written empty"},
		{`{ tools @spread { kind } }`, "@spread"},
		{`{ name owner @spread { name } }`, `the key "name"`},
		{`{ tools @spread @keyBy(field: "uuid") { uuid } bins @spread @keyBy(field: "number") { number } }`, "one list"},
		{`{ tools @keyBy { uuid } }`, "either field or chosen"},
		{`{ owner @keyBy(field: "name") { name } }`, "a list of objects"},
		{`{ odd @keyBy(field: "uuid") { uuid } }`, "a list of objects"},
		{`{ rows { kind } }`, "lists of lists"},
		{`{ tools @keyBy(field: "uuid") { kind } }`, `"uuid", which is not selected`},
		{`{ tools @keyBy(field: "kind") { kind } }`, "cannot name an entry"},
		{`{ tools @keyBy(field: "rate") { rate } }`, "cannot name an entry"},
		{`{ tools @keyBy(field: "uuid") { kind uuid } }`, "before the other fields"},
		{`{ tools @keyBy(chosen: $by) { uuid kind } }`, `"username", which is not selected`},
		{`{ tools @keyBy(chosen: uuid) { username uuid } }`, "wants a variable"},
		{`{ tools @keyBy(field: "uuid", clash: "grams") { uuid kind grams } }`, "before the other fields"},
		{`{ tools @keyBy(field: "uuid", value: "kind") { uuid kind grams } }`, `"grams" would be lost`},
		{`{ tools @keyBy(field: "uuid", value: "kind") { uuid } }`, `written to "kind"`},
		{`{ tools @unwrap(field: "kind") { kind min } }`, "cannot stand bare"},
		{`{ tools @unwrap(field: "grams") { rate grams } }`, "never stands bare"},
		{`{ tools @unwrap(field: "grams") { min } }`, "not selected"},
		{`@pick(field: "tools", if: true) { tools { kind } }`, "wants a variable"},
		{`@pick(field: "lent", if: $all) { lent { kind } }`, "never null"},
		{`@pick(field: "tools", if: $all) { tools @keyBy(field: "uuid") { uuid } }`, "@pick wants a list"},
		{`{ at @pick(field: "x", if: $all) @tuple { x y } }`, "contradict"},
		{`{ size @header(name: "x") }`, "a moment"},
		{`{ days @header(name: "x") }`, "a moment"},
		{`{ built @header(name: "x") @omitNull }`, "no other directive"},
		{`{ built @header(name: "x") @offset }`, "no other directive"},
		{`{ built @header(name: "x") @include(if: $all) }`, "always selected"},
		{`{ built @header(name: "X y") }`, "no name of a header"},
		{`{ built @header(name: "x") again: built }`, "select one field"},
		{`{ built @header(name: "x") closed @header(name: "x") }`, "sent twice"},
		{`{ guest @spread { born @header(name: "x") name } }`, "the root object"},
		{`@unwrap(field: "name") { name built @header(name: "x") }`, "written whole"},
		{`@pick(field: "tools", if: $all) { built @header(name: "x") tools { kind } }`, "written whole"},
		{`{ guest @emptyObject { born @header(name: "x") } }`, "never written empty"},
		{`{ lent @spread @keyBy(field: "uuid") { uuid } }`, "null and empty"},
		{`{ vote @spread { total asked @spread @keyBy(field: "block") { block } } }`, "through two objects"},
		{`{ note @text }`, "whole number"},
		{`{ price @text }`, "whole number"},
		{`{ bins @text { count } }`, "whole number"},
		{`{ note @offset }`, "moment"},
		{`{ days @offset }`, "moment"},
		{`{ size @text @offset }`, "contradict"},
		{`{ size @text again: size }`, "select one field"},
		{`{ tools @keyBy(field: "grams") { grams @text } }`, `"grams", which is not selected or not always there`},
		{`{ owner @numbered { name } }`, "@numbered wants a list"},
		{`{ rows @numbered { kind } }`, "lists of lists"},
		{`{ tools @numbered @keyBy(field: "uuid") { uuid } }`, "contradict"},
		{`{ tools @numbered @spread { uuid } }`, "@numbered"},
		{`{ tools @numbered @unwrap(field: "grams") { min grams } }`, "@numbered"},
		{`{ bins @numbered @coalesce(into: "c") { count } owner @coalesce(into: "c") { name } }`, "never null"},
		{`{ marks @numbered @coalesce(into: "c") { count } guest @coalesce(into: "c") { name } }`, "look alike"},
		{`{ size @omitEmpty }`, "@omitEmpty wants a list"},
		{`{ words @omitEmpty @omitNull }`, "@omitEmpty"},
		{`{ words @omitEmpty @skip(if: $all) }`, "@omitEmpty"},
		{`{ words @omitEmpty @coalesce(into: "c") size @coalesce(into: "c") }`, "@omitEmpty"},
		{`{ tools @omitEmpty @spread @keyBy(field: "uuid") { uuid } }`, "@omitEmpty"},
		{`{ at @emptyObject { x @omitNull(when: "y", is: ["a"]) } }`, "selected before it"},
		{`{ size @omitNull(when: "note", is: ["a"]) note }`, "selected before it"},
		{`{ note size @omitNull(when: "note") }`, "is: its values"},
		{`{ note size @omitNull(is: ["a"]) }`, "selected before it"},
		{`{ size note @omitNull(when: "size", is: ["1"]) }`, "wants a text"},
		{`{ note @omitNull size @omitNull(when: "note", is: ["a"]) }`, "wants a text"},
		{`{ name note size @omitNull(when: "note", is: ["a"]) price @omitNull(when: "name", is: ["a"]) }`, "only one field"},
		{`{ note size @omitNull(when: "note", is: ["\""]) }`, "escapes"},
		{`{ note size @omitNull(when: "note", is: ["a"]) @skip(if: $all) }`, "always selected"},
		{`{ tools @keyBy(field: "uuid") { uuid kind @omitNull(when: "uuid", is: ["a"]) } }`, "cannot look at it"},
		{`{ name ...f @skip(if: $all) } } fragment f on Shop { size`, "directives on the fragment"},
	} {
		_, err := compile(t, c.selection)
		if err == nil || !strings.Contains(err.Error(), c.says) || !strings.HasPrefix(err.Error(), "operation T: ") {
			t.Errorf("%s: %v, want %q", c.selection, err, c.says)
		}
	}
}

// Variables are what a request has parts for.
func TestCompileRefusesVariables(t *testing.T) {
	for source, says := range map[string]string{
		`query T($b: [Int]) { shop(bench: $b) { name } }`:                              "a list has no place",
		`query T($n: Float) { shop(near: $n) { name } }`:                               "no part of a request is read as Float",
		`query T($f: Form) { shop(form: $f) { name } }`:                                `two values are "up" in lower case`,
		`query T($n: String @lenient) { shop(name: $n) { name } }`:                     "want an Int",
		`query T($n: Int @lenient @range(min: 1, max: 2)) { shop(few: $n) { name } }`:  "with @lenient or with @range",
		`query T($n: Int! @lenient) { shop(few: $n) { name } }`:                        "can be absent",
		`query T($n: Int @range(min: 2, max: 1)) { shop(few: $n) { name } }`:           "the smaller one first",
		`query T($n: Int @range(min: 2, max: 3000000000)) { shop(few: $n) { name } }`:  "32 bits",
		`query T($n: Int! @range(min: $n, max: 1)) { shop(few: $n) { name } }`:         "two numbers",
		`query T($n: String!) { shop(name: $n) { tools @keyBy(field: $n) { uuid } } }`: "wants no variable",
		`query T($n: Int! = 0) { shop(few: $n) { name } }`:                             "the default 0 is out of range",
		`query T($n: Int! = 3 @range(min: 4, max: 5)) { shop(few: $n) { name } }`:      "the default 3 is out of range",
		`query T($n: Int @range(min: 1)) { shop(few: $n) { name } }`:                   "max",
		`query T($n: Int) { shop(few: $n) @lenient { name } }`:                         "lenient",
		`query T($n: String) { shop { name } }`:                                        "never used",
		`query Other { shop { name } }`:                                                "of its own name",
		`query T { shop { name } } query U { shop { name } }`:                          "of its own name",
		`mutation T { shop { name } }`:                                                 "mutation",
		`query T { shop {`:                                                             "Expected",
		`query T($i: Identifier = other) { shop { name size } }`:                       "other",
	} {
		if _, err := Compile(workshop, "T", source); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", source, err, says)
		}
	}
}

// No row stands behind one that takes its paths.
func TestRowsAreReached(t *testing.T) {
	for _, row := range Rows {
		path := Prefix + strings.NewReplacer("{", "", "}", "").Replace(row.Path)
		if got, _, ok := Match(row.Method, path); !ok || got.Method+got.Path != row.Method+row.Path {
			t.Errorf("%s %s is answered as %s", row.Method, path, got.Path)
		}
	}
	for path, operation := range map[string]string{
		"/v3/guild/seasons": "GuildSeasons", "/v3/guild/list": "Guild", "/v3/guild/list/guild": "Guilds",
		"/v3/guild/%73easons": "Guild", "/v3/guild/Seasons": "Guild",
		"/v3/guild/prefix": "Guild", "/v3/guild/uuid/seasons": "GuildByUUID", "/v3/map/locations/player": "PlayerLocations",
	} {
		if row, _, _ := Match("GET", path); row.Operation != operation {
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
