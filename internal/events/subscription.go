package events

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// Filter selects events.
type Filter struct {
	// Types selects event types; empty selects all.
	Types []model.EventType
	// Match selects events; nil selects all. It runs for each event and subscriber, so it must be quick and not read
	// the store.
	Match func(*model.Event) bool
	// Internal also selects internal events. They are for the service itself: never pass them on.
	Internal bool
	// MaxQueued limits the events waiting in memory for Next, Options.Buffer if 0, and the past events that Next
	// returns at once, a page if 0. The past events of one millisecond always come together.
	MaxQueued int
}

func (f Filter) selects(events []*model.Event) (out []*model.Event) {
	for _, e := range events {
		t := e.Type()
		if (f.Internal || !t.Internal()) && (len(f.Types) == 0 || slices.Contains(f.Types, t)) &&
			(f.Match == nil || f.Match(e)) {
			out = append(out, e)
		}
	}
	return out
}

// Subscription is a stream of events. Next is called by one goroutine at a time.
type Subscription struct {
	hub    *Hub
	filter Filter
	start  string
	ready  chan struct{} // signals that take has something to return

	// Only Next uses these fields. reads is the context of its reads. While Next reads past events from the store, the
	// hub delivers new ones.
	reads     context.Context
	replaying bool
	received  string              // the id after which the subscriber resumed; empty without one
	after     string              // the last event read from the store
	floor     string              // the hub delivers only events after it
	replayed  map[string]struct{} // the ids of events after floor that were read from the store
	live      time.Time           // when all past events had been read; zero if there were none

	mu      sync.Mutex
	pending []*model.Event // delivered by the hub
	err     error
}

// ValidID reports whether a subscriber can resume after an id.
func ValidID(id string) bool {
	_, ok := mongo.EventTime(id)
	return ok
}

// Subscribe subscribes to the events that are recorded from now on. With after, the id of the event that the subscriber
// received last, from any instance, all events since then come first, with no gap. Events up to
// mongo.LongestTransaction older are repeated, since one of them may have become visible later. An id from Start or
// Position repeats none. No event is delivered twice by one subscription. The caller calls Close; ctx lasts until then.
//
// When this instance stops, the subscription ends with ErrClosed, and its subscriber resumes at another instance.
// Errors are ErrInvalidID and errors of the store.
func (h *Hub) Subscribe(ctx context.Context, filter Filter, after string) (*Subscription, error) {
	if after != "" && !ValidID(after) {
		return nil, ErrInvalidID
	}
	s := &Subscription{
		hub: h, filter: filter, ready: make(chan struct{}, 1), reads: ctx, replaying: after != "",
		received: after, after: h.resumeFrom(after),
	}
	if err := h.add(ctx, s); err != nil {
		return nil, err
	}
	return s, nil
}

// add adds a subscriber between two reads of the log.
func (h *Hub) add(ctx context.Context, s *Subscription) error {
	h.reading.Lock()
	defer h.reading.Unlock()
	if err := h.follow(ctx); err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	s.floor = h.floor
	s.start = cmp.Or(s.received, s.floor)
	if h.closed {
		s.err, s.replaying = ErrClosed, false
		return nil
	}
	h.subscribers[s] = struct{}{}
	return nil
}

// resumeFrom returns the id after which to read the log, given the last id that a subscriber received.
func (h *Hub) resumeFrom(received string) string {
	at, ok := mongo.EventTime(received)
	if from := mongo.EventIDAt(at); !ok || received == from { // a position, not an event: everything before it was seen
		return received
	}
	return mongo.EventIDAt(at.Add(-mongo.LongestTransaction))
}

// Position returns an id after which a subscriber can resume without repeated events; false while events are waiting.
// Next must not run at the same time.
func (s *Subscription) Position() (id string, ok bool) {
	s.hub.mu.Lock()
	id = s.hub.position // read first: later events have greater ids
	s.hub.mu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	return id, id > s.received && !s.replaying && len(s.pending) == 0 && s.err == nil
}

// Start returns the id after which to resume if no event was received. It misses no event, and may include events from
// the seconds before the subscription.
func (s *Subscription) Start() string { return s.start }

// Close ends the subscription.
func (s *Subscription) Close() { s.end(context.Canceled) }

