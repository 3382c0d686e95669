package mongo

import (
	"bytes"
	"crypto/rand"
	"encoding/base32"
	"encoding/binary"
	"sync"
	"time"
)

// The id of an event is the time at which it is inserted in milliseconds, a number that counts on within it, and random
// bytes of the process: 6, 4 and 6 bytes, as text that sorts like them. It cannot collide with that of another process.
//
// An event becomes visible when its transaction is committed, which may be after events with greater ids.

const (
	// EventOverlap is how long after the time in its id an event usually becomes visible at most, by the clocks of writers
	// and readers.
	EventOverlap = 5 * time.Second
	// LongestTransaction is how long after that time it becomes visible in any case: the server gives up longer
	// transactions. It is the limit of MongoDB, and some seconds for clocks.
	LongestTransaction = 65 * time.Second
)

// eventIDEncoding keeps the order of bytes.
var eventIDEncoding = base32.HexEncoding.WithPadding(base32.NoPadding)

const eventIDLength = 26

// eventPlace is the place of an event in the order of the log, but for events of several processes that have the same.
type eventPlace struct {
	ms int64
	n  uint32
}

// eventIDs are the ids of the events of a process.
type eventIDs struct {
	now     func() time.Time
	process [6]byte

	mu   sync.Mutex
	last eventPlace
}

func newEventIDs(now func() time.Time) *eventIDs {
	if now == nil {
		now = time.Now
	}
	e := &eventIDs{now: now}
	_, _ = rand.Read(e.process[:])
	return e
}

// next returns n ascending ids, and the time in them.
func (e *eventIDs) next(n int) ([]string, time.Time) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if now := e.now().UnixMilli(); now > e.last.ms {
		e.last = eventPlace{ms: now}
	}
	out := make([]string, n)
	for i := range out {
		e.last.n++
		out[i] = e.last.id(e.process)
	}
	return out, time.UnixMilli(e.last.ms).UTC()
}

func (p eventPlace) id(process [6]byte) string {
	var raw [16]byte
	binary.BigEndian.PutUint64(raw[:8], uint64(p.ms)<<16)
	binary.BigEndian.PutUint32(raw[6:10], p.n)
	copy(raw[10:], process[:])
	return string(bytes.ToLower([]byte(eventIDEncoding.EncodeToString(raw[:]))))
}

func parseEventID(id string) (eventPlace, bool) {
	raw, err := eventIDEncoding.DecodeString(string(bytes.ToUpper([]byte(id))))
	if err != nil || len(id) != eventIDLength || string(bytes.ToLower([]byte(id))) != id {
		return eventPlace{}, false
	}
	return eventPlace{int64(binary.BigEndian.Uint64(raw[:8]) >> 16), binary.BigEndian.Uint32(raw[6:10])}, true
}

// EventTime returns the time in the id of an event; false for a text that is not such an id.
func EventTime(id string) (time.Time, bool) {
	p, ok := parseEventID(id)
	return time.UnixMilli(p.ms).UTC(), ok
}

// EventIDAt returns a text that sorts before the ids of all events recorded from a time on, and after those before it.
func EventIDAt(t time.Time) string { return eventPlace{ms: max(t.UnixMilli(), 0)}.id([6]byte{}) }
