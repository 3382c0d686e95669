// Package eventshttp serves GET /events: the event log as server-sent events.
package eventshttp

import (
	"context"
	"net/http"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/internal/events"
	"gamedata/internal/events/stream"
	"gamedata/internal/httpapi"
)

// Path of the endpoint.
const Path = "/events"

const allow = "GET, OPTIONS"

// Handler serves streams of events.
type Handler struct {
	api    *httpapi.API
	source *stream.Source
}

var _ http.Handler = (*Handler)(nil)

// New returns the handler.
func New(api *httpapi.API, source *stream.Source) *Handler {
	return &Handler{api, source}
}

// ServeHTTP implements http.Handler. A stream costs 1 in the bucket SHARED.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ctx := r.Context()
	httpapi.SetRoute(ctx, httpapi.APIOther, Path, "events")
	httpapi.AllowHeaders(w, r, "Last-Event-ID")
	if !h.api.AllowsMethod(w, r, httpapi.Shared, allow) {
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
		h.api.Errors.Write(w, r, bad)
		return
	}
	defer release()
	ctx, cancel := httpapi.StreamContext(ctx)
	defer cancel()
	selected := graph.EventSelection{Types: q.types, Match: q.subjects.Match, After: q.after}
	opened, bad := h.source.Open(ctx, h.api.StreamViewer(r), selected)
	if bad != nil {
		h.api.Errors.Write(w, r, bad)
		return
	}
	defer opened.Close()
	httpapi.SetStream(ctx)
	out := httpapi.NewEventStream(w)
	why := opened.Serve(ctx, sink{out})
	if why != nil {
		out.End(why)
	}
	h.api.Streams.CountEnd(why)
}

// sink writes events as they are stored.
type sink struct {
	*httpapi.EventStream
}

var _ stream.Sink = sink{}

// Send implements stream.Sink.
func (s sink) Send(_ context.Context, e *model.Event) error {
	s.Add(e.ID, string(e.Type()), events.Body(e))
	return nil
}
