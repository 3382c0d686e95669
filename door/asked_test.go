package door

import (
	"fmt"
	"strings"
	"testing"
)

// However many bodies are sent, few are remembered, and each means its own.
func TestBodies(t *testing.T) {
	var b bodies
	pad := strings.Repeat(" ", 1000)
	of := func(i int) []byte { return []byte(fmt.Sprintf("%04d", i) + pad) }
	for i := range 2000 {
		a := &asked{}
		b.put(of(i), a, len(of(i)))
		if b.get(of(i)) != a {
			t.Fatalf("body %d is not remembered", i)
		}
		if b.size > bodiesRoom || len(b.byText)*1004 != b.size {
			t.Fatalf("%d bodies, %d bytes", len(b.byText), b.size)
		}
	}
	for _, text := range []string{"", strings.Repeat(" ", longestBody+1)} {
		if b.put([]byte(text), &asked{}, len(text)); b.get([]byte(text)) != nil {
			t.Errorf("a body of %d bytes is remembered", len(text))
		}
	}
}
