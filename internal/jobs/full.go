package jobs

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gamedata/mongo"
)

// batch is the number of players or guilds read and written at once.
const batch = 1000

// fullRefresh recomputes everything:
//
//  1. update the standings to match the records;
//  2. sort the entries of the standings, and write the changed pages;
//  3. if played is not nil, write the positions as previousRanking of everyone who has played since.
//
// It needs memory only for a batch of records and a sorter. If it is interrupted, the next refresh starts over.
func (r *run) fullRefresh(ctx context.Context, played *time.Time) error {
	r.report.Full = true
	r.boards.discard() // left by an incremental refresh that failed
	r.state.Unfinished = true
	if err := r.save(ctx); err != nil {
		return err
	}
	if err := r.finishSeasons(ctx); err != nil {
		return err
	}
	if err := r.clearFlags(ctx); err != nil {
		return err
	}
	for _, d := range r.boards.dirs {
		d.Pages = nil // large; each phase reads the pages of its own boards
	}
	if err := r.phase(ctx, "standings", r.refreshStandings); err != nil {
		return err
	}
	if err := r.phase(ctx, "boards", r.refreshBoards); err != nil {
		return err
	}
	if played != nil {
		if err := r.phase(ctx, "positions", func(ctx context.Context, of mongo.Ranked) error {
			return r.writeRankings(ctx, of, *played)
		}); err != nil {
			return err
		}
	}
	if err := r.recordEvents(ctx); err != nil {
		return err
	}
	r.state.Unfinished, r.state.RefreshedAt, r.state.FullAt = false, r.now, r.now
	return r.save(ctx)
}

// phase does the work of a phase for players, then for guilds.
func (r *run) phase(ctx context.Context, name string, work func(context.Context, mongo.Ranked) error) error {
	begun := time.Now()
	for _, of := range []mongo.Ranked{mongo.RankedPlayers, mongo.RankedGuilds} {
		if err := work(ctx, of); err != nil {
			return err
		}
	}
	r.Log.Info("phase of a full refresh done", "phase", name, "took", time.Since(begun))
	return nil
}

// clearFlags clears all flags. No flag is lost: until this refresh ends, state.Unfinished causes another full one.
func (r *run) clearFlags(ctx context.Context) error {
	for _, of := range []mongo.Ranked{mongo.RankedPlayers, mongo.RankedGuilds} {
		if err := r.eachFlagged(ctx, of, func([]string) error { return nil }); err != nil {
			return err
		}
	}
	return nil
}

// maxEntries limits the total entries of boards whose directories are in memory at once.
const maxEntries = 10_000_000

// eachBoard calls work with the directory of each board and a reader of its pages.
func (r *run) eachBoard(ctx context.Context, names []string, work func(*mongo.Directory, *pageReader) error) error {
	counts, err := r.store.Boards.Counts(ctx, names)
	if err != nil {
		return err
	}
	for len(names) > 0 {
		n, sum := 1, counts[names[0]]
		for n < len(names) && sum+counts[names[n]] <= maxEntries {
			sum += counts[names[n]]
			n++
		}
		list, err := r.store.Boards.Directories(ctx, names[:n])
		if err != nil {
			return err
		}
		if slices.Contains(list, nil) {
			return fmt.Errorf("%w: a board was deleted", mongo.ErrLeaseLost)
		}
		pages := newPageReader(&r.store.Boards, list...)
		for _, d := range list {
			if err := work(d, pages); err != nil {
				return err
			}
		}
		names = names[n:]
	}
	return nil
}
