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

// A caller who sends any number of documents fills an eighth and evicts their own; documents that are too long are not
// stored.
func TestPersistedQueriesAreBounded(t *testing.T) {
	p := newPersistedQueries(nil)
	documents := 5 * maxPersistedBytes / maxPersistedDocument
	text := func(n int) string { return fmt.Sprintf("{ f%d }", n) + strings.Repeat(" ", maxPersistedDocument-40) }
	stored := func() (bytes int) {
		for n := range documents {
			bytes += len(p.get(hashOf(text(n))))
		}
		return bytes
	}
	for n := range documents {
		p.put(hashOf(text(n)), text(n), "flooder")
	}
	if n := stored(); n > maxPersistedBytes/8 || n < maxPersistedBytes/16 || p.get(hashOf(text(documents-1))) == "" {
		t.Errorf("one caller fills %d bytes", n)
	}
	for n := range documents {
		p.put(hashOf(text(n)), text(n), fmt.Sprint("caller ", n))
	}
	if n := stored(); n > maxPersistedBytes || n < maxPersistedBytes/2 {
		t.Errorf("all callers fill %d bytes", n)
	}
	long := strings.Repeat(" ", maxPersistedDocument+1)
	p.put(hashOf(long), long, "reader")
	if p.get(hashOf(long)) != "" {
		t.Error("a document that is too long was stored")
	}
}
