package embedded

import (
	"bytes"
	"encoding/binary"
	"errors"

	"go.etcd.io/bbolt"
)

// overlay holds the writes of a transaction to one collection.
type overlay struct {
	collection *collection // its id is 0 if the commit creates it
	records    map[uint64]*change
	order      []uint64 // numbers of the records, in the order of their first change
	keys       claims
}

// change is a record that a transaction has written.
type change struct {
	place  int // in overlay.order
	before raw // in the snapshot; nil if it is new
	after  raw // nil if it is deleted
}

// claims maps an entry of a unique index to the record that has it, 0 if none, where this differs from the file.
type claims map[string]uint64

func claim(ix *index, e []byte) string {
	return string(append(binary.BigEndian.AppendUint32(nil, ix.ID), e...))
}

// owner returns the record that has an entry, 0 if none. The bucket is nil if the file lacks the index.
func (held claims) owner(b *bbolt.Bucket, ix *index, e []byte) uint64 {
	if held != nil {
		if number, ok := held[claim(ix, e)]; ok {
			return number
		}
	}
	if b == nil {
		return 0
	}
	if k, _ := b.Cursor().Seek(e); bytes.HasPrefix(k, e) {
		return recordOf(k)
	}
	return 0
}

// free records removed index entries; take records added entries.
func (held claims) free(changes []indexChange) {
	for _, ch := range changes {
		for _, e := range ch.remove {
			if ch.ix.Unique {
				held[claim(ch.ix, e)] = 0
			}
		}
	}
}

func (held claims) take(changes []indexChange, number uint64) {
	for _, ch := range changes {
		for _, e := range ch.add {
			if ch.ix.Unique {
				held[claim(ch.ix, e)] = number
			}
		}
	}
}

// hides reports whether a record of the snapshot was written before an iteration over the collection began.
func (o *overlay) hides(number uint64, known int) bool {
	ch := o.records[number]
	return ch != nil && ch.place < known
}

var errChanged = errors.New("the record has changed")

// verify returns the index changes of all records, or an error if the records can no longer be stored.
func (o *overlay) verify(w *writer) ([][]indexChange, error) {
	c := w.cat.collections[o.collection.namespace]
	if c == nil { // the commit creates it
		c = o.collection
	}
	keys, all := claims{}, make([][]indexChange, len(o.order))
	for i, number := range o.order {
		ch := o.records[number]
		if ch.before != nil && !bytes.Equal(w.snapshot().record(c, number), ch.before) {
			return nil, errChanged
		}
		var err error
		if all[i], err = c.indexChanges(ch.before, ch.after); err != nil {
			return nil, err
		}
		keys.free(all[i])
	}
	for i, number := range o.order {
		if err := checkUnique(w.tx, keys, c, all[i], number); err != nil {
			return nil, err
		}
		keys.take(all[i], number)
	}
	return all, nil
}

// store changes the records and creates the new ones.
func (o *overlay) store(w *writer, changes [][]indexChange) error {
	namespace := o.collection.namespace
	if _, err := w.collection(namespace); err != nil {
		return err
	}
	for i, number := range o.order {
		if ch := o.records[number]; ch.before != nil {
			if err := w.store(w.cat.collections[namespace], number, ch.after, changes[i]); err != nil {
				return err
			}
		}
	}
	l := w.loader(w.cat.collections[namespace])
	for i, number := range o.order {
		if ch := o.records[number]; ch.before == nil && ch.after != nil {
			if err := l.add(&insertion{doc: ch.after, changes: changes[i]}); err != nil {
				return err
			}
		}
	}
	return l.flush()
}
