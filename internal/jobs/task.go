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
func Help(ctx context.Context, store *mongo.Store, o Options) (report Report, err error) {
	w := &worker{job: newJob(ctx, store, time.Time{}, o), read: map[mongo.Ranked]int{}}
	for {
		lease, err := store.Leases.Read(ctx, leaseName)
		if err != nil || lease == nil || lease.Holder == o.Holder || !lease.Until.After(time.Now()) {
			return report, err
		}
		done, err := w.workOnTasks()
		for _, t := range done {
			report.Full = true
			report.add(t)
		}
		if err != nil {
			return report, err
		}
		tasks, err := store.Boards.Tasks(ctx)
		if err != nil || len(tasks) == 0 {
			return report, err
		}
		if err := wait(ctx); err != nil {
			return report, err
		}
	}
}

// worker works on the tasks of full refreshes.
type worker struct {
	job
	boards  *boardSet // at the time of a refresh
	refresh int64
	read    map[mongo.Ranked]int // records of the tasks that it has done
}

// workOnTasks works until no task is free, and returns the tasks that it has done.
func (w *worker) workOnTasks() (done []*mongo.BoardTask, err error) {
	for {
		t, err := w.store.Boards.WorkOnTask(w.ctx, w.Holder, w.perform)
		if err != nil || t == nil {
			return done, err
		}
		done = append(done, t)
	}
}

// perform does the work of a task with its epoch: if the claim is lost, what another instance writes for the same task
// is not overwritten.
func (w *worker) perform(ctx context.Context, claimed *mongo.BoardTask) (result mongo.BoardTaskResult, err error) {
	if w.boards == nil || w.refresh != claimed.Refresh {
		if w.boards, err = readBoardSet(ctx, w.store, claimed.At); err != nil {
			return result, err
		}
		w.refresh = claimed.Refresh
	}
	t := &task{BoardTask: claimed, read: w.read, writer: writer{
		job: w.job, boardSet: w.boards, epoch: claimed.Epoch, changed: map[string]bool{}, dirs: map[string]*mongo.Directory{},
	}}
	t.ctx, t.now = ctx, claimed.At
	switch t.Phase {
	case phaseStandings:
		result.Entries, err = t.refreshStandings()
	case phaseBoards:
		err = t.refreshBoards()
	case phaseRanking:
		err = t.writeRankings(&previousRankings{since: t.Since})
	default:
		err = fmt.Errorf("unknown phase %d of a refresh: this program is older than that of the other instance", t.Phase)
	}
	result.Subjects, result.Pages, result.Rankings = t.report.Players+t.report.Guilds, t.report.Pages, t.report.Rankings
	result.Changed = slices.Sorted(maps.Keys(t.changed))
	return result, err
}

// task is the work on a part of a full refresh.
type task struct {
	writer
	*mongo.BoardTask
	read map[mongo.Ranked]int
}

// maxDirectories bounds the entries of boards whose directories are in memory at once.
const maxDirectories = 10_000_000

// eachDirectories reads directories of boards, and runs work with some of them at a time.
func (t *task) eachDirectories(names []string, work func([]*mongo.Directory) error) error {
	counts, err := t.store.Boards.Counts(t.ctx, names)
	if err != nil {
		return err
	}
	for len(names) > 0 {
		n, sum := 1, counts[names[0]]
		for n < len(names) && sum+counts[names[n]] <= maxDirectories {
			sum += counts[names[n]]
			n++
		}
		list, err := t.store.Boards.Directories(t.ctx, names[:n])
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
	job
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
