// Package jobs does the scheduled work: it refreshes leaderboards, saves the ranks of the day, counts records for the
// statistics and sweeps stale records. Each job is a function of store and time that holds a lease while it works. It
// can be interrupted at any point: the next run finishes the work. The caller schedules the jobs.
package jobs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"gamedata/internal/history"
	"gamedata/mongo"
)

// Options configure a job.
type Options struct {
	// Holder names the instance in the lease.
	Holder string
	// Full recomputes everything instead of what changed.
	Full bool
	// Retention is how long History stores points, history.DefaultRetention if zero.
	Retention history.Retention
	// Progress, when set, is called often with the progress of a step. A total of 0 is unknown.
	Progress func(step string, done, total int)
	// Log receives the phases of a full refresh; nil discards them.
	Log *slog.Logger
	// TempDir is the directory of temporary files, os.TempDir if empty. A full refresh writes what it cannot sort in
	// SortMemory bytes, 32 MiB if 0, to a file there.
	TempDir    string
	SortMemory int
	createTemp func() (file, error) // instead of a file in TempDir, for tests
	// MaxChanges is the most flagged players or guilds that an incremental refresh takes, 500,000 if 0. It lists them
	// in memory; if there are more, the refresh is full.
	MaxChanges int
}

// Report counts what a job did.
type Report struct {
	// Full reports whether everything was recomputed.
	Full bool `json:"full"`
	// Players and Guilds are the numbers of records examined.
	Players int `json:"players"`
	Guilds  int `json:"guilds"`
	// Pages is the number of board pages written, Rankings the number of records with a new previousRanking.
	Pages    int `json:"pages"`
	Rankings int `json:"rankings"`
	// Removed is the number of records swept, Points the number of points of history written.
	Removed int `json:"removed"`
	Points  int `json:"points"`
}

// String returns a summary of what was examined and changed.
func (r Report) String() string {
	text := fmt.Sprintf("looked at %d players and %d guilds", r.Players, r.Guilds)
	for _, done := range []struct {
		n    int
		what string
	}{
		{r.Pages, "wrote %d pages of leaderboards"},
		{r.Rankings, "saved the positions of %d players and guilds"},
		{r.Points, "recorded %d points of history"},
		{r.Removed, "removed %d leftovers"},
	} {
		if done.n > 0 {
			text += ", " + fmt.Sprintf(done.what, done.n)
		}
	}
	return text
}

// State is the progress of the jobs, stored under leaseName.
type State struct {
	// RefreshedAt is the time of the last refresh, FullAt of the last full one, RanksAt of the last
	// Ranks, SweptAt of the last Sweep; zero before the first.
	RefreshedAt, FullAt, RanksAt, SweptAt time.Time
	// Unfinished is set while a full refresh runs. If it is interrupted, the next one is full again.
	Unfinished bool
}

// ReadState reads the state of the jobs.
func ReadState(ctx context.Context, store *mongo.Store) (State, error) {
	var s State
	_, err := store.ReadMark(ctx, leaseName, &s)
	return s, err
}

// leaseName is the lease of all jobs: they write the same boards.
const leaseName = "leaderboards"

// WithLease runs work while no job runs and passes it the lease's epoch. It returns mongo.ErrBusy if a job is running.
func WithLease(ctx context.Context, store *mongo.Store, holder string,
	work func(ctx context.Context, epoch int64) error,
) error {
	return store.Leases.With(ctx, leaseName, holder, func(ctx context.Context, lease *mongo.Lease) error {
		return work(ctx, lease.Epoch)
	})
}

// WhileIdle runs read, which reads the jobs' records, and passes it the epoch of their lease. It writes nothing. It
// returns mongo.ErrBusy if a job ran during the read, which may then be inconsistent.
func WhileIdle(ctx context.Context, store *mongo.Store, read func(ctx context.Context, epoch int64) error) error {
	before, err := idleEpoch(ctx, store)
	if err != nil {
		return err
	}
	if err := read(ctx, before); err != nil {
		return err
	}
	after, err := idleEpoch(ctx, store)
	if err == nil && after != before {
		err = fmt.Errorf("%s: %w", leaseName, mongo.ErrBusy)
	}
	return err
}

