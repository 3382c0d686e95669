package transform

import (
	"strings"
	"testing"
)

// Compile rejects selections that have no effect or two meanings, and names the field.
func TestCompileRejectsSelections(t *testing.T) {
	for _, c := range []struct{ selection, want string }{
		{`{ nothing }`, "nothing"},
		{`{ name }  other`, "selects 2 root fields"},
		{`{ ... on Shop @include(if: $all) { name } }`, "directives on the fragment"},
		{`{ board { ... on Guest { score } ... on Team { score @text } } }`, "score has two meanings"},
		{`{ board { ... on Guest { v: score } ... on House { v: area } } }`, "conflict"},
		{`{ board { ... on Guest { s: name } ... on House { s: note } } }`, "s has two meanings"},
		{`{ board { name ... on Guest { name @omitNull } } }`, "name has two meanings"},
		{`{ board { ... on Guest { meta { xp } } ... on Team { meta { xp @text } } } }`, "xp has two meanings"},
		{`{ board { ... on Guest { meta @tuple { xp won } } ... on Team { meta @tuple { won xp } } } }`, "requires an order"},
		{`{ name @omitNull(when: "size", is: ["x"]) size }`, "selected before it"},
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
		`query T($n: Int @accepts(min: 1)) { shop(few: $n) { name } }`: "max",
		`query T($n: Int) { shop(few: $n) @lenient { name } }`:         "lenient",
		`query T($n: String) { shop { name } }`:                        "never used",
		`query Other { shop { name } }`:                                "want exactly one query, named T",
		`query T { shop { name } } query U { shop { name } }`:          "want exactly one query, named T",
		`mutation T { shop { name } }`:                                 "mutation",
		`query T { shop {`:                                             "Expected",
		`query T($i: Identifier = other) { shop { name size } }`:       "other",
	} {
		if _, err := Compile(workshop, "T", source); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got error %v, want %q", source, err, want)
		}
	}
}
