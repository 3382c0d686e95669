package graph

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
)

var inputs = gqlparser.MustLoadSchema(&ast.Source{Input: `
	scalar Large
	enum Tier { COMMON RARE }
	input Range { low: Int! high: Int = 9 tiers: [Tier!] }
	type Query { f(b: Boolean, d: ID, e: Tier, i: Int, l: [Int!], n: Float, r: Range, s: String, w: Large): Int }`})

func TestCoerceVariables(t *testing.T) {
	const all = `query($b:Boolean $d:ID $e:Tier=COMMON $i:Int $l:[Int!] $n:Float $r:Range $s:String $w:Large){f(b:$b d:$d e:$e i:$i l:$l n:$n r:$r s:$s w:$w)}`
	type object = map[string]any
	for _, c := range []struct {
		name  string
		given object
		want  object
		err   string
	}{
		{"nothing", nil, object{"e": "COMMON"}, ""},
		{"unknown are ignored", object{"zz": 1}, object{"e": "COMMON"}, ""},
		{"null stays null", object{"s": nil, "e": nil}, object{"s": nil, "e": nil}, ""},
		{"values of their types", object{"b": true, "d": "x", "e": "RARE", "i": 1, "n": 1.5, "s": "t"}, object{
			"b": true, "d": "x",
			"e": "RARE", "i": int64(1), "n": 1.5, "s": "t",
		}, ""},
		{"64-bit numbers stay exact", object{"e": nil, "w": json.Number("9007199254740993")}, object{
			"e": nil,
			"w": json.Number("9007199254740993"),
		}, ""},
		{"whole numbers in other notations", object{"i": json.Number("1e3"), "d": json.Number("7")}, object{
			"i": int64(1000), "d": "7",
			"e": "COMMON",
		}, ""},
		{"a single value is a list", object{"l": json.Number("3")}, object{"l": []any{int64(3)}, "e": "COMMON"}, ""},
		{"object", object{"r": object{"low": 1, "tiers": []any{"RARE"}}}, object{"r": object{
			"low":   int64(1),
			"tiers": []any{"RARE"},
		}, "e": "COMMON"}, ""},
		{"number for a string", object{"s": json.Number("7")}, nil, "$s must be of type String"},
		{"string for a number", object{"i": "7"}, nil, "$i must be of type Int"},
		{"above 32 bits", object{"i": json.Number("2147483648")}, nil, "$i must be of type Int"},
		{"fraction", object{"i": 1.5}, nil, "$i must be of type Int"},
		{"infinite", object{"n": json.Number("1e999")}, nil, "$n must be of type Float"},
		{"number for a boolean", object{"b": 1}, nil, "$b must be of type Boolean"},
		{"enum in other case", object{"e": "rare"}, nil, "$e must be a value of Tier"},
		{"inside a list", object{"l": []any{1, "secret"}}, nil, "$l[1] must be of type Int"},
		{"null inside a list", object{"l": []any{nil}}, nil, "$l[0] may not be null"},
		{
			"inside an object",
			object{"r": object{"low": 1, "tiers": []any{"RARE", "secret"}}},
			nil,
			"$r.tiers[1] must be a value of Tier",
		},
		{"member missing", object{"r": object{}}, nil, "$r.low is missing"},
		{"member unknown", object{"r": object{"low": 1, "secret": 2}}, nil, "$r has an unknown field: see Range"},
		{"not an object", object{"r": []any{}}, nil, "$r must be an object"},
	} {
		t.Run(c.name, func(t *testing.T) {
			doc := gqlparser.MustLoadQueryWithRules(inputs, all, nil)
			before, _ := json.Marshal(c.given)
			got, err := coerceVariables(inputs, &Operation{Doc: doc, Def: doc.Operations[0]}, c.given)
			if after, _ := json.Marshal(c.given); string(after) != string(before) {
				t.Errorf("given values were changed to %s", after)
			}
			if c.err != "" {
				if err == nil || !strings.Contains(err.Message, c.err) || strings.Contains(err.Message, "secret") ||
					ErrorOf(err).Code != BadVariables {
					t.Errorf("got error %v, want one with %q", err, c.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestWithoutValues(t *testing.T) {
	long := strings.Repeat("a", 500)
	for _, c := range []struct{ message, want string }{
		{`Cannot query field "nam" on type "Player".`, `Cannot query field "nam" on type "Player".`},
		{`Unexpected String "secret"`, `Unexpected String`},
		{`Expected Name, found Int "12"`, `Expected Name, found Int`},
		{`Expected "on", found Name "secret"`, `Expected "on", found Name "secret"`}, // a name, not a value
		{`Expected value of type "[UUID!]!", found {a:"secret"}.`, `Expected value of type "[UUID!]!".`},
		{`Int cannot represent non-integer value: "secret, found value: 7"`, `Int cannot represent non-integer value.`},
		{"Invalid character escape sequence: \\q secret\nand more", `Invalid character escape sequence.`},
		{`Cannot query field "` + long + `" on type "Query".`, `Cannot query field "` + long[:maxName] +
			`…" on type "Query".`},
		{`Value "not a name" does not exist in "Tier" enum.`, `Value "…" does not exist in "Tier" enum.`},
		{strings.Repeat("ä", 150), strings.Repeat("ä", 100) + "…"},
	} {
		if got := withoutValues(c.message); got != c.want {
			t.Errorf("withoutValues(%q): got %q, want %q", c.message, got, c.want)
		}
	}
}
