package graphqlhttp

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

// A caller who sends many documents evicts their own; all callers together never exceed the bound, and
// documents in use stay longest.
func TestPersistedQueriesAreBounded(t *testing.T) {
	p := newPersistedQueries(nil)
	page := "{ page }"
	p.put(hashOf(page), page, "reader")
	put := func(caller string, n int) string {
		text := fmt.Sprintf("{ %s%d }", caller, n) + strings.Repeat(" ", maxPersistedDocument-40)
		p.put(hashOf(text), text, caller)
		return text
	}
	first := put("flooder", 0)
	for n := range 5 * maxPersistedBytes / maxPersistedDocument {
		put("flooder", n)
	}
	if p.get(hashOf(page)) != page || p.get(hashOf(first)) != "" {
		t.Error("a caller evicted the documents of others instead of their own")
	}
	if own := p.callers["flooder"]; own.size > maxCallerBytes || own.hashes.Len() < 10 {
		t.Errorf("the caller has %d documents of %d bytes", own.hashes.Len(), own.size)
	}
	for caller := range 20 {
		for n := range maxCallerBytes / maxPersistedDocument {
			put(fmt.Sprint("caller ", caller), n)
		}
		if p.get(hashOf(page)) == "" {
			t.Fatal("a document in use was evicted")
		}
	}
	size, callers := 0, map[string]bool{}
	for _, q := range p.all.Values() {
		size += q.size()
		callers[q.caller] = true
	}
	if size != p.size || size > maxPersistedBytes || size < maxPersistedBytes/2 || len(callers) != len(p.callers) {
		t.Errorf("%d bytes, counted as %d; %d callers, counted as %d", size, p.size, len(callers), len(p.callers))
	}
	long := strings.Repeat(" ", maxPersistedDocument+1)
	if p.put(hashOf(long), long, "reader"); p.get(hashOf(long)) != "" {
		t.Error("a document that is too long was stored")
	}
}
