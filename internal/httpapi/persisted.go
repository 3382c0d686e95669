package httpapi

import (
	"bytes"
	"container/list"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
	"sync"

	"gamedata/graph"
)

// Documents that clients name by their SHA-256 instead of sending them again: automatic
// persisted queries, as Apollo's clients speak it. extensions.persistedQuery carries the hash;
// one that is not known is told, and sent again with its text.
const (
	persistedVersion = 1
	// persistedRoom bounds the documents that are remembered, in bytes of them.
	persistedRoom = 8 << 20
	// persistedShare is how much of it one caller may fill: beyond it his own oldest go, so
	// that nobody makes the service forget what others use.
	persistedShare = persistedRoom / 8
	// longestPersisted is the length of the longest document that is remembered.
	longestPersisted = 16 << 10
)

var (
	errNotPersisted = graph.Errorf(graph.PersistedQueryNotFound, "PersistedQueryNotFound")
	errPersisted    = graph.Errorf(graph.MalformedPayload,
		"extensions.persistedQuery must hold version 1 and a sha256Hash of 64 hexadecimal digits.")
	errOtherHash = graph.Errorf(graph.MalformedPayload, "provided sha does not match query")
)

// readPersisted reads extensions.persistedQuery; the hash is empty when it is not there.
func readPersisted(extensions json.RawMessage) (hash string, err *graph.Error) {
	var members struct {
		Query json.RawMessage `json:"persistedQuery"`
	}
	if len(extensions) == 0 || json.Unmarshal(extensions, &members) != nil || len(members.Query) == 0 ||
		bytes.Equal(members.Query, []byte("null")) {
		return "", nil
	}
	var named struct {
		Version int
		Hash    string `json:"sha256Hash"`
	}
	if json.Unmarshal(members.Query, &named) != nil || named.Version != persistedVersion ||
		len(named.Hash) != 2*sha256.Size {
		return "", errPersisted
	}
	if _, bad := hex.DecodeString(named.Hash); bad != nil {
		return "", errPersisted
	}
	return strings.ToLower(named.Hash), nil
}

// text gives a request that names its document the text of it.
func (p *persisted) text(req *request) *graph.Error {
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
		return errOtherHash
	}
	return nil
}

// persisted remembers documents by their hashes, the least recently used go first.
type persisted struct {
	mu     sync.Mutex
	byHash map[string]*document
	all    room
	of     map[string]*room  // by caller
	fixed  map[string]string // hash → text of those that are never forgotten; read alone while the door serves
}

// Remember keeps a document that the service itself names by its hash. It is for the time before
// the door serves.
func (d *Door) Remember(hash, text string) {
	if d.persisted.fixed == nil {
		d.persisted.fixed = map[string]string{}
	}
	d.persisted.fixed[hash] = text
}

// document is remembered, and counted for the caller who sent it first.
type document struct {
	hash, text, caller string
	inAll, inOwn       *list.Element
}

// room holds documents in the order of their use.
type room struct {
	order list.List
	size  int
}

func (p *persisted) get(hash string) string {
	if text, ok := p.fixed[hash]; ok {
		return text
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	d := p.byHash[hash]
	if d == nil {
		return ""
	}
	p.used(d)
	return d.text
}

func (p *persisted) used(d *document) {
	p.all.order.MoveToFront(d.inAll)
	p.of[d.caller].order.MoveToFront(d.inOwn)
}

// put remembers a document under its hash, which must be right.
func (p *persisted) put(hash, text, caller string) {
	if _, ok := p.fixed[hash]; ok || len(text) > longestPersisted {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if d := p.byHash[hash]; d != nil {
		p.used(d)
		return
	}
	if p.byHash == nil {
		p.byHash, p.of = map[string]*document{}, map[string]*room{}
	}
	own := p.of[caller]
	if own == nil {
		own = new(room)
		p.of[caller] = own
	}
	d := &document{hash: hash, text: text, caller: caller}
	d.inAll, d.inOwn = p.all.order.PushFront(d), own.order.PushFront(d)
	p.byHash[hash] = d
	p.all.size += d.size()
	own.size += d.size()
	for own.size > persistedShare {
		p.drop(own.order.Back().Value.(*document))
	}
	for p.all.size > persistedRoom {
		p.drop(p.all.order.Back().Value.(*document))
	}
}

func (p *persisted) drop(d *document) {
	own := p.of[d.caller]
	p.all.order.Remove(d.inAll)
	own.order.Remove(d.inOwn)
	p.all.size -= d.size()
	if own.size -= d.size(); own.size == 0 {
		delete(p.of, d.caller)
	}
	delete(p.byHash, d.hash)
}

// size is what a document takes, with what it is found by.
func (d *document) size() int { return len(d.text) + len(d.hash) + len(d.caller) + 400 }
