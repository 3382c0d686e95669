// Package eventshttp serves GET /events: the event log as server-sent events.
package eventshttp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/graph/viewer"
	"gamedata/internal/events"
	"gamedata/internal/httpapi"
)

// Path of the endpoint.
const Path = "/events"

const allow = "GET, OPTIONS"

// Options of a Handler. Hub and Visible are required.
type Options struct {
	Hub *events.Hub
	// Visible returns what the viewer of a context may see of some events.
	Visible func(context.Context, []*model.Event) ([]*model.Event, error)
	// Log is slog.Default() when nil.
	Log *slog.Logger
}

// Handler serves streams of events.
type Handler struct {
	api *httpapi.API
	o   Options
}

var _ http.Handler = (*Handler)(nil)

// New returns the handler.
func New(api *httpapi.API, o Options) *Handler {
	o.Log = cmp.Or(o.Log, slog.Default())
	return &Handler{api, o}
}

// ServeHTTP implements http.Handler. A stream costs 1 in the bucket SHARED.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ctx := r.Context()
	httpapi.SetRoute(ctx, httpapi.APIOther, Path, "events")
	switch {
	case r.Method == http.MethodOptions:
		h.api.WriteOptions(w, r, httpapi.Shared, allow)
		return
	case r.Method != http.MethodGet:
		h.api.MethodNotAllowed(w, r, allow)
		return
	}
	httpapi.IgnoreCrossSiteSession(ctx)
	if !h.api.Limits.Authorize(w, r, httpapi.Shared, 1) {
		return
	}
	q, bad := parse(r)
	if bad != nil {
		h.api.Errors.Write(w, r, bad)
		return
	}
	release, bad := h.api.Streams.Acquire(ctx)
	if bad != nil {
		h.api.RejectStream(w, r, bad)
		return
	}
	defer release()
	ctx, cancel := httpapi.StreamContext(ctx)
	defer cancel()
	sub, err := h.o.Hub.Subscribe(ctx, events.Filter{Types: q.types, Match: q.subjects.Match}, q.after)
	if err != nil {
		h.api.Errors.Write(w, r, h.subscribeError(err))
		return
	}
	defer sub.Close()
	s := &stream{Handler: h, sub: sub, subjects: q.subjects, viewer: h.api.StreamViewer(r), out: httpapi.NewEventStream(w)}
	if why := s.run(ctx); why != nil {
		s.out.End(why)
	}
}

func (h *Handler) subscribeError(err error) *graph.Error {
	if errors.Is(err, events.ErrInvalidID) {
		return errAfter
	}
	if !errors.Is(err, events.ErrClosed) {
		h.o.Log.Warn("subscribing to events failed", "error", err)
	}
	return graph.ErrUnavailable
}

// stream is a response that is being sent.
type stream struct {
	*Handler
	sub      *events.Subscription
	subjects events.Subjects
	viewer   *httpapi.StreamViewer
	out      *httpapi.EventStream
	beat     time.Time // when the next heartbeat is due
}

// errPause ends a wait for events.
var errPause = errors.New("a heartbeat or a check is due")

// run sends events until the stream ends. It returns nil when the client has left.
func (s *stream) run(ctx context.Context) *httpapi.StreamEnd {
	s.out.AddRetry()
	s.out.Add(s.sub.Start(), "", nil) // resuming works before the first event, too
	if !s.flush() {
		return nil
	}
	for {
		list, err := s.next(ctx)
		if ctx.Err() != nil {
			return nil
		}
		who, why := s.viewer.Check()
		if why != nil {
			return why
		}
		if err == nil {
			list, err = s.visible(viewer.With(ctx, who), list)
		}
		switch {
		case errors.Is(err, errPause):
			if time.Now().Before(s.beat) {
				continue
			}
			s.out.AddHeartbeat()
		case errors.Is(err, events.ErrTooSlow):
			return httpapi.StreamTooSlow
		case errors.Is(err, events.ErrClosed):
			return httpapi.StreamShutdown
		case err != nil:
			s.o.Log.Warn("reading events for a stream failed", "error", err)
			return httpapi.StreamFailed
		case len(list) == 0:
			continue
		}
		for _, e := range list {
			s.out.Add(e.ID, string(e.Type()), body(e))
		}
		if !s.flush() {
			return nil
		}
	}
}

// visible returns what the viewer may see of events. The subjects are compared again: the filter of the subscription
// saw players who are hidden.
func (s *stream) visible(ctx context.Context, list []*model.Event) ([]*model.Event, error) {
	list, err := s.o.Visible(ctx, list)
	return slices.DeleteFunc(list, func(e *model.Event) bool { return !s.subjects.Match(e) }), err
}

// next waits for events, at most until the next heartbeat or check.
func (s *stream) next(ctx context.Context) ([]*model.Event, error) {
	until := s.beat
	if check, ok := s.viewer.CheckDue(); ok && check.Before(until) {
		until = check
	}
	ctx, cancel := context.WithDeadlineCause(ctx, until, errPause)
	defer cancel()
	return s.sub.Next(ctx)
}

func (s *stream) flush() bool {
	s.beat = time.Now().Add(httpapi.Heartbeat)
	return s.out.Flush() == nil
}

// body is an event as clients receive it.
func body(e *model.Event) []byte {
	text, _ := json.Marshal(struct { // texts and numbers
		ID   string          `json:"id"`
		Type model.EventType `json:"type"`
		At   json.RawMessage `json:"at"`
		Data model.EventData `json:"data"`
	}{e.ID, e.Type(), model.AppendDateTime(nil, e.At), e.Data})
	return text
}
