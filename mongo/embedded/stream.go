package embedded

import (
	"bytes"
	"iter"
	"time"
)

// stream is a source of documents. Streams are chained; a cursor holds the last one.
type stream interface {
	// next returns the next document, nil at the end. It is valid until the following call.
	next() (raw, error)
	// detach releases the snapshot, attach continues in another one.
	detach()
	attach(snapshot, time.Time) error
}

var (
	_ stream = (*scan)(nil)
	_ stream = (*window)(nil)
	_ stream = (*list)(nil)
	_ stream = (*projected)(nil)
)

// documents ranges over a stream up to its end or an error.
func documents(s stream) iter.Seq2[raw, error] {
	return func(yield func(raw, error) bool) {
		for {
			d, err := s.next()
			if d == nil && err == nil || !yield(d, err) || err != nil {
				return
			}
		}
	}
}

// window skips documents, then passes on up to limit documents (0 for all).
type window struct {
	stream
	skip, limit int64
	ended       bool
}

func newWindow(source stream, skip, limit int64) stream {
	if skip == 0 && limit == 0 {
		return source
	}
	return &window{stream: source, skip: skip, limit: limit}
}

func (w *window) next() (raw, error) {
	for ; w.skip > 0; w.skip-- {
		if d, err := w.stream.next(); d == nil || err != nil {
			return nil, err
		}
	}
	if w.ended {
		return nil, nil
	}
	if w.limit > 0 {
		w.limit--
		w.ended = w.limit == 0
	}
	return w.stream.next()
}

// projected reshapes each document.
type projected struct {
	stream
	projection projection
	scratch    []byte
}

func (p *projected) next() (raw, error) {
	d, err := p.stream.next()
	if d == nil || err != nil {
		return nil, err
	}
	p.scratch = p.projection.apply(p.scratch[:0], d)
	return p.scratch, nil
}

// list is a stream of collected documents.
type list struct {
	docs     []raw
	borrowed bool // they lie in the memory of a snapshot
}

func (l *list) next() (raw, error) {
	if len(l.docs) == 0 {
		return nil, nil
	}
	d := l.docs[0]
	l.docs[0] = nil
	l.docs = l.docs[1:]
	return d, nil
}

func (l *list) detach() {
	if !l.borrowed {
		return
	}
	docs := make([]raw, len(l.docs))
	for i, d := range l.docs {
		docs[i] = bytes.Clone(d)
	}
	l.docs, l.borrowed = docs, false
}

func (l *list) attach(snapshot, time.Time) error { return nil }
