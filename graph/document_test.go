package graph

import "testing"

func TestDocumentCache(t *testing.T) {
	c := newDocumentCache(9) // each weighs 2 and 1 for its text
	docs := map[string]*document{"a": {}, "b": {}, "c": {}, "d": {}}
	for _, text := range []string{"a", "b", "c"} {
		c.put(text, docs[text], 2)
	}
	c.get("a") // so b was used least recently
	c.put("d", docs["d"], 2)
	c.put("too large", &document{}, 10)
	for text, want := range map[string]bool{"a": true, "b": false, "c": true, "d": true, "too large": false} {
		if got := c.get(text); (got != nil) != want || want && got != docs[text] {
			t.Errorf("%s cached: got %v, want %v", text, got != nil, want)
		}
	}
	if c.weight != 9 || c.lru.Len() != 3 {
		t.Errorf("got weight %d of %d documents, want 9 of 3", c.weight, c.lru.Len())
	}
}

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
