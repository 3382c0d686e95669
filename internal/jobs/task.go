package jobs

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"gamedata/internal/leaderboard"
	"gamedata/mongo"
)

// waitInterval is the time after which an instance that has no task looks again.
var waitInterval = time.Second

func wait(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(waitInterval):
		return nil
	}
}

// Help works on a full refresh that another instance runs, until it ends. Without one it returns at once, with an empty
// report.
func Help(ctx context.Context, store *mongo.Store, o Options) (Report, error) {
	r := newRun(store, time.Time{}, o)
	r.ctx = ctx
	for {
		lease, err := store.Leases.Read(ctx, leaseName)
		if err != nil || lease == nil || lease.Holder == o.Holder || !lease.Until.After(time.Now()) {
			return r.report, err
		}
		for {
			done, err := r.workOnTask()
			if err != nil {
				return r.report, err
			}
			if done == nil {
				break
			}
			r.report.Full = true
			r.collect([]*mongo.BoardTask{done})
		}
		tasks, err := store.Boards.Tasks(ctx)
		if err != nil || len(tasks) == 0 {
			return r.report, err
		}
		if err := wait(ctx); err != nil {
			return r.report, err
		}
	}
}

// workOnTasks works until no task is free.
func (r *run) workOnTasks() error {
	for {
		if done, err := r.workOnTask(); err != nil || done == nil {
			return err
		}
	}
}

// workOnTask works on a task and returns it; nil if none is free.
func (r *run) workOnTask() (*mongo.BoardTask, error) {
	return r.store.Boards.WorkOnTask(r.ctx, r.holder, r.perform)
}

// perform does the work of a task with its epoch: if the claim is lost, what another instance writes for the same task
// is not overwritten.
func (r *run) perform(ctx context.Context, t *mongo.BoardTask) (mongo.BoardTaskResult, error) {
	if r.lease == nil && (r.catalogue == nil || r.helps != t.Refresh) {
		if err := r.readCatalogueOf(ctx, t); err != nil {
			return mongo.BoardTaskResult{}, err
		}
	}
	w := *r
	w.ctx, w.epoch, w.pageCount, w.now = ctx, t.Epoch, 0, t.At
	w.report, w.changed, w.dirs = Report{}, map[string]bool{}, map[string]*mongo.Directory{}
	w.newPages, w.newDirectories, w.oldPages = nil, nil, nil
	var entries map[string]int
	var err error
	switch t.Phase {
	case phaseStandings:
		entries, err = w.refreshStandings(t)
	case phaseBoards:
		err = w.refreshBoards(t)
	case phaseRanking:
		err = w.writeRankings(t, &previousRankings{since: t.Since})
	default:
		err = fmt.Errorf("unknown phase %d of a refresh: this program is older than that of the other instance", t.Phase)
	}
	return mongo.BoardTaskResult{
		Subjects: w.report.Players + w.report.Guilds, Pages: w.report.Pages, Rankings: w.report.Rankings,
		Changed: slices.Sorted(maps.Keys(w.changed)), Entries: entries,
	}, err
}

// readCatalogueOf reads the catalogue of a refresh that another instance runs.
func (r *run) readCatalogueOf(ctx context.Context, t *mongo.BoardTask) error {
	r.now = t.At
	if err := r.readCatalogue(ctx); err != nil {
		return err
	}
	for _, b := range r.catalogue.All {
		r.isFinal[b.Name] = r.ended(b)
	}
	r.helps = t.Refresh
	return nil
}

// boardsOf returns the names of the stored boards of players or guilds, in the order of the catalogue.
func (r *run) boardsOf(of mongo.Ranked) (names []string) {
	for _, b := range r.catalogue.All {
		if !b.Computed() && b.OfGuilds() == (of == mongo.RankedGuilds) {
			names = append(names, b.Name)
		}
	}
	return names
}

// maxDirectories bounds the entries of boards whose directories are in memory at once.
const maxDirectories = 10_000_000

// eachDirectories reads directories of boards, and runs work with some of them at a time.
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

// pageReader reads pages one after another, many with each command.
type pageReader struct {
	*run
	refs []mongo.PageRef // not read yet
	read [][]byte
}

// next returns the next page; nil if it is missing or damaged.
func (p *pageReader) next() (leaderboard.Page, error) {
	if len(p.read) == 0 {
		n := min(maxPages, len(p.refs))
		ids := make([]int64, n)
		for i, ref := range p.refs[:n] {
			ids[i] = ref.ID
		}
		var err error
		if p.read, err = p.store.Boards.Pages(p.ctx, ids); err != nil {
			return nil, err
		}
		p.refs = p.refs[n:]
	}
	page, err := leaderboard.ParsePage(p.read[0])
	p.read = p.read[1:]
	if err != nil {
		page = nil
	}
	return page, nil
}
