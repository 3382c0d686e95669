package mongo

import (
	"context"
	"sync"
	"time"

	"go.mongodb.org/mongo-driver/v2/event"
)

// commandMonitor tells of commands in the words of Options.Watch.
func commandMonitor(watch func(ctx context.Context, command, collection string) func(time.Duration,
	error),
) *event.CommandMonitor {
	var mu sync.Mutex
	running := map[int64]func(time.Duration, error){} // by request
	end := func(request int64, took time.Duration, failure error) {
		mu.Lock()
		done := running[request]
		delete(running, request)
		mu.Unlock()
		if done != nil {
			done(took, failure)
		}
	}
	return &event.CommandMonitor{
		Started: func(ctx context.Context, e *event.CommandStartedEvent) {
			done := watch(ctx, e.CommandName, collectionOf(e))
			mu.Lock()
			defer mu.Unlock()
			running[e.RequestID] = done
		},
		Succeeded: func(_ context.Context, e *event.CommandSucceededEvent) { end(e.RequestID, e.Duration, nil) },
		Failed:    func(_ context.Context, e *event.CommandFailedEvent) { end(e.RequestID, e.Duration, e.Failure) },
	}
}

// collectionOf is the collection a command works on: the value of its first element, or, for
// the rest of a cursor, that of "collection".
func collectionOf(e *event.CommandStartedEvent) string {
	key := e.CommandName
	if key == "getMore" {
		key = "collection"
	}
	name, _ := e.Command.Lookup(key).StringValueOK()
	return name
}
