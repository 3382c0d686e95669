package graph

import (
	"container/list"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"sync"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/lexer"
)

// documentCacheNodes bounds the parsed documents that are kept, by their weight. A page
// query weighs some 50 nodes, so 2,000 distinct ones stay parsed; a node takes 200 to 300
// bytes, so whatever texts are sent, some 30 MB at most.
const documentCacheNodes = 100_000

// document is a validated document and those of its operations that can be run, made ready:
// by name, and one alone under the empty name too.
type document struct {
	parsed     *ast.QueryDocument
	operations map[string]*Operation
}

func (e *Executor) newDocument(text string, parsed *ast.QueryDocument) *document {
	tokens := hashTokens(text)
	d := &document{parsed, map[string]*Operation{}}
	for _, def := range parsed.Operations {
		op, err := e.choose(parsed, def.Name)
		if err != nil {
			continue // whoever asks for it is told why
		}
		op.Hash = tokens + " " + def.Name
		d.operations[def.Name] = op
		if len(parsed.Operations) == 1 {
			d.operations[""] = op
		}
	}
	return d
}

// hashTokens is the SHA-256 of what the parser sees of a text: its tokens.
func hashTokens(text string) string {
	sum, tokens := sha256.New(), lexer.New(&ast.Source{Input: text})
	var head [16]byte
	for {
		t, err := tokens.ReadToken()
		if err != nil || t.Kind == lexer.EOF {
			return hex.EncodeToString(sum.Sum(nil))
		}
		if t.Kind == lexer.Comment {
			continue
		}
		binary.BigEndian.PutUint64(head[:], uint64(t.Kind))
		binary.BigEndian.PutUint64(head[8:], uint64(len(t.Value)))
		sum.Write(head[:])
		sum.Write([]byte(t.Value))
	}
}

// documentCache keeps validated documents by their text, the least recently used go first.
type documentCache struct {
	mu       sync.Mutex
	capacity int
	room     int // what is left of capacity
	order    *list.List
	byKey    map[string]*list.Element
}

type cachedDocument struct {
	text  string
	doc   *document
	nodes int
}

func newDocumentCache(nodes int) *documentCache {
	return &documentCache{capacity: nodes, room: nodes, order: list.New(), byKey: map[string]*list.Element{}}
}

func (c *documentCache) get(text string) *document {
	c.mu.Lock()
	defer c.mu.Unlock()
	at, ok := c.byKey[text]
	if !ok {
		return nil
	}
	c.order.MoveToFront(at)
	return at.Value.(*cachedDocument).doc
}

func (c *documentCache) put(text string, doc *document, nodes int) {
	// The text itself takes room too: an empty query may be a long comment.
	nodes += 1 + len(text)/64
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byKey[text] != nil || nodes > c.capacity {
		return
	}
	c.byKey[text] = c.order.PushFront(&cachedDocument{text, doc, nodes})
	c.room -= nodes
	for c.room < 0 {
		last := c.order.Back()
		old := c.order.Remove(last).(*cachedDocument)
		delete(c.byKey, old.text)
		c.room += old.nodes
	}
}
