package embedded

import (
	"bytes"
	"errors"
	"maps"
	"time"
)

// A transaction reads one snapshot of the file and, on top of it, its own writes, which are in memory. Its commit is
// one job of the writer. The job stores everything or, if another commit changed one of the same records or took one of
// the same unique keys, nothing. So no one waits for an open transaction. As in MongoDB the first transaction that
// writes a record wins, and another transaction that writes it conflicts at once. A write outside of transactions,
// which MongoDB would delay, makes the open transaction conflict at its commit.

// maxWritten is the most bytes of documents that a transaction may change.
const maxWritten = 256 << 20

// firstOwn is the lowest number of a new record in a transaction. The commit gives the record another number.
const firstOwn uint64 = 1 << 63

// transaction is the open transaction of a session.
type transaction struct {
	s       *Server
	snap    snapshot
	began   time.Time
	timer   *time.Timer // aborts it
	size    int         // bytes written
	locks   *lockHolder
	created uint64 // records
}

var _ target = (*transaction)(nil)

func (s *Server) beginTransaction(sess *session) (*transaction, error) {
	locks := s.locks.begin()
	snap, err := s.openSnapshot()
	if err != nil {
		s.locks.end(locks, false)
		return nil, err
	}
	snap.own = map[string]*overlay{}
	t := &transaction{s: s, snap: snap, began: time.Now(), locks: locks}
	t.timer = time.AfterFunc(maxIdles*s.options.MaxIdle, func() { sess.expire(t.began) })
	return t, nil
}

// close releases the snapshot.
func (t *transaction) close() {
	t.timer.Stop()
	t.s.cursors.end(t)
	_ = t.snap.tx.Rollback()
}

func (t *transaction) snapshot() snapshot { return t.snap }

func (t *transaction) collection(namespace string) (*collection, error) {
	if c := t.snap.cat.collections[namespace]; c != nil {
		return c, nil
	}
	if err := checkNamespace(namespace); err != nil {
		return nil, err
	}
	ix, err := newIndex(idIndex)
	if err != nil {
		return nil, err
	}
	c := &collection{namespace: namespace, indexes: []*index{ix}}
	t.snap.cat = &catalog{collections: maps.Clone(t.snap.cat.collections)}
	t.snap.cat.collections[namespace] = c
	return c, nil
}

func (t *transaction) replace(c *collection, number uint64, before, after raw) error {
	changes, err := c.indexChanges(before, after)
	if err != nil {
		return err
	}
	return t.put(c, number, change{before: before, after: after}, changes)
}

// put records a change. Its error ends the transaction.
func (t *transaction) put(c *collection, number uint64, ch change, changes []indexChange) error {
	t.size += len(ch.before) + len(ch.after)
	if t.size > maxWritten {
		return errorf(codeTransactionTooLarge, "the transaction has written more than %d bytes", maxWritten)
	}
	o := t.snap.own[c.namespace]
	if o == nil {
		o = &overlay{collection: c, records: map[uint64]*change{}, keys: claims{}}
		t.snap.own[c.namespace] = o
	}
	if err := t.s.locks.take(t.locks, lockKeys(c, number, changes)); err != nil {
		return err
	}
	o.keys.free(changes)
	if err := checkUnique(t.snap.tx, o.keys, c, changes, number); err != nil {
		return err
	}
	o.keys.take(changes, number)
	if known := o.records[number]; known != nil {
		known.after = ch.after
		return nil
	}
	o.records[number] = &change{len(o.order), bytes.Clone(ch.before), ch.after}
	o.order = append(o.order, number)
	return nil
}

func (t *transaction) loader(c *collection) inserter { return &overlayLoader{t, c} }

type overlayLoader struct {
	t *transaction
	c *collection
}

func (l *overlayLoader) add(in *insertion) error {
	if in.err != nil {
		return in.err
	}
	l.t.created++
	return l.t.put(l.c, firstOwn+l.t.created, change{after: in.doc}, in.changes)
}

func (*overlayLoader) flush() error { return nil }

var errWriteConflict = &failure{
	code: codeWriteConflict, transient: true,
	message: "Write conflict: another transaction or write has changed what this transaction has written.",
}

// commit stores everything in the write transaction, or nothing.
func (t *transaction) commit(w *writer) error {
	changes := map[*overlay][][]indexChange{}
	for _, o := range t.snap.own {
		var err error
		if changes[o], err = o.verify(w); err != nil {
			return errWriteConflict
		}
	}
	for o, changes := range changes {
		if err := o.store(w, changes); err != nil {
			return errors.New("commit of a transaction: " + err.Error()) // not a failure, so that the writer rolls back
		}
	}
	return nil
}
