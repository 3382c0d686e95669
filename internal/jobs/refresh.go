package jobs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"gamedata/internal/leaderboard"
	"gamedata/mongo"
)

// Options say how a job runs.
type Options struct {
	// Holder names the instance in the lease.
	Holder string
	// Full computes everything anew instead of what changed.
	Full bool
	// Progress, when set, is told how far a step of the work is. It is called often.
	Progress func(step string, done, total int)
}

// run is one run of a job.
type run struct {
	ctx       context.Context
	store     *mongo.Store
	now       time.Time
	lease     *mongo.Lease
	state     State
	catalogue *leaderboard.Catalogue
	names     []string // of all boards that are stored
	dirs      map[string]*mongo.Directory
	page      uint32             // pages named so far
	fresh     []*mongo.BoardPage // not written yet
	swaps     []*mongo.Directory // to write once their pages are
	old       []int64            // pages to delete once the directories are written
	progress  func(step string, done, total int)
	report    Report
}

// start takes the lease, reads what every job needs, fences the boards against instances
// that lost it, and works.
func start(ctx context.Context, store *mongo.Store, now time.Time, o Options, work func(*run) error) (Report, error) {
	r := &run{
		store: store, now: now.UTC().Truncate(time.Millisecond), dirs: map[string]*mongo.Directory{},
		progress: o.Progress,
	}
	if r.progress == nil {
		r.progress = func(string, int, int) {}
	}
	err := store.WithLease(ctx, leaseName, o.Holder, func(ctx context.Context, lease *mongo.Lease) (err error) {
		r.ctx, r.lease = ctx, lease
		if r.state, err = ReadState(ctx, store); err != nil {
			return err
		}
		if err := r.readBoards(); err != nil {
			return err
		}
		return work(r)
	})
	return r.report, err
}

func (r *run) readBoards() error {
	seasons, err := r.store.Seasons(r.ctx)
	if err != nil {
		return err
	}
	r.catalogue = leaderboard.NewCatalogue(seasons, r.now)
	for _, b := range r.catalogue.All {
		if !b.Computed() {
			r.names = append(r.names, b.Name)
		}
	}
	if err := r.store.FenceBoards(r.ctx, r.names, r.lease.Epoch); err != nil {
		return err
	}
	found, err := r.store.AllDirectories(r.ctx)
	if err != nil {
		return err
	}
	for _, d := range found {
		if slices.Contains(r.names, d.Board) {
			r.dirs[d.Board] = d
			continue
		}
		// The season of this board is not shown any more. Were it shown again, the board would
		// be made anew.
		if err := r.store.DeleteDirectory(r.ctx, d.Board, r.lease.Epoch); err != nil {
			return err
		}
	}
	if len(r.dirs) < len(r.names) {
		return fmt.Errorf("%w: a board is gone", mongo.ErrLeaseLost)
	}
	return nil
}

func (r *run) save() error { return r.store.SetMark(r.ctx, stateKey, r.state) }

// errDamaged says that a directory names a page that is not there.
var errDamaged = errors.New("a page of a board is missing")

// Refresh brings all leaderboards and `ranking` up to the moment now. It looks at players who
// are online or flagged, at flagged guilds and those of the players; a full refresh looks at
// everybody, which is what the first one does, and one after a full one that broke off.
//
// An incremental refresh computes the ranking of those it looks at. Whoever it does not look
// at keeps positions that may have shifted since, until the next full refresh, which Ranks
// does every day; the boards themselves are exact.
func Refresh(ctx context.Context, store *mongo.Store, now time.Time, o Options) (Report, error) {
	return start(ctx, store, now, o, func(r *run) error {
		full, allGuilds := o.Full || r.state.Unfinished || r.state.FullAt.IsZero(), false
		for _, b := range r.catalogue.All {
			if d := r.dirs[b.Name]; d != nil && d.RefreshedAt == nil {
				full, allGuilds = full || b.Season == nil, true
			}
		}
		if !full {
			err := r.changes(allGuilds)
			if err == nil {
				r.state.RefreshedAt = r.now
				return r.save()
			}
			if !errors.Is(err, errDamaged) {
				return err
			}
		}
		return r.everything(time.Time{})
	})
}
