package embedded

import (
	"bytes"
	"slices"

	"go.etcd.io/bbolt"
)

// This file changes records and their index entries together. Every reason for a rejection is checked before the first
// change, so a rejected record leaves no trace.

// indexChange holds the entries that one record adds to and removes from one index.
type indexChange struct {
	ix          *index
	add, remove [][]byte
	multikey    []bool
}

// indexChanges computes the index changes for turning before into after; either may be nil.
func (c *collection) indexChanges(before, after raw) (changes []indexChange, err error) {
	changes = make([]indexChange, len(c.indexes))
	for i, ix := range c.indexes {
		change := &changes[i]
		change.ix = ix
		if after != nil {
			if change.add, change.multikey, err = ix.entries(after); err != nil {
				return nil, err
			}
		}
		if before != nil {
			if change.remove, _, err = ix.entries(before); err != nil {
				return nil, err
			}
			change.add, change.remove = difference(change.add, change.remove)
		}
	}
	return changes, nil
}

// difference leaves out the entries that both sorted lists have.
func difference(add, remove [][]byte) (added, removed [][]byte) {
	without := func(list, other [][]byte) [][]byte {
		return slices.DeleteFunc(slices.Clone(list), func(e []byte) bool {
			return slices.ContainsFunc(other, func(o []byte) bool { return bytes.Equal(e, o) })
		})
	}
	return without(add, remove), without(remove, add)
}

// checkUnique rejects changes that add an entry of another record to a unique index. The claims in held override the
// file.
func checkUnique(tx *bbolt.Tx, held claims, c *collection, changes []indexChange, number uint64) error {
	for _, change := range changes {
		if !change.ix.Unique || len(change.add) == 0 {
			continue
		}
		b := tx.Bucket(bucketName('i', change.ix.ID))
		for _, e := range change.add {
			if owner := held.owner(b, change.ix, e); owner != 0 && owner != number {
				return duplicate(c, change.ix)
			}
		}
	}
	return nil
}

// apply makes the given index changes.
func (w *writer) apply(changes []indexChange, number uint64) error {
	for _, change := range changes {
		b := w.tx.Bucket(bucketName('i', change.ix.ID))
		for _, e := range change.remove {
			if err := b.Delete(withRecord(e, number)); err != nil {
				return err
			}
		}
		for _, e := range change.add {
			if err := b.Put(withRecord(e, number), nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// noteArrays marks the index fields that run through arrays, and returns the changed collection.
func (w *writer) noteArrays(c *collection, changes []indexChange) (*collection, error) {
	next := c
	for i, change := range changes {
		for f, array := range change.multikey {
			if !array || next.indexes[i].Multikey[f] {
				continue
			}
			if next == c {
				next = c.withIndexes(c.indexes)
			}
			marked := *next.indexes[i]
			marked.Multikey = slices.Clone(marked.Multikey)
			marked.Multikey[f] = true
			next.indexes[i] = &marked
		}
	}
	if next == c {
		return c, nil
	}
	return next, w.change(c.namespace, next)
}

// replace stores a new version of a record, which the caller has checked, or deletes the record if after is nil.
func (w *writer) replace(c *collection, number uint64, before, after raw) error {
	changes, err := c.indexChanges(before, after)
	if err == nil {
		err = checkUnique(w.tx, nil, c, changes, number)
	}
	if err != nil {
		return err
	}
	return w.store(c, number, after, changes)
}

// store changes a record and its index entries.
func (w *writer) store(c *collection, number uint64, after raw, changes []indexChange) error {
	err := w.apply(changes, number)
	switch {
	case err != nil:
	case after == nil:
		if err = w.data(c).Delete(recordKey(number)); err == nil {
			err = addToSequence(w.tx.Bucket(bucketName('i', c.indexes[0].ID)), -1)
		}
	default:
		err = w.data(c).Put(recordKey(number), after)
	}
	if err == nil {
		_, err = w.noteArrays(c, changes)
	}
	return err
}

// addToSequence changes the number of documents, which is the sequence of an index on _id, by n.
func addToSequence(b *bbolt.Bucket, n int) error { return b.SetSequence(b.Sequence() + uint64(n)) }

func (w *writer) data(c *collection) *bbolt.Bucket {
	b := w.tx.Bucket(bucketName('d', c.id))
	b.FillPercent = 1 // records are appended in order, so pages may be full
	return b
}
