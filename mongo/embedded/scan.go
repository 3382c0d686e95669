package embedded

import (
	"bytes"
	"math"
	"time"

	"go.etcd.io/bbolt"
)

// scan iterates over the candidates of a plan. It can be detached from its snapshot and continue in another one after
// the last key it saw.
type scan struct {
	s        *Server
	plan     *plan
	keysOnly bool // documents are counted, not read
	cover    *coverage
	deadline time.Time

	at   int                 // current range
	last []byte              // last key seen in it; nil before the first
	seen map[uint64]struct{} // records already returned, when one can appear twice

	snap   snapshot
	cursor *bbolt.Cursor
	data   *bbolt.Bucket
	moved  bool // cursor is at last
	steps  int
	keys   int64
	docs   int64
	number uint64 // record number of the last candidate

	own      *overlay // the transaction's writes to the collection, nil without any
	ownKnown int      // records in it when the scan began
	ownAt    int      // how many of them were seen
}

const codePlanKilled code = 175

func (s *Server) newScan(p *plan, snap snapshot, deadline time.Time) *scan {
	sc := &scan{s: s, plan: p, deadline: deadline, snap: snap, own: snap.own[p.collection.namespace]}
	if sc.own != nil {
		sc.ownKnown = len(sc.own.order)
	}
	if p.collection.id == 0 { // the file does not have the collection yet
		sc.at = math.MaxInt
	}
	if p.index == nil {
		s.stats.collectionScans.Add(1)
	}
	if !p.unique {
		sc.seen = map[uint64]struct{}{}
	}
	return sc
}

func (sc *scan) attach(snap snapshot, deadline time.Time) error {
	if snap.own != nil { // the cursor of a transaction
		sc.snap, sc.deadline = snap, deadline
		return nil
	}
	if ix := sc.plan.index; ix != nil && snap.tx.Bucket(bucketName('i', ix.ID)) == nil {
		return errorf(codePlanKilled, "index '%s' dropped", ix.Name)
	}
	sc.snap, sc.deadline = snap, deadline
	return nil
}

func (sc *scan) detach() {
	sc.last = bytes.Clone(sc.last)
	sc.snap, sc.cursor, sc.data, sc.moved = snapshot{}, nil, nil, false
	sc.report()
}

// report adds the keys and documents read to the server's counters.
func (sc *scan) report() {
	sc.s.stats.keysExamined.Add(sc.keys)
	sc.s.stats.documentsExamined.Add(sc.docs)
	sc.keys, sc.docs = 0, 0
}

// next returns the next document that passes the filter, nil at the end. It is valid until the snapshot ends, or until
// the following call if an index covers it.
func (sc *scan) next() (raw, error) {
	for {
		key, val := sc.step()
		if key == nil {
			return sc.nextOwn(), nil
		}
		sc.number = recordOf(key)
		if sc.own != nil && sc.own.hides(sc.number, sc.ownKnown) {
			continue
		}
		sc.steps++
		if sc.steps&127 == 0 && !sc.deadline.IsZero() && time.Now().After(sc.deadline) {
			return nil, errTimeExpired
		}
		var d raw
		if sc.plan.index == nil {
			d = raw(val)
			sc.docs++
		} else {
			sc.keys++
			if sc.seen != nil {
				if _, twice := sc.seen[sc.number]; twice {
					continue
				}
			}
			d = sc.fromIndex(key)
			if d == nil {
				continue
			}
		}
		if len(sc.plan.filter) > 0 && !sc.plan.filter.matches(d) {
			continue
		}
		if sc.seen != nil {
			sc.seen[sc.number] = struct{}{}
		}
		return d, nil
	}
}

// nextOwn returns the next document that the transaction has written and that passes the filter, nil at the end.
func (sc *scan) nextOwn() raw {
	for ; sc.ownAt < sc.ownKnown; sc.ownAt++ {
		number := sc.own.order[sc.ownAt]
		if d := sc.own.records[number].after; d != nil && sc.plan.own.matches(d) {
			sc.number = number
			sc.ownAt++
			return d
		}
	}
	return nil
}

// fromIndex returns the document of an index entry, from the entry alone if that is enough.
func (sc *scan) fromIndex(key []byte) raw {
	if len(sc.plan.filter) == 0 {
		if sc.keysOnly {
			return emptyDoc
		}
		if sc.cover != nil {
			if d := sc.cover.read(key); d != nil {
				return d
			}
		}
	}
	if sc.data == nil {
		sc.data = sc.snap.tx.Bucket(bucketName('d', sc.plan.collection.id))
	}
	sc.docs++
	return raw(sc.data.Get(key[len(key)-recordSize:]))
}

// step moves to the next entry of the ranges.
func (sc *scan) step() (key, val []byte) {
	ranges := sc.plan.ranges
	if sc.plan.index == nil {
		ranges = []span{{}}
	}
	for ; sc.at < len(ranges); sc.at++ {
		place := sc.at
		if sc.plan.backward {
			place = len(ranges) - 1 - sc.at
		}
		r := &ranges[place]
		key, val = sc.move(r)
		if key != nil && r.contains(key, sc.plan.backward) {
			sc.last, sc.moved = key, true
			return key, val
		}
		sc.last, sc.moved = nil, false
	}
	return nil, nil
}

// move goes to the next entry, or to the first entry of the range.
func (sc *scan) move(r *span) (key, val []byte) {
	if sc.cursor == nil {
		name := bucketName('d', sc.plan.collection.id)
		if sc.plan.index != nil {
			name = bucketName('i', sc.plan.index.ID)
		}
		sc.cursor = sc.snap.tx.Bucket(name).Cursor()
	}
	c := sc.cursor
	switch {
	case sc.moved && sc.plan.backward:
		return c.Prev()
	case sc.moved:
		return c.Next()
	case sc.plan.backward:
		from := r.high
		if sc.last != nil {
			from = sc.last
		}
		if from == nil {
			return c.Last()
		}
		key, _ = c.Seek(from)
		if key == nil {
			return c.Last()
		}
		return c.Prev()
	case sc.last != nil:
		key, val = c.Seek(sc.last)
		if bytes.Equal(key, sc.last) {
			return c.Next()
		}
		return key, val
	case r.low == nil:
		return c.First()
	}
	return c.Seek(r.low)
}

// contains checks the end of the span towards which the scan moves.
func (r *span) contains(key []byte, backward bool) bool {
	if backward {
		return bytes.Compare(key, r.low) >= 0
	}
	return r.high == nil || bytes.Compare(key, r.high) < 0
}
