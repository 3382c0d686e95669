package resolvers

import (
	"context"
	"slices"
	"time"

	"gamedata/graph"
	"gamedata/graph/model"
	"gamedata/internal/history"
	"gamedata/loaders"
	"gamedata/mongo"
)

const (
	// activitySpan is the time over which the activity of a guild is averaged.
	activitySpan = 4 * 7 * day
	// minActive is how many members must publicly share that they are online. The activity of fewer would reveal when
	// each of them plays, even if they hide it now.
	minActive = 5
)

// Activity returns how many members of a guild are online at each hour of the week.
func (r guildResolver) Activity(ctx context.Context, g *model.Guild) ([]*model.ActivityHour, error) {
	members, err := publicError(loaders.From(ctx).PlayersByGuild.Load(ctx, g.UUID)())
	if err != nil {
		return nil, err
	}
	out := []*model.ActivityHour{}
	if len(only(members, (*model.Player).ShowsPresenceToAll)) < minActive {
		return out, nil
	}
	now := r.Now().UTC().Truncate(time.Hour)
	points, err := pointsOf(ctx, mongo.RecordedActivity, g.HistoryKey(), now.Add(time.Hour-activitySpan), now)
	for i, mean := range history.Week(points, history.Online, now) {
		out = append(out, &model.ActivityHour{Weekday: model.AllWeekday[i/24], Hour: i % 24, Members: mean})
	}
	return out, err
}

// memberEventTypes are the events about a guild's members, playerEventTypes about a player's past, and
// characterEventTypes about a character.
var (
	memberEventTypes = []model.EventType{
		model.EventGuildMemberJoined, model.EventGuildMemberLeft, model.EventGuildMemberRankChanged,
	}
	characterEventTypes = []model.EventType{
		model.EventCharacterCreated, model.EventCharacterLevelChanged, model.EventCharacterDied,
	}
	playerEventTypes = slices.Concat([]model.EventType{model.EventPlayerRenamed}, memberEventTypes, characterEventTypes)
)

// MemberEvents returns the last events about the members of a guild that the viewer may see.
func (guildResolver) MemberEvents(ctx context.Context, g *model.Guild, from, to *time.Time, first int,
) ([]model.EventData, error) {
	return eventsAbout(ctx, g.UUID, memberEventTypes, from, to, first)
}

// Events returns the last events about a player that the viewer may see.
func (playerResolver) Events(ctx context.Context, p *model.Player, types []model.EventType, from, to *time.Time,
	first int,
) ([]model.EventData, error) {
	if types == nil {
		types = playerEventTypes
	}
	for _, t := range types {
		if !slices.Contains(playerEventTypes, t) {
			return nil, graph.Errorf(graph.InvalidQueryParams, "A player has no events of the type %s.", t.Value())
		}
	}
	return eventsAbout(ctx, p.UUID, types, from, to, first)
}

// Events returns the last events about a character that the viewer may see.
func (characterResolver) Events(ctx context.Context, c *model.Character, first int) ([]model.EventData, error) {
	return eventsAbout(ctx, c.UUID, characterEventTypes, nil, nil, first)
}

// eventsAbout returns the last events of some types about a guild, player or character that the viewer may see, between
// two times; nil is open.
func eventsAbout(ctx context.Context, uuid string, types []model.EventType, from, to *time.Time, first int,
) ([]model.EventData, error) {
	span, err := eventSpan(from, to)
	if err != nil || len(types) == 0 {
		return []model.EventData{}, err
	}
	set := loaders.From(ctx)
	events, err := publicError(set.EventsAbout.Load(ctx, loaders.EventsAbout(uuid, types, span))())
	if err != nil {
		return nil, err
	}
	named := each(events, func(e *model.Event) string { return e.NamedPlayers()[0] })
	players, err := publicError(loaders.Many(ctx, set.PlayerByUUID, named))
	if err != nil {
		return nil, err
	}
	list := make([]*model.Event, len(events))
	for i, e := range events {
		about := *e // other fields share the event
		about.Players = map[string]*model.Player{}
		if players[i] != nil {
			about.Players[named[i]] = players[i]
		}
		list[i] = &about
	}
	visible, err := VisibleEvents(ctx, list)
	return each(visible[:min(first, len(visible))], func(e *model.Event) model.EventData { return e.Data }), err
}
