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
	for text, kept := range map[string]bool{"a": true, "b": false, "c": true, "d": true, "too large": false} {
		if got := c.get(text); (got != nil) != kept || kept && got != docs[text] {
			t.Errorf("%s kept: %v, want %v", text, got != nil, kept)
		}
	}
	if c.room != 0 || c.order.Len() != 3 || len(c.byKey) != 3 {
		t.Errorf("room %d, %d in order, %d by key", c.room, c.order.Len(), len(c.byKey))
	}
}

// Two texts have one hash exactly when the parser sees the same in them.
func TestHashTokens(t *testing.T) {
	const plain = `query A($n: Int = 1) { items(page: $n, id: "a b") { x } }`
	for name, c := range map[string]struct {
		text string
		same bool
	}{
		"spaces and commas": {"query A ( $n : Int=1 ){items(page:$n id:\"a b\")\n\t{x,,}}", true},
		"comments":          {"# hello\n" + plain + " # the end", true},
		"escapes":           {`query A($n: Int = 1) { items(page: $n, id: "a\u0020b") { x } }`, true},
		"space in a string": {`query A($n: Int = 1) { items(page: $n, id: "a  b") { x } }`, false},
		"another name":      {`query B($n: Int = 1) { items(page: $n, id: "a b") { x } }`, false},
		"another default":   {`query A($n: Int = 2) { items(page: $n, id: "a b") { x } }`, false},
		"a string as name":  {`query A($n: Int = 1) { items(page: $n, id: ab) { x } }`, false},
		"tokens moved":      {`query A($n: Int = 1) { items(page: $n, id: "a b") { x x } }`, false},
		"a number as text":  {`query A($n: Int = 1) { items(page: $n, id: 1) { x } }`, false},
		"a text as number":  {`query A($n: Int = 1) { items(page: $n, id: "1") { x } }`, false},
	} {
		if same := hashTokens(c.text) == hashTokens(plain); same != c.same {
			t.Errorf("%s: one hash %v, want %v", name, same, c.same)
		}
	}
	if hashTokens(`{a(b: 1)}`) == hashTokens(`{a(b: "1")}`) {
		t.Error("a number and a text have one hash")
	}
}
