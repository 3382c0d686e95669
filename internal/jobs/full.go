package jobs

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"gamedata/mongo"
)

// A full refresh computes everything anew, in three phases:
//
//  1. by ranges of uuids: the standings are made to match the records;
//  2. by groups of boards: the entries that the standings list are sorted, and pages that differ are written;
//  3. once a day, by ranges of uuids: the positions are written as previousRanking.
//
// A phase consists of tasks in the store. The instance that holds the lease creates them and works on them; others
// join it (Help). The tasks of a phase are created when those of the phase before are done. Tasks that are done stay
// so when the refresh is interrupted: the next one goes on. It does not need the memory of more than a batch of
// records and a sorter.
const (
	phaseStandings = iota + 1
	phaseBoards
	phaseRanking
)

// batch is the number of players or guilds read and written at once.
const batch = 1000

const (
	// rangeSize is how many players or guilds a range of phase 1 has, unless there are too many ranges.
	rangeSize = 10_000
	maxRanges = 256
	// maxPlanAge is how old an interrupted refresh can be that is still finished, and not begun again.
	maxPlanAge = day
)

// plan is a full refresh that has not ended.
type plan struct {
	// ID identifies its tasks.
	ID int64
	// At is when it began.
	At time.Time
	// Boards are the boards that it computes.
	Boards []string
	// Phase is the phase whose tasks are in the store, Tasks how many there are of all phases.
	Phase, Tasks int
}

// fullRefresh recomputes all boards. With previous it also writes previousRanking. It goes on with one that was
// interrupted, unless restart is set.
func (r *run) fullRefresh(previous *previousRankings, restart bool) error {
	r.report.Full = true
	err := r.tryFullRefresh(previous, restart)
	if errors.Is(err, errMissingPage) || errors.Is(err, errManyChanges) { // since the tasks that were done
		err = r.tryFullRefresh(previous, true)
	}
	return err
}

func (r *run) tryFullRefresh(previous *previousRankings, restart bool) error {
	r.newPages, r.newDirectories, r.oldPages = nil, nil, nil // left by an incremental refresh that failed
	if !r.state.Unfinished {
		r.state.Unfinished = true
		if err := r.save(); err != nil {
			return err
		}
	}
	finished, err := r.finishSeasons()
	if err != nil {
		return err
	}
	resumed := false
	if !restart && !finished {
		if resumed, err = r.resume(); err != nil {
			return err
		}
	}
	if !resumed {
		if err := r.begin(); err != nil {
			return err
		}
	}
	for _, d := range r.dirs {
		d.Pages = nil // many; tasks read those of their boards
	}
	tasks, err := r.phases(previous, resumed)
	if err != nil {
		return err
	}
	for _, t := range tasks {
		r.report.add(t)
		for _, name := range t.Result.Changed {
			r.changed[name] = true
		}
	}
	if err := r.recordEvents(); err != nil {
		return err
	}
	r.state.Unfinished, r.state.Plan, r.state.RefreshedAt, r.state.FullAt = false, nil, r.now, r.now
	if err := r.save(); err != nil {
		return err
	}
	return r.store.Boards.DeleteTasks(r.ctx, 0)
}

// phases runs the phases that are not done and returns all tasks.
func (r *run) phases(previous *previousRankings, resumed bool) ([]*mongo.BoardTask, error) {
	tasks, err := r.runPhase(phaseStandings, nil, r.standingTasks)
	if err != nil {
		return nil, err
	}
	if tasks, err = r.runPhase(phaseBoards, tasks, r.boardTasks); err != nil {
		return nil, err
	}
	if resumed {
		// Tasks that were done before the interruption have missed the changes since.
		if err := r.readBoards(); err != nil {
			return nil, err
		}
		if err := r.incrementalRefresh(false); err != nil {
			return nil, err
		}
	}
	switch {
	case previous == nil:
	case previous.invent != nil:
		return tasks, r.inventRankings(previous)
	default:
		tasks, err = r.runPhase(phaseRanking, tasks, func(before []*mongo.BoardTask) ([]*mongo.BoardTask, error) {
			return r.rankingTasks(before, previous.since), nil
		})
	}
	return tasks, err
}

