package jobs

import (
	"context"
	"slices"
	"time"

	"gamedata/mongo"
)

// sweepBatch is how many ids a sweep reads at once.
const sweepBatch = 10 * batch

// Sweep deletes pages that no directory names, left by deleted boards and interrupted runs. It marks deleted players
// and guilds as pending, so that the next refresh removes them from the boards, and deletes API tokens that expired a
// month ago. Leases stay, because their epochs must keep rising.
func Sweep(ctx context.Context, store *mongo.Store, now time.Time, o Options) (Report, error) {
	return start(ctx, store, now, o, func(ctx context.Context, r *run) error {
		if err := r.sweepBoards(ctx); err != nil {
			return err
		}
		for _, of := range []mongo.Ranked{mongo.RankedPlayers, mongo.RankedGuilds} {
			if err := r.sweepStandings(ctx, of); err != nil {
				return err
			}
		}
		expired, err := store.Accounts.DeleteExpiredTokens(ctx, r.now.Add(-expiredTokenAge))
		if err != nil {
			return err
		}
		r.report.Removed += expired
		r.state.SweptAt = r.now
		return r.save(ctx)
	})
}

func (r *run) sweepBoards(ctx context.Context) error {
	named := map[int64]bool{}
	for _, d := range r.boards.dirs {
		for _, p := range d.Pages {
			named[p.ID] = true
		}
	}
	// Only pages of older leases: their writers can no longer name them.
	end := mongo.PageID(r.epoch, 0)
	for ids, err := range r.store.Boards.PageIDs(ctx, end, sweepBatch) {
		if err != nil {
			return err
		}
		ids = slices.DeleteFunc(ids, func(id int64) bool { return named[id] })
		if err := r.store.Boards.DeletePages(ctx, ids); err != nil {
			return err
		}
		r.report.Removed += len(ids)
		r.Progress("sweeping pages", r.report.Removed, 0)
	}
	return nil
}

// expiredTokenAge is how long an owner's list still shows an expired API token.
const expiredTokenAge = 30 * 24 * time.Hour

func (r *run) sweepStandings(ctx context.Context, of mongo.Ranked) error {
	before := ""
	for uuids, err := range r.store.Standings.UUIDs(ctx, of, sweepBatch) {
		if err != nil {
			return err
		}
		last := uuids[len(uuids)-1]
		existing, err := r.store.Scores.UUIDsBetween(ctx, of, before, last)
		if err != nil {
			return err
		}
		before = last
		deleted := slices.DeleteFunc(uuids, func(uuid string) bool {
			_, found := slices.BinarySearch(existing, uuid)
			return found
		})
		if deleted, err = r.withoutFinal(ctx, of, deleted); err != nil {
			return err
		}
		if err := r.store.Standings.MarkPending(ctx, of, deleted, r.epoch); err != nil {
			return err
		}
		r.report.Removed += len(deleted)
	}
	return nil
}
