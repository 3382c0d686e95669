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

// A subscription runs once to be opened: its resolver validates the arguments and says which events it selects. Then it
// runs once for each of these events, like a query, with new loaders and the viewer of that moment.

// maxRecordAge bounds the age of records in a delivered event.
const maxRecordAge = time.Second

// EventSelection is what a subscription delivers.
type EventSelection struct {
	// Types limits delivery to these event types; empty means all public ones.
	Types []model.EventType
	// Match says whether an event is selected; all are when nil. What is hidden from a viewer must not decide: call it
	// again with the event as the viewer sees it.
	Match func(*model.Event) bool
	// After is the id of the event received last; empty for what happens next.
	After string
}

type subscriptionRun struct {
	event  model.EventData // nil when the subscription is opened
	opened EventSelection
}

type subscriptionKey struct{}

// ErrNoStream is the error of a subscription whose results cannot be sent in the response.
var ErrNoStream = Errorf(NotAcceptable,
	"Send subscriptions with the header Accept: text/event-stream, or over a WebSocket.")

// StreamEvents is what resolvers of the type Subscription return. When the subscription is opened there is no event and
// the selection is reported to Open; otherwise there is the one of Deliver, changed by shown unless that is nil.
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

// Open runs a subscription to find out which events it selects. It returns errors of its arguments.
func (e *Executor) Open(ctx context.Context, op *Operation, vars map[string]any) (EventSelection, gqlerror.List) {
	run := &subscriptionRun{}
	var response Response
	var opening sync.WaitGroup
	// The goroutine of the caller would keep the stack that a run needs, 16 kB, as long as the subscription.
	opening.Go(func() { response = e.Run(context.WithValue(ctx, subscriptionKey{}, run), op, vars) })
	opening.Wait()
	return run.opened, response.Errors
}

// Deliver runs a subscription for an event that it selects, as the viewer of the context may see it.
//
// Many subscribers receive an event at the same time: they share the records that were read since the event was.
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

// respondToSubscription returns the response of a subscription, nil when it was opened. gqlgen neither adds the root
// field to the paths below it nor makes data null when the field must not be.
func respondToSubscription(ctx context.Context, oc *graphql.OperationContext, handler graphql.ResponseHandler,
) *graphql.Response {
	root := graphql.CollectFields(oc, oc.Operation.SelectionSet, []string{"Subscription"})[0]
	response := handler(graphql.WithFieldContext(ctx, &graphql.FieldContext{Object: "Subscription", Field: root}))
	if response != nil && bytes.Equal(response.Data, []byte(`{"`+root.Alias+`":null}`)) {
		response.Data = []byte("null")
	}
	return response
}
