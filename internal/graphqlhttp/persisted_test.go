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

// Any number of documents fills at most the bound; documents that are too long are not stored.
func TestPersistedQueriesAreBounded(t *testing.T) {
	p := newPersistedQueries(nil)
	documents := 3 * maxPersistedBytes / maxPersistedDocument
	text := func(n int) string { return fmt.Sprintf("{ f%d }", n) + strings.Repeat(" ", maxPersistedDocument-40) }
	for n := range documents {
		p.put(hashOf(text(n)), text(n))
	}
	stored := 0
	for n := range documents {
		stored += len(p.get(hashOf(text(n))))
	}
	if stored > maxPersistedBytes || stored < maxPersistedBytes/2 || p.get(hashOf(text(documents-1))) == "" {
		t.Errorf("%d bytes are stored", stored)
	}
	long := strings.Repeat(" ", maxPersistedDocument+1)
	p.put(hashOf(long), long)
	if p.get(hashOf(long)) != "" {
		t.Error("a document that is too long was stored")
	}
}
