// Package events delivers the event log to subscribers. An instance reads the log twice a second for all of them.
package events

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// Options configure a Hub. The zero value is ready to use.
type Options struct {
	// Interval is the time between two reads of the log; 500 ms when 0.
	Interval time.Duration
	// Buffer is how many events a subscriber may be behind; 4096 when 0.
	Buffer int
	// Now is the clock; the store's when nil.
	Now func() time.Time
	// Log receives failures; slog.Default() when nil.
	Log *slog.Logger
}

// pageSize is the number of events that one command reads.
const pageSize = 1000

// lateInterval is the time between two checks for late events.
const lateInterval = 10 * time.Second

// Errors of subscriptions, besides errors of contexts and of the store.
var (
	// ErrTooSlow means that the subscriber did not receive events fast enough. It may resume after the last event it
	// received.
	ErrTooSlow = errors.New("events were not received fast enough")
	// ErrClosed means that this instance stops. The subscriber may resume at another instance.
	ErrClosed = errors.New("the service stops")
	// ErrInvalidID means that the id to resume after is not an event id.
	ErrInvalidID = errors.New("not the id of an event")
)

// Hub reads the log while there are subscribers and delivers each event once to the subscribers whose filter it passes,
// in the order of the ids. Concurrent writers can make an event visible after events with greater ids; it is then
// delivered after them.
//
// A subscriber that resumes after an event receives the events up to mongo.LongestTransaction older again: one of them
// may have become visible after the subscriber left.
//
// Each read begins mongo.EventOverlap before the previous one and skips seen events. Transactions may commit even
// later: every lateInterval the hub compares all ids younger than mongo.LongestTransaction with the ids it has seen.
type Hub struct {
	store *mongo.Store
	o     Options

	// reading is held while the log is read and while subscribers are added.
	reading   sync.Mutex
	following bool                // from the first subscriber to the last
	floor     string              // where the next read begins: all earlier events were seen
	seen      map[string]struct{} // ids seen, up to mongo.LongestTransaction old
	lateRead  time.Time           // the last check for late events
	failing   bool

	mu          sync.Mutex // may be held while reading is
	position    string     // the floor after the last read
	subscribers map[*Subscription]struct{}
	closed      bool
}

// New returns a hub, which delivers events while Run runs.
func New(store *mongo.Store, o Options) *Hub {
	o.Interval = cmp.Or(o.Interval, time.Second/2)
	o.Buffer = cmp.Or(o.Buffer, 4096)
	o.Log = cmp.Or(o.Log, slog.Default())
	if o.Now == nil {
		o.Now = store.Now
	}
	return &Hub{store: store, o: o, subscribers: map[*Subscription]struct{}{}}
}

// Run reads the log once per interval while there are subscribers. When ctx ends, it ends all subscriptions with
// ErrClosed and returns.
func (h *Hub) Run(ctx context.Context) {
	ticker := time.NewTicker(h.o.Interval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			h.close()
			return
		case <-ticker.C:
			h.poll(ctx)
		}
	}
}

// Subscribers returns the number of subscribers.
func (h *Hub) Subscribers() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.subscribers)
}

func (h *Hub) close() {
	h.mu.Lock()
	h.closed = true
	subscribers := maps.Clone(h.subscribers)
	h.mu.Unlock()
	for s := range subscribers {
		s.end(ErrClosed)
	}
}

func (h *Hub) poll(ctx context.Context) {
	h.reading.Lock()
	defer h.reading.Unlock()
	if h.Subscribers() == 0 {
		h.following, h.seen = false, nil
		return
	}
	err := h.read(ctx)
	if err == nil {
		err = h.readLate(ctx)
	}
	if err != nil && !h.failing && ctx.Err() == nil {
		h.o.Log.Warn("reading the event log failed", "error", err)
	}
	h.failing = err != nil
}

func (h *Hub) deliver(ctx context.Context, events []*model.Event) error {
	if err := h.addPlayers(ctx, events); err != nil {
		return err
	}
	h.mu.Lock()
	subscribers := maps.Clone(h.subscribers)
	h.mu.Unlock()
	for s := range subscribers {
		s.deliver(events)
	}
	return nil
}

// maxRulesAge is how old access rules may be when a subscriber sends an event. The event leaves within another half
// second and arrives within two more.
const maxRulesAge = 2 * time.Second

// Stale reports whether the access rules of an event must be read again before it is sent.
func (h *Hub) Stale(e *model.Event) bool { return h.o.Now().Sub(e.PlayersRead) > maxRulesAge }

