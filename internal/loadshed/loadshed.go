// Package loadshed limits concurrent work: a fixed number of units run, a few more wait for a short time, and the rest
// is rejected at once, low priority first. It knows neither HTTP nor operations. Work that bypasses it (cached
// responses, health, the token endpoint) continues under overload.
package loadshed

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// ErrOverloaded rejects work. Retrying in a few seconds may help.
var ErrOverloaded = errors.New("too much work at once")

// Priority decides which work runs first and is rejected last: no work starts while work of a higher priority waits.
type Priority int

// The priorities, the highest first.
const (
	PriorityNormal Priority = iota // may use all of MaxConcurrent
	PriorityMiddle                 // may use MaxMiddle together with low priority
	PriorityLow                    // may use MaxLow
	priorities
)

// Options of a Limiter.
type Options struct {
	// MaxConcurrent is how many units of work may run at once, 2 or more.
	MaxConcurrent int
	// MaxMiddle limits running work of middle and low priority together, MaxLow of low priority alone; 1 or more.
	MaxMiddle, MaxLow int
	// Wait is how long work waits before it is rejected, WaitLow how long low-priority work waits.
	Wait, WaitLow time.Duration
	// WaitFull replaces Wait, except for low priority, once the queue has not been empty for Wait. Then at most
	// MaxConcurrent wait, and the rest is rejected at once. A queue that does not empty is not a burst: long waits
	// delay all responses without serving more. Zero: always Wait and Queue.
	WaitFull time.Duration
	// Queue limits the waiting work of each priority.
	Queue int
}

// Limiter limits concurrent work. It is safe for concurrent use; a nil Limiter sets no limit.
type Limiter struct {
	o Options

	mu       sync.Mutex
	running  [priorities]int
	waiting  [priorities][]chan struct{} // first in, first out; a channel is closed to start its work
	rejected [priorities]uint64
	since    [priorities]time.Time // when the queue was last empty; valid while it is not
}

// New returns an idle Limiter.
func New(o Options) *Limiter { return &Limiter{o: o} }

// Acquire waits until work may start; call release once when the work is done. The error is ErrOverloaded, or the error
// of ctx if that ends first.
func (l *Limiter) Acquire(ctx context.Context, p Priority) (release func(), err error) {
	if l == nil {
		return func() {}, nil
	}
	release = func() { l.release(p) }
	l.mu.Lock()
	if l.free(p) && len(l.waiting[p]) == 0 {
		l.running[p]++
		l.mu.Unlock()
		return release, nil
	}
	wait, queue := l.wait(p)
	if len(l.waiting[p]) >= queue {
		l.rejected[p]++
		l.mu.Unlock()
		return nil, ErrOverloaded
	}
	start := make(chan struct{})
	l.waiting[p] = append(l.waiting[p], start)
	l.mu.Unlock()

	timeout := time.NewTimer(wait)
	defer timeout.Stop()
	select {
	case <-start:
		return release, nil
	case <-timeout.C:
		err = ErrOverloaded
	case <-ctx.Done():
		err = ctx.Err()
	}
	if !l.leaveQueue(p, start, err) {
		return release, nil
	}
	return nil, err
}

// wait returns how long new work may wait, and how long the queue may be; mu is held.
func (l *Limiter) wait(p Priority) (wait time.Duration, queue int) {
	switch {
	case p == PriorityLow:
		return l.o.WaitLow, l.o.Queue
	case len(l.waiting[p]) == 0:
		l.since[p] = time.Now()
	case l.o.WaitFull > 0 && time.Since(l.since[p]) >= l.o.Wait:
		return l.o.WaitFull, min(l.o.Queue, l.o.MaxConcurrent)
	}
	return l.o.Wait, l.o.Queue
}

// free reports whether one more unit of a priority may run; mu is held.
func (l *Limiter) free(p Priority) bool {
	running := 0
	for q := priorities - 1; q >= 0; q-- {
		running += l.running[q]
		most := [priorities]int{l.o.MaxConcurrent, l.o.MaxMiddle, l.o.MaxLow}[q]
		if q <= p && running >= most || q < p && len(l.waiting[q]) > 0 {
			return false
		}
	}
	return true
}

func (l *Limiter) release(p Priority) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.running[p]--
	l.startWaiting()
}

// startWaiting starts as much waiting work as possible; mu is held.
func (l *Limiter) startWaiting() {
	for p := range priorities {
		for len(l.waiting[p]) > 0 && l.free(p) {
			close(l.waiting[p][0])
			l.waiting[p] = l.waiting[p][1:]
			l.running[p]++
		}
	}
}

// leaveQueue removes waiting work from the queue, or returns false if the work has just started.
func (l *Limiter) leaveQueue(p Priority, start chan struct{}, err error) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	i := slices.Index(l.waiting[p], start)
	if i < 0 {
		return false
	}
	l.waiting[p] = slices.Delete(l.waiting[p], i, i+1)
	if errors.Is(err, ErrOverloaded) {
		l.rejected[p]++
	}
	l.startWaiting() // low priority may have waited only for this work
	return true
}

// Stats holds the counts of a Limiter.
type Stats struct {
	MaxConcurrent, Running, Waiting int
	Rejected                        uint64 // ErrOverloaded since the start
}

// Stats returns the current counts.
func (l *Limiter) Stats() (s Stats) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s.MaxConcurrent = l.o.MaxConcurrent
	for p := range priorities {
		s.Running += l.running[p]
		s.Waiting += len(l.waiting[p])
		s.Rejected += l.rejected[p]
	}
	return s
}
