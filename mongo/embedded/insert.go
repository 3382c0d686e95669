package embedded

import (
	"encoding/binary"
	"errors"
	"strconv"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"
)

// insert stores documents. All documents of one command are in one transaction; documents before a rejected one stay.
func insert(c *command) error {
	namespace, docs, ordered := c.statements("documents")
	if c.err != nil {
		return c.err
	}
	known, insertions := c.s.prepareAll(namespace, docs)
	var report writeReport
	err := c.write(len(c.body)+sizeOf(docs), func(w target) error {
		report = writeReport{}
		coll, err := w.collection(namespace)
		if err != nil {
			return err
		}
		if coll != known { // created or changed in the meantime
			insertions = coll.prepareAll(docs)
			known = coll
		}
		l := w.loader(coll)
		for i := range insertions {
			if err := c.expired(); err != nil {
				report.fail(i, err)
				break
			}
			if err := l.add(&insertions[i]); err == nil {
				report.n++
			} else if !report.fail(i, err) {
				return err
			} else if ordered {
				break
			}
		}
		return l.flush()
	})
	if err != nil {
		return err
	}
	report.write(c)
	return nil
}

// insertOne stores a document and returns it with its _id.
func insertOne(w target, namespace string, d raw) (raw, error) {
	c, err := w.collection(namespace)
	if err != nil {
		return nil, err
	}
	in := c.prepare(d)
	l := w.loader(c)
	if err := l.add(&in); err != nil {
		return nil, err
	}
	return in.doc, l.flush()
}

// statements reads the arguments that insert, update and delete share: the collection, the documents or statements, and
// whether the first rejected one ends the command.
func (c *command) statements(field string) (namespace string, batch []raw, ordered bool) {
	return c.namespace(), c.writes(field), c.ordered()
}

// writes reads the documents or statements of a write.
func (c *command) writes(field string) []raw {
	all := c.list(field)
	if n := len(all); n < 1 || n > maxWriteBatch {
		c.reject(errorf(16, "Write batch sizes must be between 1 and %d. Got %d operations.", maxWriteBatch, n))
	}
	return all
}

// ordered reports whether the first rejected write ends the command. In a transaction it always does.
func (c *command) ordered() bool { return c.tx != nil || c.flag("ordered", true) }

// writeStatements runs the statements of update or delete in one transaction. Statements before a rejected one stay.
func (c *command) writeStatements(kind string, run func(target, *statement, int, *writeReport) error) error {
	namespace, statements, ordered := c.statements(kind)
	if c.err != nil {
		return c.err
	}
	var report writeReport
	err := c.write(len(c.body)+sizeOf(statements), func(w target) error {
		report = writeReport{modifies: kind == "updates"}
		for i, d := range statements {
			st, err := c.parseStatement(kind, namespace, d)
			if err == nil {
				err = run(w, st, i, &report)
			}
			if err == nil {
				continue
			}
			if !report.fail(i, err) {
				return err
			}
			if ordered {
				break
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	report.write(c)
	return nil
}

func sizeOf(docs []raw) (n int) {
	for _, d := range docs {
		n += len(d)
	}
	return n
}

// expired reports whether the command's deadline has passed.
func (c *command) expired() error {
	if !c.deadline.IsZero() && time.Now().After(c.deadline) {
		return errTimeExpired
	}
	return nil
}

// writeReport collects the counts and errors for the reply to a write.
type writeReport struct {
	n, modified int64
	modifies    bool // the reply has nModified
	errors      []writeError
	upserted    []upsertedID
}

type writeError struct {
	at      int
	failure *failure
}

type upsertedID struct {
	at int
	id value
}

// fail records that one statement was rejected. It returns false for any other error, which must break the transaction.
func (r *writeReport) fail(at int, err error) bool {
	var f *failure
	if !errors.As(err, &f) || f.transient {
		return false
	}
	r.errors = append(r.errors, writeError{at, f})
	return true
}

func (r *writeReport) write(c *command) {
	c.dst = appendCount(c.dst, "n", r.n)
	if r.modifies {
		c.dst = appendCount(c.dst, "nModified", r.modified)
	}
	if len(r.upserted) > 0 {
		var list int
		c.dst, list = openField(c.dst, bson.TypeArray, "upserted")
		for i, u := range r.upserted {
			c.dst = bsoncore.AppendDocumentElement(c.dst, strconv.Itoa(i), document(func(dst []byte) []byte {
				return appendValue(bsoncore.AppendInt32Element(dst, "index", int32(u.at)), "_id", u.id)
			}))
		}
		c.dst = closeDoc(c.dst, list)
	}
	if len(r.errors) == 0 {
		return
	}
	c.rejected = true
	var list int
	c.dst, list = openField(c.dst, bson.TypeArray, "writeErrors")
	for i, e := range r.errors {
		c.dst = bsoncore.AppendDocumentElement(c.dst, strconv.Itoa(i), document(func(dst []byte) []byte {
			return e.failure.appendError(bsoncore.AppendInt32Element(dst, "index", int32(e.at)))
		}))
	}
	c.dst = closeDoc(c.dst, list)
}

const codeInvalidID code = 53

// withID checks a document to be stored and puts its _id first, a new one if it has none.
func withID(d raw) (raw, error) {
	fresh := bson.NewObjectID()
	d = d.idFirst(value{bson.TypeObjectID, fresh[:]})
	if err := checkID(d.lookup("_id")); err != nil {
		return nil, err
	}
	return d, checkStored(d)
}

func checkID(v value) error {
	switch v.kind {
	case bson.TypeArray:
		return errorf(codeInvalidID, "The '_id' value cannot be of type %s", v.kind)
	case bson.TypeEmbeddedDocument:
		for name := range v.doc().all() {
			if len(name) > 0 && name[0] == '$' {
				return errorf(codeDollarPrefixed, "_id fields may not contain '$'-prefixed fields: %s is not valid for storage.",
					name)
			}
		}
	}
	return nil
}

// checkStored rejects documents that may not be stored.
func checkStored(d raw) error {
	if len(d) > maxDocument {
		return errorf(codeDocumentTooLarge, "object to insert too large. size in bytes: %d, max size: %d", len(d),
			maxDocument)
	}
	for name := range d.fields() {
		if len(name) > 0 && name[0] == '$' {
			return errorf(codeDollarPrefixed, "The dollar ($) prefixed field '%s' is not allowed in the context of storage",
				name)
		}
	}
	return nil
}

func recordKey(number uint64) []byte { return binary.BigEndian.AppendUint64(nil, number) }
