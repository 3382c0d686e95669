// Package stream delivers the event log to callers over any protocol: what their access rules let them see at the
// moment of delivery, while their credential is valid.
package stream

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/graph/viewer"
	"gamedata/internal/events"
	"gamedata/internal/httpapi"
)

// batch is how many events are delivered between two checks of the credential.
const batch = 100

// Source is what streams read.
type Source struct {
	api     *httpapi.API
	hub     *events.Hub
	visible func(context.Context, []*model.Event) ([]*model.Event, error)
	log     *slog.Logger
}

// NewSource returns a source. visible returns what the viewer of a context may see of some events. The log is
// slog.Default() when nil.
func NewSource(api *httpapi.API, hub *events.Hub,
	visible func(context.Context, []*model.Event) ([]*model.Event, error), log *slog.Logger,
) *Source {
	return &Source{api, hub, visible, cmp.Or(log, slog.Default())}
}

// Stream is the events of one caller. One goroutine uses it.
type Stream struct {
	source  *Source
	viewer  *httpapi.StreamViewer
	match   func(*model.Event) bool
	sub     *events.Subscription
	waiting []*model.Event // taken from sub
}

// Open begins a stream of the events that a caller selects; ctx lasts until Close. The error is INVALID_QUERY_PARAMS
// for an invalid id, else SERVICE_UNAVAILABLE.
func (s *Source) Open(ctx context.Context, v *httpapi.StreamViewer, selected graph.EventSelection) (
	*Stream, *graph.Error,
) {
	sub, err := s.hub.Subscribe(ctx, events.Filter{Types: selected.Types, Match: selected.Match}, selected.After)
	switch {
	case err == nil:
		return &Stream{source: s, viewer: v, match: selected.Match, sub: sub}, nil
	case errors.Is(err, events.ErrInvalidID):
		return nil, graph.Errorf(graph.InvalidQueryParams, "after, or Last-Event-ID, must be the id of an event.")
	}
	s.log.Warn("subscribing to events failed", "error", err)
	return nil, graph.ErrUnavailable
}

// Close ends the stream.
func (s *Stream) Close() { s.sub.Close() }

// Sink sends the events of a stream to its client. One goroutine uses it.
type Sink interface {
	// Begin is called once the stream is open. A client that has received nothing continues after start.
	Begin(start string)
	// Send adds an event; the context has the viewer. The error ends the stream like one of Flush.
	Send(ctx context.Context, e *model.Event) error
	// Idle is called when nothing happened for a while. A client may continue after position, unless that is empty.
	Idle(position string)
	// Flush sends what was added. The error means that the client has left, or does not receive.
	Flush() error
}

// Serve sends events until the stream ends. It returns nil when the client has left.
func (s *Stream) Serve(ctx context.Context, out Sink) *httpapi.StreamEnd {
	out.Begin(s.sub.Start())
	for {
		if out.Flush() != nil {
			return nil
		}
		list, who, why := s.next(ctx, time.Now().Add(httpapi.Heartbeat))
		if ctx.Err() != nil {
			return nil
		}
		if why != nil {
			return why
		}
		idle := len(list) == 0
		for len(list) > 0 {
			if s.source.hub.Stale(list[0]) { // the client took its time
				var err error
				if list, err = s.visible(viewer.With(ctx, who), list); err != nil {
					return httpapi.StreamFailed
				}
				if len(list) == 0 {
					break
				}
			}
			e := list[0]
			list = list[1:]
			lag := s.sub.Lag(e)
			s.source.api.Streams.CountDelivered(lag)
			if lag > events.MaxLag {
				return httpapi.StreamTooSlow
			}
			if out.Send(viewer.With(ctx, who), e) != nil {
				return nil
			}
		}
		if idle {
			out.Idle(s.position())
		}
	}
}

// position returns the id after which a client continues that has received everything so far, and that receives nothing
// again then; empty if there is none.
func (s *Stream) position() string {
	if id, ok := s.sub.Position(); ok && len(s.waiting) == 0 {
		return id
	}
	return ""
}

// errPause ends a wait for events.
var errPause = errors.New("a heartbeat or a check is due")

// next waits for events that the caller may see, at most until a time; then there is none. It returns the viewer for
// whom they are, and why the stream ends if it does. Check ctx first: when it has ended nothing else counts.
func (s *Stream) next(ctx context.Context, until time.Time) ([]*model.Event, viewer.Viewer, *httpapi.StreamEnd) {
	for {
		list, err := s.take(ctx, until)
		who, why := s.viewer.Check()
		if why != nil || ctx.Err() != nil {
			return nil, who, why
		}
		if err == nil {
			list, err = s.visible(viewer.With(ctx, who), list)
		}
		switch {
		case errors.Is(err, errPause):
			if !time.Now().Before(until) {
				return nil, who, nil
			}
		case errors.Is(err, events.ErrTooSlow):
			return nil, who, httpapi.StreamTooSlow
		case errors.Is(err, events.ErrClosed):
			return nil, who, httpapi.StreamShutdown
		case err != nil:
			if ctx.Err() == nil {
				s.source.log.Warn("reading events for a stream failed", "error", err)
			}
			return nil, who, httpapi.StreamFailed
		case len(list) > 0:
			return list, who, nil
		}
	}
}

// take returns up to a batch of events. It waits for them, at most until a time or the next check of the credential.
func (s *Stream) take(ctx context.Context, until time.Time) ([]*model.Event, error) {
	if len(s.waiting) == 0 {
		if check, ok := s.viewer.CheckDue(); ok && check.Before(until) {
			until = check
		}
		ctx, cancel := context.WithDeadlineCause(ctx, until, errPause)
		defer cancel()
		var err error
		if s.waiting, err = s.sub.Next(ctx); err != nil {
			return nil, err
		}
	}
	n := min(batch, len(s.waiting))
	list := s.waiting[:n:n]
	s.waiting = s.waiting[n:]
	return list, nil
}

// visible returns what the viewer may see of events. They are selected again: the filter of the subscription saw
// players who are hidden.
func (s *Stream) visible(ctx context.Context, list []*model.Event) ([]*model.Event, error) {
	list, err := s.source.hub.Current(ctx, list)
	if err == nil {
		list, err = s.source.visible(ctx, list)
	}
	if s.match == nil {
		return list, err
	}
	return slices.DeleteFunc(list, func(e *model.Event) bool { return !s.match(e) }), err
}
