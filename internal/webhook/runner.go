// Package webhook delivers events to the addresses that accounts registered: at least once, in order for each webhook,
// signed according to Standard Webhooks.
package webhook

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/graph-gophers/dataloader/v7"

	"gamedata/graph/model"
	"gamedata/internal/events"
	"gamedata/mongo"
)

const leaseName = "webhooks"

// Options configure a Runner. Store, Hub, Holder and Visible are required.
type Options struct {
	Store  *mongo.Store
	Hub    *events.Hub
	Holder string // names this process in the lease
	// Origin is the public address of the service, without a slash at its end, for links in messages.
	Origin string
	// Visible filters and redacts events for the viewer in the context.
	Visible func(context.Context, []*model.Event) ([]*model.Event, error)
	// Interval is how often the holder of the lease checks for changed webhooks, 2 s when 0. Other instances try to
	// take the lease half as often.
	Interval time.Duration
	// Observe is called after each attempt, with the time since the event was recorded; may be nil.
	Observe func(delivered bool, lag time.Duration)
	// Now is the clock; the store's when nil. Wait waits for some time or until ctx ends; a timer when nil.
	Now  func() time.Time
	Wait func(ctx context.Context, d time.Duration) error
	Log  *slog.Logger // slog.Default() when nil
}

// Runner delivers to all webhooks while its instance holds the lease.
type Runner struct {
	sender  *Sender
	o       Options
	sending *sending
	owners  *dataloader.Loader[string, *model.Account] // reads the accounts of many webhooks at once
	states  *dataloader.Loader[*worker, struct{}]      // writes the states of many webhooks at once
	active  atomic.Int64
	failing atomic.Bool // reading or writing webhooks fails; logged once
}

// New returns a runner.
func New(sender *Sender, o Options) *Runner {
	o.Log = cmp.Or(o.Log, slog.Default())
	o.Interval = cmp.Or(o.Interval, 2*time.Second)
	if o.Now == nil {
		o.Now = o.Store.Now
	}
	if o.Wait == nil {
		o.Wait = wait
	}
	if o.Observe == nil {
		o.Observe = func(bool, time.Duration) {}
	}
	r := &Runner{sender: sender, o: o, sending: newSending()}
	r.owners, r.states = batched(ownerWait, r.readOwners), batched(stateWait, r.writeStates)
	return r
}

const (
	// ownerWait is how long a read of owners waits for more workers with the same event, stateWait how long a write of
	// states waits for other workers.
	ownerWait, stateWait = 5 * time.Millisecond, 100 * time.Millisecond
	// maxBatch limits the owners that one command reads and the states that one transaction writes.
	maxBatch = 500
)

// batched returns a loader that caches nothing.
func batched[K comparable, V any](wait time.Duration, run func(context.Context, []K) []*dataloader.Result[V],
) *dataloader.Loader[K, V] {
	return dataloader.NewBatchedLoader(func(ctx context.Context, keys []K) []*dataloader.Result[V] {
		return run(context.WithoutCancel(ctx), keys) // ctx belongs to one worker only
	}, dataloader.WithCache(&dataloader.NoCache[K, V]{}), dataloader.WithWait[K, V](wait),
		dataloader.WithBatchCapacity[K, V](maxBatch))
}

func (r *Runner) readOwners(ctx context.Context, ids []string) []*dataloader.Result[*model.Account] {
	found, err := r.o.Store.Accounts.ByID(ctx, ids)
	results := make([]*dataloader.Result[*model.Account], len(ids))
	for i := range ids {
		results[i] = &dataloader.Result[*model.Account]{Error: err}
		if err == nil {
			results[i].Data = found[i]
		}
	}
	return results
}

