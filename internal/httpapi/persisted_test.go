package httpapi

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
)

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// A caller who sends many documents makes the service forget his own; all callers together
// never take more than there is room for, and what is used stays longest.
func TestPersistedIsBounded(t *testing.T) {
	var p persisted
	page := "{ page }"
	p.put(hashOf(page), page, "reader")
	put := func(caller string, n int) string {
		text := fmt.Sprintf("{ %s%d }", caller, n) + strings.Repeat(" ", longestPersisted-40)
		p.put(hashOf(text), text, caller)
		return text
	}
	first := put("stranger", 0)
	for n := range 5 * persistedRoom / longestPersisted {
		put("stranger", n)
	}
	if p.get(hashOf(page)) != page || p.get(hashOf(first)) != "" {
		t.Error("a stranger had what others use forgotten, and not his own")
	}
	if own := p.of["stranger"]; own.size > persistedShare || own.order.Len() < 10 {
		t.Errorf("a stranger has %d documents of %d bytes", own.order.Len(), own.size)
	}
	for caller := range 20 {
		for n := range persistedShare / longestPersisted {
			put(fmt.Sprint("caller ", caller), n)
		}
		if p.get(hashOf(page)) == "" {
			t.Fatal("what is used is forgotten first")
		}
	}
	size, callers := 0, map[string]bool{}
	for _, d := range p.byHash {
		size += d.size()
		callers[d.caller] = true
	}
	if size != p.all.size || size > persistedRoom || size < persistedRoom/2 || len(callers) != len(p.of) ||
		p.all.order.Len() != len(p.byHash) {
		t.Errorf("%d bytes, counted as %d; %d callers, counted as %d", size, p.all.size, len(callers), len(p.of))
	}
	long := strings.Repeat(" ", longestPersisted+1)
	if p.put(hashOf(long), long, "reader"); p.get(hashOf(long)) != "" {
		t.Error("a document that is too long is remembered")
	}
}
