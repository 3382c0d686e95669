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
	return start(ctx, store, now, o, func(r *run) error {
		if err := r.sweepBoards(); err != nil {
			return err
		}
		for _, of := range []mongo.Ranked{mongo.RankedPlayers, mongo.RankedGuilds} {
			if err := r.sweepStandings(of); err != nil {
				return err
			}
		}
		if err := r.sweepTokens(); err != nil {
			return err
		}
		r.state.SweptAt = r.now
		return r.save()
	})
}

func (r *run) sweepBoards() error {
	named := map[int64]bool{}
	for _, d := range r.dirs {
		for _, p := range d.Pages {
			named[p.ID] = true
		}
	}
	// Only pages of older leases: their writers can no longer name them.
	end := mongo.PageID(r.epoch, 0)
	for ids, err := range r.store.Boards.PageIDs(r.ctx, end, sweepBatch) {
		if err != nil {
			return err
		}
		ids = slices.DeleteFunc(ids, func(id int64) bool { return named[id] })
		if err := r.store.Boards.DeletePages(r.ctx, ids); err != nil {
			return err
		}
		r.report.Removed += len(ids)
		r.Progress("sweeping pages", r.report.Removed, 0)
	}
	return nil
}

// expiredTokenAge is how long an owner's list still shows an expired API token.
const expiredTokenAge = 30 * 24 * time.Hour

func (r *run) sweepTokens() error {
	n, err := r.store.Accounts.DeleteExpiredTokens(r.ctx, r.now.Add(-expiredTokenAge))
	r.report.Removed += n
	return err
}

func (r *run) sweepStandings(of mongo.Ranked) error {
	before := ""
	for uuids, err := range r.store.Standings.UUIDs(r.ctx, of, sweepBatch) {
		if err != nil {
			return err
		}
		last := uuids[len(uuids)-1]
		existing, err := r.store.Scores.UUIDsBetween(r.ctx, of, before, last)
		if err != nil {
			return err
		}
		before = last
		deleted := slices.DeleteFunc(uuids, func(uuid string) bool {
			_, found := slices.BinarySearch(existing, uuid)
			return found
		})
		if deleted, err = r.withoutFinal(of, deleted); err != nil {
			return err
		}
		if err := r.store.Standings.MarkPending(r.ctx, of, deleted, r.epoch); err != nil {
			return err
		}
		r.report.Removed += len(deleted)
	}
	return nil
}
