package jobs

import (
	"context"
	"slices"
	"time"

	"gamedata/mongo"
)

// Sweep takes away what nobody needs: pages that no directory names, left by boards that
// are gone and by runs that broke off. Players and guilds that are gone
// become pending, so that the next refresh takes them off the boards. Leases stay: their
// epochs have to rise for ever.
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
	// Only pages of older leases: nobody who wrote them can name them any more.
	for after, end := int64(0), mongo.PageID(r.lease.Epoch, 0); ; {
		ids, err := r.store.BoardPageIDs(r.ctx, after, end, 10*batch)
		if err != nil || len(ids) == 0 {
			return err
		}
		after = ids[len(ids)-1]
		ids = slices.DeleteFunc(ids, func(id int64) bool { return named[id] })
		if err := r.store.DeleteBoardPages(r.ctx, ids); err != nil {
			return err
		}
		r.report.Removed += len(ids)
		r.progress("sweeping pages", r.report.Removed, 0)
	}
}

func (r *run) sweepStandings(of mongo.Ranked) error {
	for after := ""; ; {
		standing, err := r.store.StandingUUIDs(r.ctx, of, after, 10*batch)
		if err != nil || len(standing) == 0 {
			return err
		}
		living, err := r.store.UUIDsBetween(r.ctx, of, after, standing[len(standing)-1])
		if err != nil {
			return err
		}
		after = standing[len(standing)-1]
		gone := slices.DeleteFunc(standing, func(uuid string) bool {
			_, found := slices.BinarySearch(living, uuid)
			return found
		})
		if err := r.store.MarkStandingsPending(r.ctx, of, gone, r.lease.Epoch); err != nil {
			return err
		}
		r.report.Removed += len(gone)
	}
}
