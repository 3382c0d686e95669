package app

import (
	"context"

	"gamedata/graph/model"
	"gamedata/loaders"
	"gamedata/resolvers"
)

// visibleEvents returns the part of events that the viewer of a context may see. Each call has new loaders, so it sees
// no older records.
func visibleEvents(source *loaders.Source) func(context.Context, []*model.Event) ([]*model.Event, error) {
	return func(ctx context.Context, events []*model.Event) ([]*model.Event, error) {
		return resolvers.VisibleEvents(source.Attach(ctx, nil), events)
	}
}

// FollowEvents delivers events until ctx ends.
func (s *Service) FollowEvents(ctx context.Context) { s.events.Run(ctx) }
