package graph

import (
	"container/list"
	"sync"

	"github.com/vektah/gqlparser/v2/ast"
)

// documentCacheNodes bounds the parsed documents that are kept, by their weight. A page
// query weighs some 50 nodes, so 2,000 distinct ones stay parsed; a node takes 200 to 300
// bytes, so whatever texts are sent, some 30 MB at most.
const documentCacheNodes = 100_000

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
	doc   *ast.QueryDocument
	nodes int
}

func newDocumentCache(nodes int) *documentCache {
	return &documentCache{capacity: nodes, room: nodes, order: list.New(), byKey: map[string]*list.Element{}}
}

func (c *documentCache) get(text string) *ast.QueryDocument {
	c.mu.Lock()
	defer c.mu.Unlock()
	at, ok := c.byKey[text]
	if !ok {
		return nil
	}
	c.order.MoveToFront(at)
	return at.Value.(*cachedDocument).doc
}

func (c *documentCache) put(text string, doc *ast.QueryDocument, nodes int) {
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
