// Package stream delivers the event log to callers over any protocol. It applies access rules at the moment of delivery
// and ends when the caller's credential does.
package stream

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"os"
	"slices"
	"time"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/graph/viewer"
	"gamedata/internal/events"
	"gamedata/internal/httpapi"
)

// batch is how many events are redacted at once.
const batch = 100

// Source opens streams.
type Source struct {
	api     *httpapi.API
	hub     *events.Hub
	visible func(context.Context, []*model.Event) ([]*model.Event, error)
	log     *slog.Logger
}

// NewSource returns a source. visible filters and redacts events for the viewer in the context. A nil log means
// slog.Default().
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
	// Begin is called once the stream is open. A client that has received no event resumes after start.
	Begin(start string)
	// Turn waits until an event can be sent, and reserves the connection until done. Access rules are checked after it.
	Turn(ctx context.Context) (done func(), err error)
	// Send adds an event; the context has the viewer. The error ends the stream like one of Flush.
	Send(ctx context.Context, e *model.Event) error
	// Idle is called after a while without events. A non-empty position tells the client where to resume.
	Idle(position string)
	// Full reports whether Flush is due.
	Full() bool
	// Flush sends the added events. An error means that the client has left or stopped reading.
	Flush() error
}

// flushAge is how long an added event may wait for more.
const flushAge = 500 * time.Millisecond

// Serve sends events until the stream ends. It returns nil when the client has left.
func (s *Stream) Serve(ctx context.Context, out Sink) *httpapi.StreamEnd {
	err := s.serve(ctx, out)
	var why *httpapi.StreamEnd
	var refused *graph.Error
	switch {
	case ctx.Err() != nil:
		return nil
	case errors.As(err, &why):
		return why
	case errors.As(err, &refused), errors.Is(err, os.ErrDeadlineExceeded):
		return httpapi.StreamTooSlow
	}
	return nil
}

// serve returns why the stream ends, a *httpapi.StreamEnd or an error of out.
func (s *Stream) serve(ctx context.Context, out Sink) error {
	out.Begin(s.sub.Start())
	for {
		if err := out.Flush(); err != nil {
			return err
		}
		list, why := s.next(ctx, time.Now().Add(httpapi.Heartbeat))
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if why != nil {
			return why
		}
		if len(list) == 0 {
			position, ok := s.sub.Position()
			if !ok || len(s.waiting) > 0 {
				position = ""
			}
			out.Idle(position)
		}
		for flushed := time.Now(); len(list) > 0; {
			if out.Full() || time.Since(flushed) > flushAge {
				if err := out.Flush(); err != nil {
					return err
				}
				flushed = time.Now()
			}
			var err error
			if list, err = s.send(ctx, out, list); err != nil {
				return err
			}
		}
	}
}

// send sends the first event that the caller may see and returns the rest. If the client was slow, it checks the access
// rules again.
func (s *Stream) send(ctx context.Context, out Sink, list []*model.Event) ([]*model.Event, error) {
	done, err := out.Turn(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	who, why := s.viewer.Check()
	if why != nil {
		return nil, why
	}
	ctx = viewer.With(ctx, who)
	if s.source.hub.Stale(list[0]) {
		if list, err = s.visible(ctx, list); err != nil {
			return nil, httpapi.StreamFailed
		}
		if len(list) == 0 {
			return nil, nil
		}
	}
	lag := s.sub.Lag(list[0])
	s.source.api.Streams.CountDelivered(lag)
	if lag > events.MaxLag {
		return nil, httpapi.StreamTooSlow
	}
	return list[1:], out.Send(ctx, list[0])
}

// errPause ends a wait for events.
var errPause = errors.New("a heartbeat or a check is due")

// next waits for events that the caller may see. It returns none once until has passed. A non-nil StreamEnd says why
// the stream ends. Check ctx first: once it has ended, ignore the results.
func (s *Stream) next(ctx context.Context, until time.Time) ([]*model.Event, *httpapi.StreamEnd) {
	for {
		list, err := s.take(ctx, until)
		who, why := s.viewer.Check()
		if why != nil || ctx.Err() != nil {
			return nil, why
		}
		if err == nil {
			list, err = s.visible(viewer.With(ctx, who), list)
		}
		switch {
		case errors.Is(err, errPause):
			if !time.Now().Before(until) {
				return nil, nil
			}
		case errors.Is(err, events.ErrTooSlow):
			return nil, httpapi.StreamTooSlow
		case errors.Is(err, events.ErrClosed):
			return nil, httpapi.StreamShutdown
		case err != nil:
			if ctx.Err() == nil {
				s.source.log.Warn("reading events for a stream failed", "error", err)
			}
			return nil, httpapi.StreamFailed
		case len(list) > 0:
			return list, nil
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

// visible filters and redacts events for the viewer, then selects them again: the subscription's filter also saw hidden
// players.
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
