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

// Start returns the id after which a client continues that has received nothing.
func (s *Stream) Start() string { return s.sub.Start() }

// Position returns the id after which a client continues that has received everything so far, and that receives nothing
// again then; empty if there is none.
func (s *Stream) Position() string {
	if id, ok := s.sub.Position(); ok && len(s.waiting) == 0 {
		return id
	}
	return ""
}

// errPause ends a wait for events.
var errPause = errors.New("a heartbeat or a check is due")

// Next waits for events that the caller may see, at most until a time; then there is none. It returns the viewer for
// whom they are, and why the stream ends if it does. Check ctx first: when it has ended nothing else counts.
func (s *Stream) Next(ctx context.Context, until time.Time) ([]*model.Event, viewer.Viewer, *httpapi.StreamEnd) {
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
			s.source.api.Streams.CountDelivered(len(list))
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
	list, err := s.source.visible(ctx, list)
	if s.match == nil {
		return list, err
	}
	return slices.DeleteFunc(list, func(e *model.Event) bool { return !s.match(e) }), err
}
