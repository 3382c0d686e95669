package graph

import (
	"bytes"
	"context"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"gamedata/graph/model"
)

// A subscription runs once to open: its resolver validates the arguments and returns which events it selects. Then it
// runs once per selected event, like a query, with new loaders and the current viewer.

// maxRecordAge is the maximum age of records in a delivered event.
const maxRecordAge = time.Second

// EventSelection selects the events of a subscription.
type EventSelection struct {
	// Types limits delivery to these event types; empty means all public ones.
	Types []model.EventType
	// Match reports whether an event is selected; nil selects all. Hidden data must not decide: call Match again with
	// the event as the viewer sees it.
	Match func(*model.Event) bool
	// After is the id of the last event received; empty for new events only.
	After string
}

type subscriptionRun struct {
	event  model.EventData // nil when the subscription is opened
	opened EventSelection
}

type subscriptionKey struct{}

// ErrNoStream rejects a subscription whose results cannot be sent in the response.
var ErrNoStream = Errorf(NotAcceptable,
	"Send subscriptions with the header Accept: text/event-stream, or over a WebSocket.")

// StreamEvents builds the result of a Subscription resolver. On opening, it reports the selection to Open and streams
// no event. Otherwise it streams the event given to Deliver, changed by shown unless shown is nil.
func StreamEvents[T model.EventData](ctx context.Context, s EventSelection, shown func(T) T) (<-chan T, error) {
	run, ok := ctx.Value(subscriptionKey{}).(*subscriptionRun)
	if !ok {
		return nil, ErrNoStream
	}
	out := make(chan T, 1)
	defer close(out)
	if run.event == nil {
		run.opened = s
		return out, nil
	}
	data, ok := run.event.(T)
	if !ok {
		return nil, ErrInternal
	}
	if shown != nil {
		data = shown(data)
	}
	out <- data
	return out, nil
}

// Open runs a subscription to find out which events it selects. It returns errors about the arguments.
func (e *Executor) Open(ctx context.Context, op *Operation, vars map[string]any) (EventSelection, gqlerror.List) {
	run := &subscriptionRun{}
	var response Response
	var opening sync.WaitGroup
	// A run needs a stack of 16 kB. The caller's goroutine would keep that stack as long as the subscription lives.
	opening.Go(func() { response = e.Run(context.WithValue(ctx, subscriptionKey{}, run), op, vars) })
	opening.Wait()
	return run.opened, response.Errors
}

// Deliver runs a subscription for a selected event, as the context's viewer may see it.
//
// Many subscribers receive an event at the same time: they share the records read since the event.
func (e *Executor) Deliver(ctx context.Context, op *Operation, vars map[string]any, event *model.Event) Response {
	fresh := *op
	if !event.Read.IsZero() {
		fresh.Policy.MaxAge = min(time.Since(event.Read), maxRecordAge)
	}
	op = &fresh
	return e.Run(context.WithValue(ctx, subscriptionKey{}, &subscriptionRun{event: event.Data}), op, vars)
}

func opens(ctx context.Context) bool {
	run, ok := ctx.Value(subscriptionKey{}).(*subscriptionRun)
	return ok && run.event == nil
}

// respondToSubscription returns the response of a subscription, or nil on opening. It adds the root field to the paths
// below it, and makes data null if a non-null root field is null: gqlgen does neither.
func respondToSubscription(ctx context.Context, oc *graphql.OperationContext, handler graphql.ResponseHandler,
) *graphql.Response {
	root := graphql.CollectFields(oc, oc.Operation.SelectionSet, []string{"Subscription"})[0]
	response := handler(graphql.WithFieldContext(ctx, &graphql.FieldContext{Object: "Subscription", Field: root}))
	if response != nil && bytes.Equal(response.Data, []byte(`{"`+root.Alias+`":null}`)) {
		response.Data = []byte("null")
	}
	return response
}
