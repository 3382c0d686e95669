package graphqlhttp

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"

	"gamedata/graph"
	"gamedata/internal/cache"
)

// Automatic persisted queries, as Apollo's clients use them: extensions.persistedQuery carries the
// SHA-256 of a document instead of its text. A client whose hash is unknown sends the text again.
const (
	persistedVersion = 1
	// maxPersistedBytes limits the stored documents, in bytes because callers choose their size.
	maxPersistedBytes = 8 << 20
	// persistedOverhead is the memory that a document takes besides its text, in bytes.
	persistedOverhead = 500
	// maxPersistedDocument is the length of the longest stored document.
	maxPersistedDocument = 16 << 10
)

var (
	errNotPersisted = graph.Errorf(graph.PersistedQueryNotFound, "PersistedQueryNotFound")
	errPersisted    = graph.Errorf(graph.MalformedPayload,
		"extensions.persistedQuery must hold version 1 and a sha256Hash of 64 hexadecimal digits.")
	errHashMismatch = graph.Errorf(graph.MalformedPayload, "provided sha does not match query")
)

// parsePersisted reads the hash in extensions.persistedQuery; empty when there is none.
func parsePersisted(extensions json.RawMessage) (hash string, err *graph.Error) {
	var members struct {
		Query json.RawMessage `json:"persistedQuery"`
	}
	if len(extensions) == 0 || json.Unmarshal(extensions, &members) != nil || len(members.Query) == 0 ||
		bytes.Equal(members.Query, []byte("null")) {
		return "", nil
	}
	var query struct {
		Version int
		Hash    string `json:"sha256Hash"`
	}
	if json.Unmarshal(members.Query, &query) != nil || query.Version != persistedVersion ||
		len(query.Hash) != 2*sha256.Size {
		return "", errPersisted
	}
	if _, bad := hex.DecodeString(query.Hash); bad != nil {
		return "", errPersisted
	}
	return strings.ToLower(query.Hash), nil
}

// persistedQueries stores documents by their hashes and evicts the least recently used: their clients send them again.
type persistedQueries struct {
	fixed map[string]string // never evicted
	sent  *cache.LRU[string]
}

func newPersistedQueries(fixed map[string]string) *persistedQueries {
	return &persistedQueries{fixed, cache.NewLRU[string](maxPersistedBytes)}
}

// resolve fills in the text of a document that the request names by hash.
func (p *persistedQueries) resolve(req *request) *graph.Error {
	switch {
	case req.hash == "":
		return nil
	case req.query == "":
		req.query = p.get(req.hash)
		if req.query == "" {
			return errNotPersisted
		}
		return nil
	}
	if sum := sha256.Sum256([]byte(req.query)); hex.EncodeToString(sum[:]) != req.hash {
		return errHashMismatch
	}
	return nil
}

// get returns the text of a document, empty when it is unknown.
func (p *persistedQueries) get(hash string) string {
	if text, ok := p.fixed[hash]; ok {
		return text
	}
	text, _ := p.sent.Get(hash)
	return text
}

// put stores a document under its hash, which must be correct.
func (p *persistedQueries) put(hash, text string) {
	if len(text) <= maxPersistedDocument && p.get(hash) == "" {
		p.sent.Put(hash, text, len(text)+persistedOverhead)
	}
}
