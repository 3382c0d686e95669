package graphqlhttp

import (
	"bytes"
	"maps"
	"net/http"
	"strings"

	"gamedata/internal/httpapi"
)

// Server-sent events in the mode of distinct connections of the graphql-sse protocol: a request is one operation, each
// result is an event `next`, and the event `complete` ends the results.

// eventSink sends the results of a subscription as server-sent events. Each result carries the id of its game event,
// from which browsers resume.
type eventSink struct{ *httpapi.EventStream }

var _ sink = eventSink{}

func (s eventSink) next(event string, result []byte) error {
	s.Add(event, "next", result)
	return nil
}

// end completes the subscription with an error unless the client can resume by reconnecting. In that case the response
// ends without `complete`, which makes clients reconnect.
func (s eventSink) end(why *httpapi.StreamEnd) {
	if why.Reconnects() {
		s.AddRetry()
		s.AddComment(string(why.Reason) + ": " + why.Detail)
	} else {
		s.Add("", "next", errorBody(endErrors(why)))
		s.Add("", "complete", []byte{})
	}
	_ = s.Flush()
}

// writeEvents writes the only result of an operation as server-sent events.
func (h *Handler) writeEvents(w http.ResponseWriter, r *http.Request, result []byte) {
	release, bad := h.api.Backlog.Acquire(r.Context(), result)
	if bad != nil {
		result = errorBody(listOf(bad))
	} else {
		defer release()
	}
	httpapi.BeginEvents(w)
	httpapi.WriteBody(w, []byte("event: next\ndata: "), result, []byte("\n\nevent: complete\ndata: \n\n"))
}

// serveEvents writes the response of a query or mutation as server-sent events.
func (h *Handler) serveEvents(w http.ResponseWriter, r *http.Request, serve func(http.ResponseWriter, *http.Request)) {
	plain := r.WithContext(r.Context())
	plain.Header = maps.Clone(r.Header)
	for _, name := range []string{"Accept-Encoding", "If-None-Match", "If-Modified-Since", "Range"} {
		plain.Header.Del(name)
	}
	rec := httpapi.NewRecorder()
	serve(rec, plain)
	for name, values := range rec.Header() {
		if name == "Retry-After" || strings.HasPrefix(name, "Ratelimit-") || strings.HasPrefix(name, "RateLimit-") {
			w.Header()[name] = values
		}
	}
	h.writeEvents(w, r, bytes.TrimSpace(rec.Body.Bytes()))
}