// Current returns the events with fresh access rules. Subscribers share events, so stale events are copied.
func (h *Hub) Current(ctx context.Context, events []*model.Event) ([]*model.Event, error) {
	if !slices.ContainsFunc(events, h.Stale) {
		return events, nil
	}
	copies := make([]*model.Event, len(events))
	for i, e := range events {
		c := *e
		c.Players = nil
		copies[i] = &c
	}
	return copies, h.addPlayers(ctx, copies)
}

// addPlayers sets the players of events and when they were read. One command serves all subscribers.
func (h *Hub) addPlayers(ctx context.Context, events []*model.Event) error {
	named := map[string]struct{}{}
	for _, e := range events {
		for _, uuid := range e.NamedPlayers() {
			named[uuid] = struct{}{}
		}
	}
	players, err := h.store.Players.Access(ctx, slices.Collect(maps.Keys(named)))
	if err != nil {
		return err
	}
	now := h.o.Now()
	for _, e := range events {
		e.PlayersRead = now
		if e.Read.IsZero() {
			e.Read = now
		}
		for _, uuid := range e.NamedPlayers() {
			if p := players[uuid]; p != nil {
				if e.Players == nil {
					e.Players = map[string]*model.Player{}
				}
				e.Players[uuid] = p
			}
		}
	}
	return nil
}

// read delivers unseen events. After an error the next read continues where this one stopped.
func (h *Hub) read(ctx context.Context) error {
	now := h.o.Now()
	for after, more := h.floor, true; more; {
		page, err := h.store.Events.After(ctx, mongo.EventQuery{
			After: after, Limit: pageSize, Skip: func(id string) bool { _, ok := h.seen[id]; return ok },
		})
		if err != nil {
			return err
		}
		if err := h.pass(ctx, page.Events); err != nil {
			return err
		}
		after, more = page.Last, page.More
		if more {
			h.raiseFloor(after, now)
		}
	}
	h.raiseFloor(mongo.EventIDAt(now), now)
	h.mu.Lock()
	h.position = h.floor
	h.mu.Unlock()
	return nil
}

// readLate delivers events that became visible after the floor had passed them.
func (h *Hub) readLate(ctx context.Context) error {
	now := h.o.Now()
	if now.Sub(h.lateRead) < lateInterval {
		return nil
	}
	begin := mongo.EventIDAt(h.lateRead.Add(-mongo.LongestTransaction)) // covers a pause of this process
	ids, err := h.store.Events.IDs(ctx, begin, h.floor)
	if err != nil {
		return err
	}
	late := slices.DeleteFunc(ids, func(id string) bool { _, ok := h.seen[id]; return ok })
	for some := range slices.Chunk(late, pageSize) {
		events, err := h.store.Events.ByID(ctx, some)
		if err != nil {
			return err
		}
		if err := h.pass(ctx, events); err != nil {
			return err
		}
	}
	h.lateRead = now
	maps.DeleteFunc(h.seen, func(id string, _ struct{}) bool { return id <= begin })
	return nil
}

// pass delivers events and marks them as seen.
func (h *Hub) pass(ctx context.Context, events []*model.Event) error {
	if len(events) == 0 {
		return nil
	}
	if err := h.deliver(ctx, events); err != nil {
		return err
	}
	for _, e := range events {
		h.seen[e.ID] = struct{}{}
	}
	return nil
}

// raiseFloor moves the start of the next read forward once all events up to an id were read.
func (h *Hub) raiseFloor(id string, now time.Time) {
	at, _ := mongo.EventTime(id)
	if at.After(now) {
		at = now // later events may still become visible
	}
	h.floor = max(h.floor, mongo.EventIDAt(at.Add(-mongo.EventOverlap)))
}

// follow starts reading the log for the first subscriber. Existing events are not delivered.
func (h *Hub) follow(ctx context.Context) error {
	if h.following {
		return nil
	}
	now := h.o.Now()
	ids, err := h.store.Events.IDs(ctx, mongo.EventIDAt(now.Add(-mongo.LongestTransaction)), "")
	if err != nil {
		return err
	}
	h.floor, h.lateRead, h.seen = mongo.EventIDAt(now.Add(-mongo.EventOverlap)), now, map[string]struct{}{}
	for _, id := range ids {
		h.seen[id] = struct{}{}
	}
	h.following = true
	return nil
}
