package embedded

import (
	"bytes"
	"hash/maphash"
	"slices"

	"go.etcd.io/bbolt"
)

// insertion is a document prepared for a collection in its current state. Preparing it needs no
// transaction, so it is done before the writer's turn.
type insertion struct {
	doc     raw
	changes []indexChange
	err     error
}

func (c *collection) prepare(d raw) (in insertion) {
	in.doc, in.err = withID(d)
	if in.err == nil {
		in.changes, in.err = c.indexChanges(nil, in.doc)
	}
	return in
}

func (c *collection) prepareAll(docs []raw) []insertion {
	all := make([]insertion, len(docs))
	for i, d := range docs {
		all[i] = c.prepare(d)
	}
	return all
}

// prepareAll prepares documents for a collection as last committed; nil when the collection does not exist.
func (s *Server) prepareAll(namespace string, docs []raw) (*collection, []insertion) {
	cat := s.catalog.Load()
	if cat == nil || cat.collections[namespace] == nil {
		return nil, nil
	}
	c := cat.collections[namespace]
	return c, c.prepareAll(docs)
}

// loader inserts many documents into one collection. It collects index entries and stores them in key order at the end,
// so each page of an index is touched once.
type loader struct {
	w       *writer
	c       *collection
	data    *bbolt.Bucket
	indexes []pendingIndex
}

type pendingIndex struct {
	bucket  *bbolt.Bucket
	cursor  *bbolt.Cursor // looks for other records' entries; the bucket changes only in flush
	entries [][]byte
	taken   map[uint64]struct{} // hashes of the keys collected for a unique index
}

var keySeed = maphash.MakeSeed()

func (w *writer) loader(c *collection) inserter {
	l := &loader{w, c, w.data(c), make([]pendingIndex, len(c.indexes))}
	for i, ix := range c.indexes {
		p := &l.indexes[i]
		p.bucket = w.tx.Bucket(bucketName('i', ix.ID))
		if ix.Unique {
			p.cursor, p.taken = p.bucket.Cursor(), map[uint64]struct{}{}
		}
	}
	return l
}

// add stores one document. A rejected document leaves no trace.
func (l *loader) add(in *insertion) error {
	if in.err != nil {
		return in.err
	}
	for i, change := range in.changes {
		for _, e := range change.add {
			if change.ix.Unique && l.indexes[i].has(e) {
				return duplicate(l.c, change.ix)
			}
		}
	}
	number, err := l.data.NextSequence()
	if err != nil {
		return err
	}
	if err := l.data.Put(recordKey(number), in.doc); err != nil {
		return err
	}
	for i, change := range in.changes {
		p := &l.indexes[i]
		for _, e := range change.add {
			if p.taken != nil {
				p.taken[maphash.Bytes(keySeed, e)] = struct{}{}
			}
			p.entries = append(p.entries, withRecord(e, number))
		}
	}
	l.c, err = l.w.noteArrays(l.c, in.changes)
	return err
}

// has reports whether a key is in the index or among the collected entries.
func (p *pendingIndex) has(key []byte) bool {
	if k, _ := p.cursor.Seek(key); bytes.HasPrefix(k, key) {
		return true
	}
	if _, perhaps := p.taken[maphash.Bytes(keySeed, key)]; !perhaps {
		return false
	}
	return slices.ContainsFunc(p.entries, func(e []byte) bool {
		return len(e) == len(key)+recordSize && bytes.HasPrefix(e, key)
	})
}

// flush stores the collected index entries; the index of _id has one for each document.
func (l *loader) flush() error {
	added := len(l.indexes[0].entries)
	if added == 0 { // a transaction of updates
		return nil
	}
	if err := addToSequence(l.indexes[0].bucket, added); err != nil {
		return err
	}
	for _, p := range l.indexes {
		slices.SortFunc(p.entries, bytes.Compare)
		for _, e := range p.entries {
			if err := p.bucket.Put(e, nil); err != nil {
				return err
			}
		}
	}
	return nil
}
