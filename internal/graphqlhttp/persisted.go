package graphqlhttp

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"gamedata/graph"
)

// Automatic persisted queries, as Apollo's clients use them: extensions.persistedQuery carries the
// SHA-256 of a document instead of its text. A client whose hash is unknown sends the text again.
const (
	persistedVersion = 1
	// maxPersistedBytes bounds the stored documents. The bound is in bytes since callers choose the documents.
	maxPersistedBytes = 8 << 20
	// maxCallerBytes is the part of it that one caller may fill: beyond it the caller's own oldest
	// documents are evicted, so that no caller can evict those of others.
	maxCallerBytes = maxPersistedBytes / 8
	// maxPersistedDocument is the length of the longest document that is stored.
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

// persistedQueries stores documents by their hashes and evicts the least recently used.
type persistedQueries struct {
	fixed map[string]string // never evicted

	mu      sync.Mutex
	all     *simplelru.LRU[string, persistedQuery]
	size    int
	callers map[string]*callerQueries
}

// persistedQuery counts for the caller who sent it first.
type persistedQuery struct{ text, caller string }

// callerQueries are the hashes of one caller's documents.
type callerQueries struct {
	hashes *simplelru.LRU[string, struct{}]
	size   int
}

func newPersistedQueries(fixed map[string]string) *persistedQueries {
	p := &persistedQueries{fixed: fixed, callers: map[string]*callerQueries{}}
	p.all = newLRU(p.evicted)
	return p
}

// newLRU returns an LRU whose bound in entries is never reached: those in bytes apply. The error
// is about a bound below 1.
func newLRU[V any](onEvict func(string, V)) *simplelru.LRU[string, V] {
	l, _ := simplelru.NewLRU(maxPersistedBytes, onEvict)
	return l
}

// resolve fills in the text of a request that names its document.
func (p *persistedQueries) resolve(req *request) *graph.Error {
	switch {
	case req.hash == "":
		return nil
	case req.query == "":
		if req.query = p.get(req.hash); req.query == "" {
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
	p.mu.Lock()
	defer p.mu.Unlock()
	q, ok := p.all.Get(hash)
	if ok {
		p.callers[q.caller].hashes.Get(hash)
	}
	return q.text
}

// put stores a document under its hash, which must be correct.
func (p *persistedQueries) put(hash, text, caller string) {
	if _, ok := p.fixed[hash]; ok || len(text) > maxPersistedDocument {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if q, ok := p.all.Get(hash); ok {
		p.callers[q.caller].hashes.Get(hash)
		return
	}
	own := p.callers[caller]
	if own == nil {
		own = &callerQueries{hashes: newLRU[struct{}](nil)}
		p.callers[caller] = own
	}
	q := persistedQuery{text, caller}
	p.all.Add(hash, q)
	own.hashes.Add(hash, struct{}{})
	p.size += q.size()
	own.size += q.size()
	for own.size > maxCallerBytes {
		oldest, _, _ := own.hashes.GetOldest()
		p.all.Remove(oldest)
	}
	for p.size > maxPersistedBytes {
		p.all.RemoveOldest()
	}
}

// evicted forgets a document for its caller too.
func (p *persistedQueries) evicted(hash string, q persistedQuery) {
	own := p.callers[q.caller]
	own.hashes.Remove(hash)
	p.size -= q.size()
	if own.size -= q.size(); own.size == 0 {
		delete(p.callers, q.caller)
	}
}

// size is what a document and its keys occupy, in bytes.
func (q persistedQuery) size() int { return len(q.text) + 2*sha256.Size + len(q.caller) + 400 }
