package jobs

import (
	"context"
	"errors"
	"time"

	"gamedata/mongo"
)

// Refresh updates all leaderboards; `ranking` is read from them. An incremental refresh looks at players who are online
// or flagged, at flagged guilds and at those players' guilds. A full refresh looks at everything; the first refresh is
// full, and so is the next one after an interrupted full refresh.
func Refresh(ctx context.Context, store *mongo.Store, now time.Time, o Options) (Report, error) {
	return start(ctx, store, now, o, func(ctx context.Context, r *run) error {
		full, allGuilds := o.Full || r.state.Unfinished || r.state.FullAt.IsZero(), false
		for _, b := range r.catalogue.All {
			if d := r.boards.dirs[b.Name]; d != nil && d.RefreshedAt == nil {
				full, allGuilds = full || b.Season == nil, true
			}
		}
		if !full {
			err := r.incrementalRefresh(ctx, allGuilds)
			if err == nil {
				if err := r.recordEvents(ctx); err != nil {
					return err
				}
				r.state.RefreshedAt = r.now
				return r.save(ctx)
			}
			if !errors.Is(err, errMissingPage) && !errors.Is(err, errManyChanges) {
				return err
			}
		}
		return r.fullRefresh(ctx, nil)
	})
}

const day = 24 * time.Hour

// RanksDue reports whether Ranks has not run on the day of now (UTC). There are no previous ranks on the day of the
// first refresh.
func (s State) RanksDue(now time.Time) bool {
	last := s.RanksAt
	if last.IsZero() {
		last = s.FullAt
	}
	return !last.IsZero() && last.Before(now.UTC().Truncate(day))
}

// SetRanked marks the ranks of a day as saved before the first refresh, for a generated world that has a past.
func SetRanked(ctx context.Context, store *mongo.Store, at time.Time) error {
	return store.SetMark(ctx, leaseName, State{RanksAt: at})
}

// Ranks saves the ranks of the day: after a full refresh it stores the positions as `previousRanking` of all guilds and
// of players who are online or joined since a day before the last run, so that long sessions count. The first run
// covers everybody. Other players keep the positions of the day when they last played.
func Ranks(ctx context.Context, store *mongo.Store, now time.Time, o Options) (Report, error) {
	return start(ctx, store, now, o, func(ctx context.Context, r *run) error {
		var since time.Time
		if last := r.state.RanksAt; !last.IsZero() && !last.After(r.now) {
			since = last.Add(-day)
		}
		if err := r.fullRefresh(ctx, &since); err != nil {
			return err
		}
		r.state.RanksAt = r.now
		return r.save(ctx)
	})
}
