// Package loadshed bounds concurrent work: so many units run at once, a few more wait for a short
// time, the rest is rejected at once, low priority first. It knows neither HTTP nor operations;
// what does not pass it (cached responses, health, the token endpoint) goes on under overload.
package loadshed

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// ErrOverloaded rejects work. Trying again in a few seconds may help.
var ErrOverloaded = errors.New("too much work at once")

// Priority decides which work runs first, and is rejected last: none starts while work of a higher priority waits.
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
	// MaxMiddle is how many of them may be of middle or low priority, MaxLow how many of low priority, 1 or more.
	MaxMiddle, MaxLow int
	// Wait is how long work waits before it is rejected, WaitLow how long work of low priority does.
	Wait, WaitLow time.Duration
	// WaitFull is how long work of higher priorities waits instead of Wait when others have waited without a break for
	// Wait; at most MaxConcurrent wait then, and the rest is rejected at once. A queue that does not empty is no burst:
	// waiting long in it makes all responses late and serves no more of them. Zero: always Wait and Queue.
	WaitFull time.Duration
	// Queue is how many may wait in each priority.
	Queue int
}

// Limiter bounds concurrent work. It is safe for concurrent use; a nil Limiter bounds nothing.
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

// Acquire waits until work may start; release must be called once when it is done. The error is
// ErrOverloaded, or the error of ctx when it ends first.
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

// wait returns how long work that joins the queue now may wait, and how long the queue may be; mu is held.
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

// free reports whether one more of a priority may run; mu is held.
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

// leaveQueue removes waiting work from the queue; false when it was started at the same time.
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
	l.startWaiting() // low priority may have waited for the last of normal priority
	return true
}

// Stats are the counts of a Limiter.
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
