package mongo

import (
	"bytes"
	"crypto/rand"
	"encoding/base32"
	"encoding/binary"
	"sync"
	"time"
)

// An event id is the time of insertion, 6 bytes of milliseconds, and 10 random bytes, as text that sorts like the
// bytes. A sequence number would reveal how many hidden events a write has. A field that is not shown orders the events
// of a millisecond.
//
// An event becomes visible when its transaction is committed, which may be after events with greater ids.

const (
	// EventOverlap is the longest usual delay from the time in an event's id until the event is visible, by the clocks
	// of writers and readers.
	EventOverlap = 5 * time.Second
	// LongestTransaction is the longest possible delay: the server aborts longer transactions. It is MongoDB's limit
	// plus some seconds for clock differences.
	LongestTransaction = 65 * time.Second
)

// eventIDEncoding keeps the order of bytes.
var eventIDEncoding = base32.HexEncoding.WithPadding(base32.NoPadding)

const eventIDLength = 26

// eventClock gives the events of a process their times and their order.
type eventClock struct {
	now func() time.Time

	mu   sync.Mutex
	ms   int64 // of the last event
	last int64 // its number in this millisecond
}

// next returns the time of n events recorded now, and the number of the first within its millisecond. Time never goes
// back.
func (c *eventClock) next(n int) (at time.Time, first int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := c.now().UnixMilli(); now > c.ms {
		c.ms, c.last = now, 0
	}
	first = c.last + 1
	c.last += int64(n)
	return time.UnixMilli(c.ms).UTC(), first
}

// begin returns the time of records added now: later than every event so far, and no later than any event to come.
func (c *eventClock) begin() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ms, c.last = max(c.now().UnixMilli(), c.ms+1), 0
	return time.UnixMilli(c.ms).UTC()
}

func eventID(at time.Time, rest [10]byte) string {
	var raw [16]byte
	binary.BigEndian.PutUint64(raw[:8], uint64(max(at.UnixMilli(), 0))<<16)
	copy(raw[6:], rest[:])
	return string(bytes.ToLower([]byte(eventIDEncoding.EncodeToString(raw[:]))))
}

func newEventID(at time.Time) string {
	var rest [10]byte
	_, _ = rand.Read(rest[:])
	return eventID(at, rest)
}

// pastEventID returns the id of the nth event that happened at a time.
func pastEventID(at time.Time, n uint32) string {
	var rest [10]byte
	binary.BigEndian.PutUint32(rest[:], n)
	return eventID(at, rest)
}

// EventTime returns the time in the id of an event; false for a text that is not such an id.
func EventTime(id string) (time.Time, bool) {
	raw, err := eventIDEncoding.DecodeString(string(bytes.ToUpper([]byte(id))))
	if err != nil || len(id) != eventIDLength || string(bytes.ToLower([]byte(id))) != id {
		return time.Time{}, false
	}
	return time.UnixMilli(int64(binary.BigEndian.Uint64(raw[:8]) >> 16)).UTC(), true
}

// EventIDAt returns a text that sorts after the ids of all events recorded before a time, and before the ids of all
// later events.
func EventIDAt(t time.Time) string { return eventID(t, [10]byte{}) }
