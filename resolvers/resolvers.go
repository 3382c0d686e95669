// Package resolvers resolves the fields of the schema, one file per section. A resolver parses its arguments, loads
// records through the operation's loaders, applies the access rules of access.go before any field is read, and returns.
// Computations are pure functions beside it. The package knows neither HTTP nor REST.
package resolvers

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gamedata/graph"
	"gamedata/graph/generated"
	"gamedata/graph/model"
	"gamedata/graph/viewer"
	"gamedata/internal/auth"
	"gamedata/loaders"
	"gamedata/mongo"
)

// Settings configure the resolvers.
type Settings struct {
	// PageSize is the default number of entries on a page of a list.
	PageSize int
	// Now is the clock for seasons and schedules; time.Now when nil. GameTime converts a real time to the time of the
	// game; nil when the game has real time.
	Now      func() time.Time
	GameTime func(time.Time) time.Time
	// Accounts runs the operations of users.
	Accounts *auth.Accounts
	// TestWebhook sends a test event to a webhook.
	TestWebhook func(context.Context, *model.Webhook) *model.WebhookDelivery
	// Limits of queries and MaxBody, the maximum size of a request body in bytes, are only reported.
	Limits  graph.Limits
	MaxBody int64
	// Counters returns the state of a viewer's rate limits in some buckets; may be nil.
	Counters func(v viewer.Viewer, buckets []string) []graph.Counter
}

// root is what all resolvers embed. Its Now is the time of the game.
type root struct{ Settings }

// New returns the resolvers. They read the store through the loaders of each operation.
func New(s Settings) generated.ResolverRoot {
	if s.Now == nil {
		s.Now = time.Now
	}
	if s.GameTime == nil {
		s.GameTime = func(t time.Time) time.Time { return t }
	}
	if s.Counters == nil {
		s.Counters = func(viewer.Viewer, []string) []graph.Counter { return nil }
	}
	now := s.Now
	s.Now = func() time.Time { return s.GameTime(now()) }
	return accessors{&root{s}}
}

// publicError wraps the error of a store read in storeError with ErrInternal.
func publicError[T any](v T, err error) (T, error) {
	if err != nil {
		err = storeError(err, graph.ErrInternal)
	}
	return v, err
}

var errTooManyCalls = graph.Errorf(graph.LimitExceeded,
	"The operation needs more than %d reads of the store. Select less, or send it in parts.", loaders.MaxCalls)

// storeError wraps a store error, which is only logged: in ErrUnavailable if the store does not respond or responds
// after the operation ended, else in the documented error of the field. An error for callers is returned unchanged.
func storeError(err error, documented *graph.Error) error {
	if errors.As(err, new(*graph.Error)) {
		return err
	}
	if errors.Is(err, mongo.ErrTooManyCalls) {
		documented = errTooManyCalls
	}
	for _, unavailable := range []error{mongo.ErrUnavailable, context.DeadlineExceeded, context.Canceled} {
		if errors.Is(err, unavailable) {
			documented = graph.ErrUnavailable
		}
	}
	return fmt.Errorf("%w: %w", documented, err)
}
