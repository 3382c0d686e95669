package embedded

import (
	"math"
	"slices"
	"strconv"
	"sync"
)

// writeLocks holds the records and unique keys that transactions have written: the first writer of each wins, and a
// transaction that writes it later conflicts at once. A lock outlives the commit of its holder until every transaction
// that began before the commit has ended.
type writeLocks struct {
	mu     sync.Mutex
	clock  uint64 // rises with each commit
	open   map[*lockHolder]struct{}
	ended  []*lockHolder // committed, in order
	holder map[string]*lockHolder
}

// lockHolder is a transaction that takes locks.
type lockHolder struct {
	began     uint64
	committed uint64                 // math.MaxUint64 while it is open
	keys      map[string]*lockHolder // with their last holders
}

func newWriteLocks() *writeLocks {
	return &writeLocks{open: map[*lockHolder]struct{}{}, holder: map[string]*lockHolder{}}
}

func (l *writeLocks) begin() *lockHolder {
	l.mu.Lock()
	defer l.mu.Unlock()
	h := &lockHolder{began: l.clock, committed: math.MaxUint64, keys: map[string]*lockHolder{}}
	l.open[h] = struct{}{}
	return h
}

// take takes locks. It returns errWriteConflict if one is held by a transaction that is open or was committed after
// this one began.
func (l *writeLocks) take(h *lockHolder, keys []string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, key := range keys {
		switch other := l.holder[key]; {
		case other == h:
			continue
		case other != nil && other.committed > h.began:
			return errWriteConflict
		}
		h.keys[key] = l.holder[key]
		l.holder[key] = h
	}
	return nil
}

// end ends a transaction. Ending it twice does nothing.
func (l *writeLocks) end(h *lockHolder, committed bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, open := l.open[h]; !open {
		return
	}
	delete(l.open, h)
	if committed {
		l.clock++
		h.committed = l.clock
		l.ended = append(l.ended, h)
	} else {
		l.release(h)
	}
	oldest := l.clock
	for other := range l.open {
		oldest = min(oldest, other.began)
	}
	n := slices.IndexFunc(l.ended, func(h *lockHolder) bool { return h.committed > oldest })
	if n < 0 {
		n = len(l.ended)
	}
	for _, h := range l.ended[:n] {
		l.release(h)
	}
	l.ended = slices.Delete(l.ended, 0, n)
}

func (l *writeLocks) release(h *lockHolder) {
	for key, last := range h.keys {
		switch {
		case l.holder[key] != h:
		case slices.Contains(l.ended, last) && h.committed == math.MaxUint64:
			l.holder[key] = last // older transactions conflict with last
		default:
			delete(l.holder, key)
		}
	}
	h.keys = nil
}

// lockKeys returns the locks for a change: the record, unless it is new, and its unique keys.
func lockKeys(c *collection, number uint64, changes []indexChange) []string {
	var keys []string
	if number < firstOwn {
		keys = append(keys, c.namespace+"\x00"+strconv.FormatUint(number, 10))
	}
	for _, ch := range changes {
		if !ch.ix.Unique {
			continue
		}
		for _, e := range slices.Concat(ch.remove, ch.add) {
			keys = append(keys, c.namespace+"\x01"+ch.ix.Name+"\x00"+string(e))
		}
	}
	return keys
}