// begin plans a new refresh and creates the tasks of its first phase.
func (r *run) begin() error {
	r.state.Plan = nil
	if err := r.save(); err != nil {
		return err
	}
	// No flag is lost: until this refresh ends, state.Unfinished causes another full one.
	for _, of := range []mongo.Ranked{mongo.RankedPlayers, mongo.RankedGuilds} {
		for flagged, err := range r.flagged(of) {
			if err == nil {
				err = r.store.Scores.ClearFlags(r.ctx, of, flagged)
			}
			if err != nil {
				return err
			}
		}
	}
	if err := r.store.Boards.DeleteTasks(r.ctx, 0); err != nil {
		return err
	}
	r.state.Plan = &plan{ID: r.lease.Epoch, At: r.now, Boards: r.live()}
	return nil
}

// resume makes the tasks of an interrupted refresh free, if it can be finished: it computes the same boards, is not too
// old, and its tasks are in the store.
func (r *run) resume() (bool, error) {
	p := r.state.Plan
	if p == nil || !slices.Equal(p.Boards, r.live()) || r.now.Before(p.At) || r.now.Sub(p.At) > maxPlanAge {
		return false, nil
	}
	if err := r.store.Boards.DeleteTasks(r.ctx, p.Phase+1); err != nil {
		return false, err
	}
	tasks, err := r.store.Boards.Tasks(r.ctx)
	if err != nil {
		return false, err
	}
	if len(tasks) != p.Tasks || slices.ContainsFunc(tasks, func(t *mongo.BoardTask) bool { return t.Refresh != p.ID }) {
		return false, nil
	}
	tasks = slices.DeleteFunc(tasks, func(t *mongo.BoardTask) bool { return t.Done })
	if err := r.assignEpochs(tasks); err != nil {
		return false, err
	}
	return true, r.store.Boards.RenewTasks(r.ctx, tasks)
}

// assignEpochs reserves epochs for the claims of tasks.
func (r *run) assignEpochs(tasks []*mongo.BoardTask) error {
	if len(tasks) == 0 {
		return nil
	}
	first, err := r.store.Leases.ReserveEpochs(r.ctx, r.lease, int64(len(tasks)*mongo.BoardTaskClaims))
	if err != nil {
		return err
	}
	for i, t := range tasks {
		t.First = first + int64(i*mongo.BoardTaskClaims)
		t.Epoch = t.First
	}
	return nil
}

// runPhase creates the tasks of a phase, unless they are in the store, works until all are done, and returns the tasks
// so far. create gets those of the phases before.
func (r *run) runPhase(phase int, before []*mongo.BoardTask,
	create func(before []*mongo.BoardTask) ([]*mongo.BoardTask, error),
) ([]*mongo.BoardTask, error) {
	p, begun := r.state.Plan, time.Now()
	if p.Phase < phase {
		tasks, err := create(before)
		if err != nil {
			return nil, err
		}
		for i, t := range tasks {
			t.ID = fmt.Sprintf("%d/%04d", phase, i)
			t.Refresh, t.Phase, t.At = p.ID, phase, p.At
		}
		if err := r.assignEpochs(tasks); err != nil {
			return nil, err
		}
		if err := r.store.Boards.InsertTasks(r.ctx, tasks); err != nil {
			return nil, err
		}
		p.Phase, p.Tasks = phase, p.Tasks+len(tasks)
		if err := r.save(); err != nil {
			return nil, err
		}
	}
	w := &worker{job: r.job, boards: r.boardSet, refresh: p.ID, read: map[mongo.Ranked]int{}}
	for {
		if _, err := w.workOnTasks(); err != nil {
			return nil, err
		}
		tasks, err := r.store.Boards.Tasks(r.ctx)
		if err != nil {
			return nil, err
		}
		foreign := func(t *mongo.BoardTask) bool { return t.Refresh != p.ID }
		if len(tasks) < p.Tasks || slices.ContainsFunc(tasks, foreign) { // another instance has taken the lease
			return nil, mongo.ErrLeaseLost
		}
		if !slices.ContainsFunc(tasks, func(t *mongo.BoardTask) bool { return !t.Done }) {
			tasks = slices.DeleteFunc(tasks, func(t *mongo.BoardTask) bool { return t.Phase > phase })
			r.Log.Info("phase of a full refresh done", "phase", phase, "of", phaseRanking, "tasks", len(tasks)-len(before),
				"instances", len(holders(tasks[len(before):])), "took", time.Since(begun))
			return tasks, nil
		}
		if err := wait(r.ctx); err != nil {
			return nil, err
		}
	}
}

