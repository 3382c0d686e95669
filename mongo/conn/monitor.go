package conn

import (
	"context"
	"sync"
	"time"

	"go.mongodb.org/mongo-driver/v2/event"
)

func commandMonitor(
	onCommand func(ctx context.Context, command, collection string) func(time.Duration, error),
) *event.CommandMonitor {
	var running sync.Map // functions to call at the end, by request id
	end := func(request int64, took time.Duration, failure error) {
		if done, ok := running.LoadAndDelete(request); ok {
			done.(func(time.Duration, error))(took, failure)
		}
	}
	return &event.CommandMonitor{
		Started: func(ctx context.Context, e *event.CommandStartedEvent) {
			if done := onCommand(ctx, e.CommandName, commandCollection(e)); done != nil {
				running.Store(e.RequestID, done)
			}
		},
		Succeeded: func(_ context.Context, e *event.CommandSucceededEvent) { end(e.RequestID, e.Duration, nil) },
		Failed:    func(_ context.Context, e *event.CommandFailedEvent) { end(e.RequestID, e.Duration, e.Failure) },
	}
}

// commandCollection returns the collection of a command: the value of its first element or, for
// getMore, of "collection".
func commandCollection(e *event.CommandStartedEvent) string {
	key := e.CommandName
	if key == "getMore" {
		key = "collection"
	}
	name, _ := e.Command.Lookup(key).StringValueOK()
	return name
}
