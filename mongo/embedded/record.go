package embedded

import (
	"bytes"
	"slices"

	"go.etcd.io/bbolt"
)

// This file changes records and their index entries together. Everything that can be refused is found out before
// the first change, so a refused record leaves no trace.

// indexChange is what one record adds to and takes from one index.
type indexChange struct {
	ix          *index
	add, remove []entry
	multikey    []bool
}

// indexChanges works out the index changes for turning before into after (either may be nil) and rejects duplicates.
func (w *writer) indexChanges(c *collection, number uint64, before, after raw) ([]indexChange, error) {
	changes := make([]indexChange, 0, len(c.indexes))
	for _, ix := range c.indexes {
		change := indexChange{ix: ix}
		var err error
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
		if ix.Unique {
			if err := w.checkUnique(c, ix, change.add, number, after); err != nil {
				return nil, err
			}
		}
		changes = append(changes, change)
	}
	return changes, nil
}

// difference leaves out what both sorted lists have.
func difference(add, remove []entry) (added, removed []entry) {
	same := func(a entry) func(entry) bool {
		return func(b entry) bool { return bytes.Equal(a.key, b.key) && bytes.Equal(a.kinds, b.kinds) }
	}
	for _, e := range add {
		if !slices.ContainsFunc(remove, same(e)) {
			added = append(added, e)
		}
	}
	for _, e := range remove {
		if !slices.ContainsFunc(add, same(e)) {
			removed = append(removed, e)
		}
	}
	return added, removed
}

// checkUnique rejects entries that another record already has.
func (w *writer) checkUnique(c *collection, ix *index, add []entry, number uint64, after raw) error {
	if len(add) == 0 {
		return nil
	}
	cursor := w.tx.Bucket(bucketName('i', ix.ID)).Cursor()
	for _, e := range add {
		k, _ := cursor.Seek(e.key)
		for ; k != nil && bytes.HasPrefix(k, e.key); k, _ = cursor.Next() {
			if recordOf(k) != number {
				return duplicate(c, ix, after, e)
			}
		}
	}
	return nil
}

// apply makes index changes that were planned.
func (w *writer) apply(changes []indexChange, number uint64) error {
	for _, change := range changes {
		b := w.tx.Bucket(bucketName('i', change.ix.ID))
		for _, e := range change.remove {
			if err := b.Delete(e.withRecord(number)); err != nil {
				return err
			}
		}
		for _, e := range change.add {
			if err := b.Put(e.withRecord(number), e.kinds); err != nil {
				return err
			}
		}
	}
	return nil
}

// noteArrays marks index fields that run through arrays and returns the changed collection.
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

// replace stores a new version of a record; the caller has checked the document.
func (w *writer) replace(c *collection, number uint64, before, after raw) (*collection, error) {
	changes, err := w.indexChanges(c, number, before, after)
	if err != nil {
		return c, err
	}
	if err := w.apply(changes, number); err != nil {
		return c, err
	}
	if err := w.data(c).Put(recordKey(number), after); err != nil {
		return c, err
	}
	return w.noteArrays(c, changes)
}

func (w *writer) remove(c *collection, number uint64, before raw) error {
	changes, err := w.indexChanges(c, number, before, nil)
	if err != nil {
		return err
	}
	if err := w.apply(changes, number); err != nil {
		return err
	}
	return w.data(c).Delete(recordKey(number))
}

func (w *writer) data(c *collection) *bbolt.Bucket {
	b := w.tx.Bucket(bucketName('d', c.id))
	b.FillPercent = 1 // records are appended in order, so pages may be full
	return b
}