// holders returns the instances that worked on tasks.
func holders(tasks []*mongo.BoardTask) []string {
	out := map[string]bool{}
	for _, t := range tasks {
		out[t.Holder] = true
	}
	return slices.Sorted(maps.Keys(out))
}

// add adds the result of a task.
func (r *Report) add(t *mongo.BoardTask) {
	r.Pages += t.Result.Pages
	r.Rankings += t.Result.Rankings
	if t.Of == mongo.RankedGuilds {
		r.Guilds += t.Result.Subjects
	} else {
		r.Players += t.Result.Subjects
	}
}

// standingTasks returns the tasks of phase 1: ranges of players and of guilds.
func (r *run) standingTasks([]*mongo.BoardTask) (tasks []*mongo.BoardTask, err error) {
	for _, of := range []mongo.Ranked{mongo.RankedPlayers, mongo.RankedGuilds} {
		n, err := r.store.Census.Estimate(r.ctx, string(of))
		if err != nil {
			return nil, err
		}
		tasks = append(tasks, ranges(of, min(1+int(n)/r.RangeSize, maxRanges))...)
	}
	return tasks, nil
}

// ranges returns tasks that share the uuids.
func ranges(of mongo.Ranked, n int) (tasks []*mongo.BoardTask) {
	for i := range n {
		tasks = append(tasks, &mongo.BoardTask{Of: of, From: i * uuidPrefixes / n, To: (i + 1) * uuidPrefixes / n})
	}
	return tasks
}

// uuidPrefixes is the number of values of the first two bytes of a uuid.
const uuidPrefixes = 1 << 16

// uuidRange returns the uuids of a task as a range: those after the first up to the second, unbounded if empty.
func (t *task) uuidRange() (after, last string) {
	if t.From > 0 {
		after = fmt.Sprintf("%04x", t.From)
	}
	if t.To < uuidPrefixes {
		last = fmt.Sprintf("%04x", t.To)
	}
	return after, last
}

// boardTasks returns the tasks of phase 2: groups of boards with equally many entries. Each reads all standings once,
// so there are only as many as instances have worked on phase 1.
func (r *run) boardTasks(before []*mongo.BoardTask) ([]*mongo.BoardTask, error) {
	entries := map[string]int{}
	for _, t := range before {
		for name, n := range t.Result.Entries {
			entries[name] += n
		}
	}
	groups, guilds := make([]*mongo.BoardTask, len(holders(before))), &mongo.BoardTask{Of: mongo.RankedGuilds}
	size := make([]int, len(groups))
	for i := range groups {
		groups[i] = &mongo.BoardTask{Of: mongo.RankedPlayers}
	}
	live := r.state.Plan.Boards
	for _, name := range slices.SortedStableFunc(slices.Values(live), func(a, b string) int {
		return cmp.Compare(entries[b], entries[a])
	}) {
		if r.catalogue.Named(name).OfGuilds() {
			guilds.Boards = append(guilds.Boards, name)
			continue
		}
		least := slices.Index(size, slices.Min(size))
		groups[least].Boards = append(groups[least].Boards, name)
		size[least] += entries[name] + 1
	}
	return append(groups, guilds), nil
}

// rankingTasks returns the tasks of phase 3. Each reads all boards once, so there are as many as instances have worked.
func (r *run) rankingTasks(before []*mongo.BoardTask, since time.Time) []*mongo.BoardTask {
	tasks := append(ranges(mongo.RankedPlayers, len(holders(before))), ranges(mongo.RankedGuilds, 1)...)
	for _, t := range tasks {
		t.Since = since
	}
	return tasks
}
