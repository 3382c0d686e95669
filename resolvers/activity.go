package resolvers

import (
	"context"
	"time"

	"gamedata/graph/model"
	"gamedata/internal/history"
	"gamedata/loaders"
	"gamedata/mongo"
)

const (
	// activitySpan is the time of which the activity of a guild is the mean.
	activitySpan = 4 * 7 * day
	// minActive is how many members must show everybody that they are online: the activity of fewer would tell when each
	// of them plays, those who hide it now too.
	minActive = 5
)

// Activity returns how many members of a guild are online at each hour of the week.
func (r guildResolver) Activity(ctx context.Context, g *model.Guild) ([]*model.ActivityHour, error) {
	members, err := stored(loaders.From(ctx).PlayersByGuild.Load(ctx, g.UUID)())
	if err != nil {
		return nil, err
	}
	out := []*model.ActivityHour{}
	if len(only(members, (*model.Player).ShowsPresenceToAll)) < minActive {
		return out, nil
	}
	now := r.now().UTC().Truncate(time.Hour)
	key := loaders.HistoryOf(mongo.RecordedActivity, g.UUID, now.Add(time.Hour-activitySpan), now)
	points, err := stored(loaders.From(ctx).HistoryOf.Load(ctx, key)())
	for i, mean := range history.Week(points, history.Online, now) {
		out = append(out, &model.ActivityHour{Weekday: model.AllWeekday[i/24], Hour: i % 24, Members: mean})
	}
	return out, err
}

// MemberEvents returns the last events about the members of a guild that the viewer may see.
func (guildResolver) MemberEvents(ctx context.Context, g *model.Guild, first int) ([]model.EventData, error) {
	set := loaders.From(ctx)
	events, err := stored(set.MemberEvents.Load(ctx, g.UUID)())
	if err != nil {
		return nil, err
	}
	named := each(events, func(e *model.Event) string { return e.NamedPlayers()[0] })
	players, err := stored(loaders.Many(ctx, set.PlayerByUUID, named))
	if err != nil {
		return nil, err
	}
	list := make([]*model.Event, len(events))
	for i, e := range events {
		list[i] = e.With(e.Data)
		list[i].Players = map[string]*model.Player{}
		if players[i] != nil {
			list[i].Players[named[i]] = players[i]
		}
	}
	visible, err := VisibleEvents(ctx, list)
	return each(visible[:min(first, len(visible))], func(e *model.Event) model.EventData { return e.Data }), err
}
