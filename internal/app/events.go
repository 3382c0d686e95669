package app

import (
	"context"

	"gamedata/graph/model"
	"gamedata/loaders"
	"gamedata/resolvers"
)

// visibleEvents returns what the viewer of a context may see of events. Each call has new loaders: what
// they remember must not be older.
func visibleEvents(source *loaders.Source) func(context.Context, []*model.Event) ([]*model.Event, error) {
	return func(ctx context.Context, events []*model.Event) ([]*model.Event, error) {
		return resolvers.VisibleEvents(source.Attach(ctx), events)
	}
}

// FollowEvents delivers events until ctx ends.
func (s *Service) FollowEvents(ctx context.Context) { s.events.Run(ctx) }