// Next waits for events and returns all that are waiting, at least one. The events are shared with other subscribers.
//
// ErrTooSlow and ErrClosed are final. After an error of ctx, which ends waiting, or of the store, the next call
// continues where this one stopped.
func (s *Subscription) Next(ctx context.Context) ([]*model.Event, error) {
	for s.replaying {
		events, err := s.replay(s.reads)
		if err != nil || len(events) > 0 {
			return events, err
		}
	}
	for {
		events, err := s.take()
		if err != nil || len(events) > 0 {
			return events, err
		}
		select {
		case <-s.ready:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// MaxLag is how long events may wait while their subscriber receives other events.
const MaxLag = 30 * time.Second

// Lag returns how long an event waited between the read from the log and Next. It is 0 while the subscriber catches up
// with the log. Next must not run at the same time.
func (s *Subscription) Lag(e *model.Event) time.Duration {
	if s.replaying {
		return 0
	}
	since := e.Read
	if s.live.After(since) {
		since = s.live
	}
	return s.hub.o.Now().Sub(since)
}

// replay reads a page of events from the store.
func (s *Subscription) replay(ctx context.Context) ([]*model.Event, error) {
	s.mu.Lock()
	ended := s.err
	s.mu.Unlock()
	if ended != nil {
		return nil, ended
	}
	page, err := s.hub.store.Events.After(ctx, mongo.EventQuery{
		After: s.after, Types: s.filter.Types, Limit: pageSize,
	})
	if err != nil {
		return nil, err
	}
	events := slices.DeleteFunc(s.filter.selects(page.Events), func(e *model.Event) bool { return e.ID == s.received })
	after, more := page.Last, page.More
	if limit := s.filter.MaxQueued; limit > 0 && len(events) > limit {
		// The rest is read again, from the next millisecond: within one the ids are in no order.
		at, _ := mongo.EventTime(events[limit-1].ID)
		after, more = mongo.EventIDAt(at.Add(time.Millisecond)), true
		events = slices.DeleteFunc(events, func(e *model.Event) bool { return e.ID > after })
	}
	if err := s.hub.addPlayers(ctx, events); err != nil {
		return nil, err
	}
	s.after, s.replaying = after, more
	if !s.replaying {
		s.live = s.hub.o.Now()
	}
	for _, e := range events {
		if e.ID > s.floor {
			if s.replayed == nil {
				s.replayed = map[string]struct{}{}
			}
			s.replayed[e.ID] = struct{}{}
		}
	}
	return events, nil
}

// take returns the events that the hub delivered, except events that the replay already returned.
func (s *Subscription) take() ([]*model.Event, error) {
	s.mu.Lock()
	events, err := s.pending, s.err
	s.pending = nil
	s.mu.Unlock()
	if len(events) > 0 && len(s.replayed) > 0 {
		last := events[len(events)-1].ID
		events = slices.DeleteFunc(events, func(e *model.Event) bool {
			_, ok := s.replayed[e.ID]
			return ok
		})
		s.forget(last)
	}
	if len(events) > 0 {
		return events, nil // the error is for the next call
	}
	return nil, err
}

// forget drops the replayed ids that the hub can no longer deliver once it has delivered an id.
func (s *Subscription) forget(delivered string) {
	at, _ := mongo.EventTime(delivered)
	before := mongo.EventIDAt(at.Add(-mongo.EventOverlap))
	maps.DeleteFunc(s.replayed, func(id string, _ struct{}) bool { return id < before })
}

// deliver adds new events. It does not wait for the subscriber.
func (s *Subscription) deliver(events []*model.Event) {
	events = s.filter.selects(events)
	if len(events) == 0 {
		return
	}
	s.mu.Lock()
	tooSlow := s.err == nil && len(s.pending)+len(events) > cmp.Or(s.filter.MaxQueued, s.hub.o.Buffer)
	if s.err == nil && !tooSlow {
		s.pending = append(s.pending, events...)
	}
	s.mu.Unlock()
	if tooSlow {
		s.end(ErrTooSlow)
		return
	}
	s.wake()
}

// end ends the subscription; the first reason counts.
func (s *Subscription) end(err error) {
	s.hub.mu.Lock()
	delete(s.hub.subscribers, s)
	s.hub.mu.Unlock()
	s.mu.Lock()
	if s.err == nil {
		s.err = err
		if !errors.Is(err, ErrClosed) {
			s.pending = nil
		}
	}
	s.mu.Unlock()
	s.wake()
}

func (s *Subscription) wake() {
	select {
	case s.ready <- struct{}{}:
	default:
	}
}
