package graphqlhttp

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"time"

	"github.com/vektah/gqlparser/v2/gqlerror"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/graph/viewer"
	"gamedata/internal/events/stream"
	"gamedata/internal/httpapi"
)

// sink sends the results of a subscription to its client.
type sink interface {
	Begin(start string)
	Turn(ctx context.Context) (done func(), err error)
	// next adds the result for an event.
	next(event string, result []byte) error
	Idle(position string)
	Full() bool
	Flush() error
	// end tells the client why the service ends the subscription.
	end(why *httpapi.StreamEnd)
}

// subscription runs an operation for each event of a stream.
type subscription struct {
	sink
	h  *Handler
	op *operation
}

var _ stream.Sink = subscription{}

// Send implements stream.Sink.
func (s subscription) Send(ctx context.Context, e *model.Event) error {
	result, err := s.h.deliver(ctx, s.op, e)
	if err != nil {
		return err
	}
	release, bad := s.h.api.Backlog.Acquire(ctx, result)
	if bad != nil {
		return bad
	}
	defer release()
	return s.next(e.ID, result)
}

// subscribe opens a charged subscription and sends its results until it ends. A request over a WebSocket has its own
// sink; the socket itself counts as the stream.
func (h *Handler) subscribe(w http.ResponseWriter, r *http.Request, op *operation) {
	ctx := r.Context()
	out, overSocket := socketSink(ctx)
	selected, errs := h.exec.Open(viewer.With(ctx, httpapi.ViewerFrom(ctx)), op.Operation, op.variables)
	if len(errs) > 0 {
		h.rejectSubscription(w, r, errs)
		return
	}
	switch id, bad := httpapi.LastEventID(r); {
	case bad != nil:
		h.rejectSubscription(w, r, listOf(bad))
		return
	case id != "":
		selected.After = id
	}
	release, bad := h.api.Backlog.Hold(ctx, op.size())
	if bad != nil {
		h.rejectSubscription(w, r, listOf(bad))
		return
	}
	defer release()
	if !overSocket {
		release, bad := h.api.Streams.Acquire(ctx)
		if bad != nil {
			h.writeErrors(w, r, listOf(bad))
			return
		}
		defer release()
	}
	ctx, cancel := httpapi.StreamContext(ctx)
	defer cancel()
	events, bad := h.o.Events.Open(ctx, h.api.StreamViewer(r), selected)
	if bad != nil {
		h.rejectSubscription(w, r, listOf(bad))
		return
	}
	defer events.Close()
	httpapi.SetStream(ctx)
	if !overSocket {
		out = eventSink{httpapi.NewEventStream(w)}
	}
	why := events.Serve(ctx, subscription{out, h, op})
	if why != nil {
		out.end(why)
	}
	h.api.Streams.CountEnd(why)
}

// delivery is a subscription's result for one event.
type delivery struct {
	once   sync.Once
	result []byte
}

// deliveryKey identifies a delivery to guests: all guests share it until the next purge.
type deliveryKey struct {
	event      *model.Event // as a guest may see it
	operation  string
	generation uint64
}

const (
	// sharedFor is how long guests share a result: long enough for all subscribers that receive an event straight from
	// the log.
	sharedFor = 250 * time.Millisecond
	// maxShared limits the cached deliveries, maxDelivery the bytes of each.
	maxShared   = 16
	maxDelivery = 512 << 10
)

// deliver returns the result of a subscription for an event.
func (h *Handler) deliver(ctx context.Context, op *operation, e *model.Event) ([]byte, error) {
	if !viewer.From(ctx).Is(viewer.Guest) || op.request.ByAddress {
		return h.execute(ctx, op, e)
	}
	key := deliveryKey{e, op.request.Key, h.o.Generation()}
	d, known := h.shared.Get(key)
	if !known {
		d = &delivery{}
		h.shared.Add(key, d)
		time.AfterFunc(sharedFor, func() { h.shared.Remove(key) })
	}
	var err error
	d.once.Do(func() { d.result, err = h.execute(context.WithoutCancel(ctx), op, e) })
	return d.result, err
}

// execute runs a subscription for an event. If many subscribers receive an event at once, they queue for execution.
func (h *Handler) execute(ctx context.Context, op *operation, e *model.Event) ([]byte, error) {
	if err := h.deliveries.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer h.deliveries.Release(1)
	ctx, cancel := context.WithTimeout(ctx, h.o.Timeout)
	defer cancel()
	result, err := json.Marshal(h.exec.Deliver(ctx, op.Operation, op.variables, e).Response)
	if err != nil {
		h.o.Log.Error("encoding the result of a subscription failed", "error", err)
		return errorBody(listOf(graph.ErrInternal)), nil
	}
	if len(result) > maxDelivery {
		return errorBody(listOf(graph.Errorf(graph.LimitExceeded,
			"The result has %d bytes, at most %d are allowed: select less.", len(result), maxDelivery))), nil
	}
	return result, nil
}

// rejectSubscription writes the errors of a charged subscription that was not opened.
func (h *Handler) rejectSubscription(w http.ResponseWriter, r *http.Request, errs gqlerror.List) {
	if _, overSocket := socketSink(r.Context()); overSocket || graph.ErrorOf(errs[0]).Code == graph.ServiceUnavailable {
		h.writeErrors(w, r, errs)
		return
	}
	h.writeEvents(w, r, errorBody(errs))
}

// endErrors converts the reason for ending a subscription to {errors}.
func endErrors(why *httpapi.StreamEnd) gqlerror.List {
	return listOf(&graph.Error{Code: why.Reason, Detail: why.Detail})
}
