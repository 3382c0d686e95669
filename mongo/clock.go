package mongo

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// clock estimates the time of the store's primary. Expiry times, and times that processes compare, come from this
// clock, because the clocks of processes differ.
type clock struct {
	local func() time.Time
	last  atomic.Pointer[clockReading]
}

// clockReading pairs a time of the store's clock with the local time of the reading.
type clockReading struct{ local, store time.Time }

func newClock(local func() time.Time) *clock {
	if local == nil {
		local = time.Now
	}
	c := &clock{local: local}
	c.last.Store(&clockReading{local(), local()})
	return c
}

// now adds the time since the last reading to it. The monotonic clock stops while a machine is suspended, and the wall
// clock may be set back, so the longer time counts.
func (c *clock) now() time.Time {
	last, local := c.last.Load(), c.local()
	passed := max(local.Sub(last.local), local.Round(0).Sub(last.local.Round(0)))
	return last.store.Add(passed).UTC()
}

// hello is the server's reply to the command hello.
type hello struct {
	LocalTime time.Time `bson:"localTime"`
	// Run identifies the run of the embedded server; empty with MongoDB.
	Run string `bson:"serverRun"`
}

// hello asks the primary for its time. It sets the clock only if it contradicts that time: the delay of the reply is
// unknown.
func (s *Store) hello(ctx context.Context) (h hello, err error) {
	c := s.clock
	local, sent := c.local(), c.now()
	err = s.db.Run(ctx, bson.D{{Key: "hello", Value: 1}}, &h)
	fits := !h.LocalTime.Before(sent.Truncate(time.Millisecond)) && !h.LocalTime.After(c.now())
	if err == nil && !h.LocalTime.IsZero() && !fits {
		c.last.Store(&clockReading{local.Add(c.local().Sub(local) / 2), h.LocalTime})
	}
	return h, err
}

// Now returns the time of the store's primary, as far as this process knows it.
func (s *Store) Now() time.Time { return s.clock.now() }

// Clock asks the store's primary for its time.
func (s *Store) Clock(ctx context.Context) (time.Time, error) {
	h, err := s.hello(ctx)
	if err == nil && h.LocalTime.IsZero() {
		err = errors.New("the store does not report its time")
	}
	return h.LocalTime, err
}
