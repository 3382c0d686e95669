package graph

import "testing"

// Texts have the same hash if and only if they have the same tokens.
func TestHashTokens(t *testing.T) {
	const plain = `query A($n: Int = 1) { items(page: $n, id: "a b") { x } }`
	for name, c := range map[string]struct {
		text string
		same bool
	}{
		"spaces and commas":     {"query A ( $n : Int=1 ){items(page:$n id:\"a b\")\n\t{x,,}}", true},
		"comments":              {"# hello\n" + plain + " # the end", true},
		"escapes":               {`query A($n: Int = 1) { items(page: $n, id: "a\u0020b") { x } }`, true},
		"space in a string":     {`query A($n: Int = 1) { items(page: $n, id: "a  b") { x } }`, false},
		"another name":          {`query B($n: Int = 1) { items(page: $n, id: "a b") { x } }`, false},
		"another default":       {`query A($n: Int = 2) { items(page: $n, id: "a b") { x } }`, false},
		"a string as name":      {`query A($n: Int = 1) { items(page: $n, id: ab) { x } }`, false},
		"one more token":        {`query A($n: Int = 1) { items(page: $n, id: "a b") { x x } }`, false},
		"a number for a string": {`query A($n: Int = 1) { items(page: $n, id: 1) { x } }`, false},
		"a string with digits":  {`query A($n: Int = 1) { items(page: $n, id: "1") { x } }`, false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := hashTokens(c.text) == hashTokens(plain); got != c.same {
				t.Errorf("same hash: got %v, want %v", got, c.same)
			}
		})
	}
	if hashTokens(`{a(b: 1)}`) == hashTokens(`{a(b: "1")}`) {
		t.Error("a number and a string have the same hash")
	}
}
