package feed

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"gamedata/mongo"
)

// Batches of one process take turns: concurrent transactions on the same records would only retry each other. Batches
// that arrive meanwhile wait and are then applied together, with one commit.

const (
	// maxJoined is the number of events up to which batches are applied together. One batch may have more.
	maxJoined = 1000
	// joinDelay is how long the senders of joined batches have to send their next ones, at most a quarter of the time
	// that the batches took. Without the delay, groups of one batch and of seven alternate, because the next group
	// starts as soon as a single batch waits. Eight senders then reach 300 events/s, not 360.
	joinDelay = 2 * time.Millisecond
)

// queue holds the waiting batches in the order of arrival.
type queue struct {
	mu      sync.Mutex
	waiting []*waiting
	busy    bool // a goroutine is draining the queue
}

// waiting is a batch in a queue.
type waiting struct {
	ctx    context.Context // of the sender
	events []Sent

	done     chan struct{} // closed when the batch is decided
	outcomes []Outcome
	err      error
}

// wait queues events and returns the result of apply. A sender that leaves does not cancel a running apply.
func (q *queue) wait(ctx context.Context, events []Sent,
	apply func(context.Context, []Sent) ([]Outcome, error),
) ([]Outcome, error) {
	w := &waiting{ctx: ctx, events: events, done: make(chan struct{})}
	q.mu.Lock()
	q.waiting = append(q.waiting, w)
	if !q.busy {
		q.busy = true
		go q.run(apply)
	}
	q.mu.Unlock()
	select {
	case <-w.done:
		return w.outcomes, w.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// run applies batches until the queue is empty.
func (q *queue) run(apply func(context.Context, []Sent) ([]Outcome, error)) {
	for batches := q.next(); len(batches) > 0; batches = q.next() {
		began := time.Now()
		applyTogether(batches, apply)
		if len(batches) > 1 {
			time.Sleep(min(joinDelay, time.Since(began)/4))
		}
	}
}

// next takes the batches to apply together off the queue.
func (q *queue) next() (batches []*waiting) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting = slices.DeleteFunc(q.waiting, func(w *waiting) bool { return w.ctx.Err() != nil })
	events, n := 0, 0
	for n < len(q.waiting) && (n == 0 || events+len(q.waiting[n].events) <= maxJoined) {
		events += len(q.waiting[n].events)
		n++
	}
	batches = slices.Clone(q.waiting[:n])
	q.waiting = slices.Delete(q.waiting, 0, n)
	q.busy = n > 0
	return batches
}

// applyTogether applies batches in one transaction, or each by itself if that fails because of one of them. After a
// conflict with another instance the batches run concurrently: none waits for a record of another batch.
func applyTogether(batches []*waiting, apply func(context.Context, []Sent) ([]Outcome, error)) {
	var events []Sent
	for _, w := range batches {
		events = append(events, w.events...)
	}
	outcomes, err := recovered(context.WithoutCancel(batches[0].ctx), events, apply)
	conflict := errors.Is(err, mongo.ErrConflict)
	if err != nil && len(batches) > 1 && (conflict || !errors.Is(err, mongo.ErrUnavailable)) {
		var alone errgroup.Group
		if !conflict {
			alone.SetLimit(1)
		}
		for i := range batches {
			alone.Go(func() error { applyTogether(batches[i:i+1], apply); return nil })
		}
		_ = alone.Wait()
		return
	}
	for _, w := range batches {
		w.err = err
		if err == nil {
			w.outcomes, outcomes = outcomes[:len(w.events)], outcomes[len(w.events):]
		}
		close(w.done)
	}
}

// recovered applies events and returns a panic as an error: a panic must not end the process or leave senders waiting.
func recovered(ctx context.Context, events []Sent, apply func(context.Context, []Sent) ([]Outcome, error)) (
	outcomes []Outcome, err error,
) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("applying events panicked: %v\n%s", r, debug.Stack())
		}
	}()
	return apply(ctx, events)
}
