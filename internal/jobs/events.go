package jobs

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"gamedata/graph/model"
	"gamedata/mongo"
)

// recordEvents logs the refresh of the leaderboards, and what began or ended since the last one. It runs before the new
// state is saved: after an interruption the next refresh repeats it, and keys prevent duplicate events for seasons and
// articles.
func (r *run) recordEvents(ctx context.Context) error {
	events := []mongo.NewEvent{{
		Key: fmt.Sprintf("leaderboards/%d", r.epoch), At: r.now,
		Data: &model.LeaderboardsRefreshed{Changed: slices.Sorted(maps.Keys(r.boards.changed))},
	}}
	if !r.since.IsZero() {
		more, err := r.beginnings(ctx)
		if err != nil {
			return err
		}
		events = append(events, more...)
	}
	return r.store.Events.Append(ctx, events...)
}

// beginnings returns the events of seasons that began or ended and of articles that appeared since the last refresh.
func (r *run) beginnings(ctx context.Context) (events []mongo.NewEvent, err error) {
	seasons, err := mongo.Seasons.Read(ctx, r.store)
	if err != nil {
		return nil, err
	}
	articles, err := mongo.Articles.Read(ctx, r.store)
	if err != nil {
		return nil, err
	}
	now := func(t time.Time) bool { return t.After(r.since) && !t.After(r.now) }
	for _, s := range seasons {
		if s.Enabled && now(s.StartsAt) {
			events = append(events, mongo.NewEvent{
				Key: fmt.Sprintf("season/%d/started", s.Number), At: s.StartsAt, Data: &model.SeasonStarted{Season: s.Number},
			})
		}
		if s.Enabled && s.EndsAt != nil && now(*s.EndsAt) {
			events = append(events, mongo.NewEvent{
				Key: fmt.Sprintf("season/%d/ended", s.Number), At: *s.EndsAt, Data: &model.SeasonEnded{Season: s.Number},
			})
		}
	}
	for _, a := range articles {
		if a.Published && a.Visible && now(a.StartsAt) {
			events = append(events, mongo.ArticleEvent(a))
		}
	}
	return events, nil
}
