package embedded

import (
	"bytes"
	"maps"
	"math/rand/v2"
	"strconv"
	"sync"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"
)

const (
	cursorTimeout = 10 * time.Minute
	firstBatch    = 101       // documents, when the client names no batch size
	batchBytes    = 16 << 20  // bytes of documents in one batch, unless a single one is larger
	maxCursors    = 10_000    // open at a time; the longest idle one is closed first
	maxBatchDocs  = 1<<31 - 1 // no limit but the bytes
)

// openCursor is a stream with remaining documents.
type openCursor struct {
	id        int64
	namespace string
	stream    stream
	tx        *transaction // of the client, nil without one
	pending   raw          // read already, but too large for the last batch
	used      time.Time
	busy      bool
}

// cursors holds the open cursors of a server.
type cursors struct {
	mu   sync.Mutex
	byID map[int64]*openCursor
}

func (cs *cursors) keep(cur *openCursor) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	if cs.byID == nil {
		cs.byID = map[int64]*openCursor{}
	}
	if len(cs.byID) >= maxCursors {
		var oldest *openCursor
		for _, other := range cs.byID {
			if !other.busy && (oldest == nil || other.used.Before(oldest.used)) {
				oldest = other
			}
		}
		if oldest != nil {
			delete(cs.byID, oldest.id)
		}
	}
	for cur.id == 0 || cs.byID[cur.id] != nil {
		cur.id = rand.Int64()
	}
	cs.byID[cur.id] = cur
}

// take finds a cursor and marks it busy.
func (cs *cursors) take(id int64, namespace string, tx *transaction) (*openCursor, error) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	cur := cs.byID[id]
	if cur == nil || cur.tx != tx {
		return nil, errorf(codeCursorNotFound, "cursor id %d not found", id)
	}
	if cur.namespace != namespace {
		return nil, errorf(13, "Requested getMore on namespace '%s', but cursor belongs to a different namespace", namespace)
	}
	if cur.busy {
		return nil, errorf(12051, "cursor id %d is already in use", id)
	}
	cur.busy = true
	return cur, nil
}

// release makes a cursor available again, or closes it if it is done.
func (cs *cursors) release(cur *openCursor, done bool) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	cur.busy, cur.used = false, time.Now()
	if done {
		delete(cs.byID, cur.id)
	}
}

func (cs *cursors) kill(id int64) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	delete(cs.byID, id)
}

func (cs *cursors) end(tx *transaction) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	maps.DeleteFunc(cs.byID, func(_ int64, cur *openCursor) bool { return cur.tx == tx })
}

func (cs *cursors) expire(before time.Time) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	maps.DeleteFunc(cs.byID, func(_ int64, cur *openCursor) bool { return !cur.busy && cur.used.Before(before) })
}

// batchOptions configures the first batch of a stream.
type batchOptions struct {
	size   int64 // documents
	single bool  // no cursor afterwards
}

// batchSize reads batchSize, which aggregate and listIndexes have inside a cursor document.
func (c *command) batchSize(v value) batchOptions {
	if v.kind == 0 {
		return batchOptions{size: firstBatch}
	}
	n, ok := v.integer()
	if !ok || n < 0 {
		c.reject(errorf(codeBadValue, "batchSize must be a non-negative integer"))
	}
	return batchOptions{size: n}
}

// firstBatch writes the first documents of a stream and opens a cursor for the others. The stream is detached
// afterwards.
func (c *command) firstBatch(namespace string, source stream, o batchOptions) error {
	cur := &openCursor{namespace: namespace, stream: source, tx: c.tx, used: time.Now()}
	done, err := c.batch(cur, "firstBatch", o.size)
	if err != nil {
		return err
	}
	if !done && !o.single {
		c.keep = true
		c.s.cursors.keep(cur)
	}
	c.endBatch(cur)
	return nil
}

// batch opens the field "cursor" and fills it with up to size documents; done means that no documents are left.
func (c *command) batch(cur *openCursor, field string, size int64) (done bool, err error) {
	defer cur.stream.detach()
	var at int
	c.dst, at = openField(c.dst, bson.TypeEmbeddedDocument, "cursor")
	list := 0
	c.dst, list = openField(c.dst, bson.TypeArray, field)
	bytesBefore := len(c.dst)
	for n := int64(0); n < size; n++ {
		d := cur.pending
		if d == nil {
			if d, err = cur.stream.next(); err != nil {
				return false, err
			}
		}
		if d == nil {
			done = true
			break
		}
		if n > 0 && len(c.dst)-bytesBefore+len(d) > batchBytes {
			cur.pending = bytes.Clone(d)
			break
		}
		cur.pending = nil
		c.grow(len(d) + maxElementHeader)
		c.dst = append(c.dst, byte(bson.TypeEmbeddedDocument))
		c.dst = strconv.AppendInt(c.dst, n, 10)
		c.dst = append(c.dst, 0)
		c.dst = append(c.dst, d...)
	}
	c.dst = closeDoc(c.dst, list)
	c.openCursorAt = at
	return done, nil
}

// endBatch writes the cursor's id, which is 0 if no documents are left, and its namespace.
func (c *command) endBatch(cur *openCursor) {
	c.dst = bsoncore.AppendInt64Element(c.dst, "id", cur.id)
	c.dst = bsoncore.AppendStringElement(c.dst, "ns", cur.namespace)
	c.dst = closeDoc(c.dst, c.openCursorAt)
}

func getMore(c *command) error {
	id, ok := c.argument.integer()
	name := c.body.lookup("collection")
	if !ok || name.kind != bson.TypeString {
		return errorf(codeTypeMismatch, "getMore needs a cursor id and a collection")
	}
	cur, err := c.s.cursors.take(id, c.db+"."+string(name.text()), c.tx)
	if err != nil {
		return err
	}
	done := true
	defer func() { c.s.cursors.release(cur, done) }()
	size := c.count("batchSize")
	if c.err != nil {
		return c.err
	}
	if size == 0 {
		size = maxBatchDocs
	}
	return c.view(func(snap snapshot) error {
		if err := cur.stream.attach(snap, c.deadline); err != nil {
			return err
		}
		if done, err = c.batch(cur, "nextBatch", size); err != nil {
			done = true
			return err
		}
		shown := *cur
		if done {
			shown.id = 0
		}
		c.endBatch(&shown)
		return nil
	})
}

func killCursors(c *command) error {
	ids := c.body.lookup("cursors")
	if ids.kind != bson.TypeArray {
		return c.mismatch("cursors", ids, "array")
	}
	for _, v := range ids.doc().all() {
		id, _ := v.integer()
		c.s.cursors.kill(id)
	}
	return nil
}