// idleEpoch returns the epoch of the jobs' lease, 0 if it was never taken. It returns mongo.ErrBusy if the lease is
// held.
func idleEpoch(ctx context.Context, store *mongo.Store) (int64, error) {
	lease, err := store.Leases.Read(ctx, leaseName)
	switch {
	case err != nil || lease == nil:
		return 0, err
	case store.Leases.Held(lease):
		return 0, fmt.Errorf("%s: %w", leaseName, mongo.ErrBusy)
	}
	return lease.Epoch, nil
}

// RaiseEpoch prepares a store for leaderboards that another store wrote under epochs up to epoch.
func RaiseEpoch(ctx context.Context, store *mongo.Store, epoch int64) error {
	return store.Leases.RaiseEpoch(ctx, leaseName, epoch)
}

type job struct {
	Options
	store *mongo.Store
	now   time.Time
}

func newJob(store *mongo.Store, now time.Time, o Options) job {
	o.Retention = cmp.Or(o.Retention, history.DefaultRetention)
	o.SortMemory = cmp.Or(o.SortMemory, sortMemory)
	o.MaxChanges = cmp.Or(o.MaxChanges, maxChanges)
	if o.createTemp == nil {
		o.createTemp = createIn(o.TempDir)
	}
	if o.Progress == nil {
		o.Progress = func(string, int, int) {}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return job{o, store, now.UTC().Truncate(time.Millisecond)}
}

// run is one run of a job. It holds the lease and changes boards and standings under the lease's epoch.
type run struct {
	job
	*boardSet
	epoch  int64
	state  State
	since  time.Time // of the last refresh
	boards *pageWriter
	report Report
}

// start takes the lease, reads what every job needs, fences the boards against instances that lost the
// lease, and runs work.
func start(ctx context.Context, store *mongo.Store, now time.Time, o Options, work func(context.Context, *run) error,
) (Report, error) {
	var report Report
	err := store.Leases.With(ctx, leaseName, o.Holder, func(ctx context.Context, lease *mongo.Lease) (err error) {
		r := &run{job: newJob(store, now, o), epoch: lease.Epoch, boards: &pageWriter{
			store: &store.Boards, epoch: lease.Epoch, changed: map[string]bool{}, dirs: map[string]*mongo.Directory{},
		}}
		defer func() {
			report = r.report
			report.Pages = r.boards.written
		}()
		if r.state, err = ReadState(ctx, store); err != nil {
			return err
		}
		r.since = r.state.RefreshedAt
		if err := r.readBoards(ctx); err != nil {
			return err
		}
		return work(ctx, r)
	})
	return report, err
}

// readBoards reads the boards and their directories, and fences them with the epoch of the lease.
func (r *run) readBoards(ctx context.Context) (err error) {
	if r.boardSet, err = readBoardSet(ctx, r.store, r.now); err != nil {
		return err
	}
	if err := r.store.Boards.Fence(ctx, r.names, r.epoch); err != nil {
		return err
	}
	// An interrupted run may have replaced directories without announcing them.
	if err := r.store.Boards.Announce(ctx); err != nil {
		return err
	}
	found, err := r.store.Boards.AllDirectories(ctx)
	if err != nil {
		return err
	}
	for _, d := range found {
		if slices.Contains(r.names, d.Board) {
			r.boards.dirs[d.Board] = d
			continue
		}
		// The season of this board is no longer shown. If it is shown again, its board is rebuilt.
		if err := r.store.Boards.DeleteDirectory(ctx, d.Board, r.epoch); err != nil {
			return err
		}
	}
	for name := range r.final {
		d := r.boards.dirs[name]
		r.final[name] = d != nil && d.RefreshedAt != nil && !d.RefreshedAt.Before(*r.catalogue.Named(name).Season.EndsAt)
	}
	if len(r.boards.dirs) < len(r.names) {
		return fmt.Errorf("%w: a board was deleted", mongo.ErrLeaseLost)
	}
	return nil
}

func (r *run) save(ctx context.Context) error { return r.store.SetMark(ctx, leaseName, r.state) }

// errManyChanges means that too many players or guilds changed: a full refresh is cheaper.
var errManyChanges = errors.New("too many changes for an incremental refresh")

// errMissingPage means that a directory names a page that does not exist.
var errMissingPage = errors.New("a page of a board is missing")
