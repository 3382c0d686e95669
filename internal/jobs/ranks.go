package jobs

import (
	"context"
	"time"

	"gamedata/mongo"
)

// day is how long a position stays that of the day before.
const day = 24 * time.Hour

// RanksDue tells whether the positions of the day of now (UTC) are still to be kept. The day
// of the first refresh has none before it.
func (s State) RanksDue(now time.Time) bool {
	kept := s.RanksAt
	if kept.IsZero() {
		kept = s.FullAt
	}
	return !kept.IsZero() && kept.Before(now.UTC().Truncate(day))
}

// Ranks keeps the positions of the day: after a full refresh, `previousRanking` becomes
// `ranking` for all guilds and for players in use lately, those who are online or joined
// since the day before the last run, so that a long session counts. Whoever was away keeps
// the positions from when they were last in use (SPEC §2).
func Ranks(ctx context.Context, store *mongo.Store, now time.Time, o Options) (Report, error) {
	return start(ctx, store, now, o, func(r *run) error {
		last := r.state.RanksAt
		if last.IsZero() || last.After(r.now) {
			last = r.now
		}
		if err := r.everything(last.Add(-day)); err != nil {
			return err
		}
		r.state.RanksAt = r.now
		return r.save()
	})
}

// MarkRanksDone says of a store that its `previousRanking` is that of the day of now already.
func MarkRanksDone(ctx context.Context, store *mongo.Store, now time.Time, o Options) error {
	_, err := start(ctx, store, now, o, func(r *run) error {
		r.state.RanksAt = r.now
		return r.save()
	})
	return err
}