// writeStates writes the webhook states of workers. A worker's error is ErrNotFound if since its read the webhook was
// changed or deleted, or another instance delivered an event. What was delivered to a changed webhook is written.
func (r *Runner) writeStates(ctx context.Context, workers []*worker) []*dataloader.Result[struct{}] {
	ids, results := make([]string, len(workers)), make([]*dataloader.Result[struct{}], len(workers))
	for i, w := range workers {
		ids[i], results[i] = w.hook.Key, &dataloader.Result[struct{}]{}
	}
	err := r.o.Store.Transact(mongo.FromPrimary(ctx), func(ctx context.Context) error {
		found, err := r.o.Store.Webhooks.ByID(ctx, ids)
		if err != nil {
			return err
		}
		var changes []mongo.Change
		for i, w := range workers {
			stored := found[i]
			results[i].Error = mongo.ErrNotFound
			if stored == nil || !stored.DeliveredTo.Equal(w.stored.DeliveredTo) {
				continue
			}
			after := mongo.Clone(stored)
			if stored.Version == w.stored.Version {
				after.WebhookState, results[i].Error = w.hook.WebhookState, nil
			} else {
				after.DeliveredTo, after.Recent = w.hook.DeliveredTo, w.hook.Recent
			}
			changes = append(changes, mongo.Save(stored, after))
		}
		return r.o.Store.Apply(ctx, changes...)
	})
	for _, result := range results {
		if err != nil {
			result.Error = err
		}
	}
	return results
}

func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Active returns the number of webhooks that this instance delivers to.
func (r *Runner) Active() int { return int(r.active.Load()) }

// Run delivers until ctx ends, while this instance holds the lease. It finishes requests in progress.
func (r *Runner) Run(ctx context.Context) {
	for ctx.Err() == nil {
		r.report(r.hold(ctx))
		_ = wait(ctx, 2*r.o.Interval)
	}
}

// hold takes the lease if there are webhooks, and delivers while it is held.
func (r *Runner) hold(ctx context.Context) error {
	enabled, err := r.o.Store.Webhooks.Enabled(ctx)
	if err != nil || len(enabled) == 0 {
		return err
	}
	return r.o.Store.Leases.With(ctx, leaseName, r.o.Holder, func(ctx context.Context, _ *mongo.Lease) error {
		return r.deliver(ctx)
	})
}

// report logs an unexpected error, once until work succeeds again.
func (r *Runner) report(err error) {
	for _, expected := range []error{
		mongo.ErrBusy, mongo.ErrLeaseLost, mongo.ErrNotFound, events.ErrClosed, context.Canceled,
	} {
		if errors.Is(err, expected) {
			return
		}
	}
	if failed := err != nil; r.failing.Swap(failed) != failed && failed {
		r.o.Log.Warn("delivering to webhooks failed", "error", err)
	}
}

// job is a running worker.
type job struct {
	version int64
	stop    context.CancelFunc
	done    chan struct{}
}

// deliver runs a worker for each enabled webhook until there are none. A changed webhook gets a new worker once its old
// worker has ended.
func (r *Runner) deliver(ctx context.Context) error {
	jobs := map[string]job{}
	var running sync.WaitGroup
	ctx, stopAll := context.WithCancel(ctx)
	defer func() { stopAll(); running.Wait(); r.active.Store(0) }()
	for ctx.Err() == nil {
		enabled, err := r.o.Store.Webhooks.Enabled(ctx)
		if err != nil || len(enabled) == 0 {
			return err
		}
		for id, j := range jobs {
			if version, ok := enabled[id]; !ok || version != j.version {
				j.stop()
			}
			select {
			case <-j.done:
				delete(jobs, id)
			default:
			}
		}
		for id, version := range enabled {
			if _, ok := jobs[id]; ok {
				continue
			}
			working, stop := context.WithCancel(ctx)
			j := job{version, stop, make(chan struct{})}
			jobs[id] = j
			running.Go(func() {
				defer stop()
				defer close(j.done)
				r.report(r.work(working, id))
			})
		}
		r.active.Store(int64(len(jobs)))
		_ = wait(ctx, r.o.Interval)
	}
	return nil
}

func (r *Runner) work(ctx context.Context, id string) error {
	found, err := r.o.Store.Webhooks.ByID(ctx, []string{id})
	if err != nil || found[0] == nil {
		return err
	}
	w := &worker{Runner: r, hook: found[0], stored: *found[0]}
	return w.run(ctx)
}
