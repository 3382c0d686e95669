package graph

import (
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
)

func TestDocumentCache(t *testing.T) {
	c := newDocumentCache(9) // each weighs 2 and 1 for its text
	docs := map[string]*ast.QueryDocument{"a": {}, "b": {}, "c": {}, "d": {}}
	for _, text := range []string{"a", "b", "c"} {
		c.put(text, docs[text], 2)
	}
	c.get("a") // so b was used least recently
	c.put("d", docs["d"], 2)
	c.put("too large", &ast.QueryDocument{}, 10)
	for text, kept := range map[string]bool{"a": true, "b": false, "c": true, "d": true, "too large": false} {
		if got := c.get(text); (got != nil) != kept || kept && got != docs[text] {
			t.Errorf("%s kept: %v, want %v", text, got != nil, kept)
		}
	}
	if c.room != 0 || c.order.Len() != 3 || len(c.byKey) != 3 {
		t.Errorf("room %d, %d in order, %d by key", c.room, c.order.Len(), len(c.byKey))
	}
}
