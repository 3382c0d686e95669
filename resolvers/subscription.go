package resolvers

import (
	"context"
	"slices"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/internal/events"
)

// The resolvers of the type Subscription select the events to deliver.

// maxSubjects is the maximum number of players, territories or leaderboards that a subscription names.
const maxSubjects = 100

func (subscriptionResolver) Events(ctx context.Context, types []model.EventType, after *string) (
	<-chan model.EventData, error,
) {
	return streamEvents[model.EventData](ctx, events.Subjects{}, after, nil, types...)
}

func (subscriptionResolver) TerritoryChanges(ctx context.Context, guild *string, territories []string, after *string) (
	<-chan *model.TerritoryCaptured, error,
) {
	about := events.Subjects{Guilds: oneOrNone(guild), Territories: territories}
	return streamEvents[*model.TerritoryCaptured](ctx, about, after, nil, model.EventTerritoryCaptured)
}

func (subscriptionResolver) Presence(ctx context.Context, players []string, guild, world, after *string) (
	<-chan model.PresenceEvent, error,
) {
	if world != nil {
		w, ok := parseWorld(*world)
		if !ok || w.letters == "" {
			return nil, &graph.Error{
				Code: graph.InvalidQueryParams, Argument: "world", Detail: "world must be a world such as EU37.",
			}
		}
		world = new(w.letters + w.number)
	}
	about := events.Subjects{Players: players, Guilds: oneOrNone(guild), Worlds: oneOrNone(world)}
	return streamEvents[model.PresenceEvent](ctx, about, after, nil, eventTypes[model.PresenceEvent]()...)
}

func (subscriptionResolver) GuildActivity(ctx context.Context, guild string, after *string) (
	<-chan model.GuildEvent, error,
) {
	about := events.Subjects{Guilds: []string{guild}}
	return streamEvents[model.GuildEvent](ctx, about, after, nil, eventTypes[model.GuildEvent]()...)
}

func (subscriptionResolver) LeaderboardRefreshed(ctx context.Context, types []string, after *string) (
	<-chan *model.LeaderboardsRefreshed, error,
) {
	var narrow func(*model.LeaderboardsRefreshed) *model.LeaderboardsRefreshed
	if len(types) > 0 {
		narrow = func(e *model.LeaderboardsRefreshed) *model.LeaderboardsRefreshed {
			changed := only(e.Changed, func(name string) bool { return slices.Contains(types, name) })
			return &model.LeaderboardsRefreshed{EventHead: e.EventHead, Changed: changed}
		}
	}
	about := events.Subjects{Leaderboards: types}
	return streamEvents(ctx, about, after, narrow, model.EventLeaderboardsRefreshed)
}

func streamEvents[T model.EventData](ctx context.Context, about events.Subjects, after *string, shown func(T) T,
	types ...model.EventType,
) (<-chan T, error) {
	for _, list := range [][]string{about.Players, about.Territories, about.Leaderboards} {
		if len(list) > maxSubjects {
			return nil, graph.Errorf(graph.InvalidQueryParams, "A list of arguments has at most %d entries.", maxSubjects)
		}
	}
	s := graph.EventSelection{Types: types, Match: about.Match}
	if after != nil {
		s.After = *after
		if !events.ValidID(s.After) {
			return nil, graph.Errorf(graph.InvalidQueryParams, "after must be the id of an event.")
		}
	}
	return graph.StreamEvents(ctx, s, shown)
}

func eventTypes[T model.EventData]() (types []model.EventType) {
	for _, k := range model.EventKinds {
		if _, ok := k.New().(T); ok {
			types = append(types, k.Type)
		}
	}
	return types
}

func oneOrNone(text *string) []string {
	if text == nil {
		return nil
	}
	return []string{*text}
}
