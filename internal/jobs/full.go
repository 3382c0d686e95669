package jobs

import (
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
func (r *run) fullRefresh(played *time.Time) error {
	r.report.Full = true
	r.newPages, r.newDirectories, r.oldPages = nil, nil, nil // left by an incremental refresh that failed
	r.state.Unfinished = true
	if err := r.save(); err != nil {
		return err
	}
	if err := r.finishSeasons(); err != nil {
		return err
	}
	if err := r.clearFlags(); err != nil {
		return err
	}
	for _, d := range r.dirs {
		d.Pages = nil // large; each phase reads the pages of its own boards
	}
	if err := r.phase("standings", r.refreshStandings); err != nil {
		return err
	}
	if err := r.phase("boards", r.refreshBoards); err != nil {
		return err
	}
	if played != nil {
		if err := r.phase("positions", func(of mongo.Ranked) error { return r.writeRankings(of, *played) }); err != nil {
			return err
		}
	}
	if err := r.recordEvents(); err != nil {
		return err
	}
	r.state.Unfinished, r.state.RefreshedAt, r.state.FullAt = false, r.now, r.now
	return r.save()
}

// phase does the work of a phase for players, then for guilds.
func (r *run) phase(name string, work func(mongo.Ranked) error) error {
	begun := time.Now()
	for _, of := range []mongo.Ranked{mongo.RankedPlayers, mongo.RankedGuilds} {
		if err := work(of); err != nil {
			return err
		}
	}
	r.Log.Info("phase of a full refresh done", "phase", name, "took", time.Since(begun))
	return nil
}

// clearFlags clears all flags. No flag is lost: until this refresh ends, state.Unfinished causes another full one.
func (r *run) clearFlags() error {
	for _, of := range []mongo.Ranked{mongo.RankedPlayers, mongo.RankedGuilds} {
		if err := r.eachFlagged(of, func([]string) error { return nil }); err != nil {
			return err
		}
	}
	return nil
}

// maxDirectories limits the total entries of boards whose directories are in memory at once.
const maxDirectories = 10_000_000

// eachDirectories reads the directories of boards and passes them to work, some at a time.
func (r *run) eachDirectories(names []string, work func([]*mongo.Directory) error) error {
	counts, err := r.store.Boards.Counts(r.ctx, names)
	if err != nil {
		return err
	}
	for len(names) > 0 {
		n, sum := 1, counts[names[0]]
		for n < len(names) && sum+counts[names[n]] <= maxDirectories {
			sum += counts[names[n]]
			n++
		}
		list, err := r.store.Boards.Directories(r.ctx, names[:n])
		if err != nil {
			return err
		}
		if slices.Contains(list, nil) {
			return fmt.Errorf("%w: a board was deleted", mongo.ErrLeaseLost)
		}
		if err := work(list); err != nil {
			return err
		}
		names = names[n:]
	}
	return nil
}
