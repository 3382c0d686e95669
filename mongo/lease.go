package mongo

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"gamedata/mongo/conn"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

var (
	// ErrBusy means that another instance holds the lease.
	ErrBusy = errors.New("another instance is at work")
	// ErrLeaseLost means that another instance has taken the lease since.
	ErrLeaseLost = errors.New("another instance took over")
)

// leaseTerm is the default of Options.LeaseTerm. A holder extends its lease every third of the term.
const leaseTerm = 30 * time.Second

// leaseMargin is the fraction of the term, one tenth, before the end of a lease in which its holder must extend it
// before any call. These 3 seconds are longer than a command, so the last command ends within the lease.
const leaseMargin = 10

// Lease is the exclusive right to do some work for a time. Its record is never deleted: Epoch rises with every holder,
// so that late writes of an earlier holder can be rejected.
type Lease struct {
	Name   string    `bson:"_id"`
	Holder string    `bson:"holder"`
	Until  time.Time `bson:"until"`
	Epoch  int64     `bson:"epoch"`
	// Run identifies the run of the embedded server in which the lease was taken; empty with MongoDB.
	Run string `bson:"run,omitempty"`
}

// LeaseStore takes and extends leases.
type LeaseStore struct{ family }

// With runs work while it holds a lease; ErrBusy when another instance holds it. If the lease could not be extended in
// time, for example while this process was stopped, the next call of the store in work takes it again. If another
// instance has taken it since, the context of work is cancelled and the error is ErrLeaseLost. The data that work reads
// is up to date.
func (s *LeaseStore) With(ctx context.Context, name, holder string, work func(context.Context, *Lease) error) error {
	term := s.store.options.LeaseTerm
	lease, err := s.Take(ctx, name, holder, term)
	if err != nil {
		return err
	}
	if lease == nil {
		return fmt.Errorf("%s: %w", name, ErrBusy)
	}
	working, lost := context.WithCancelCause(conn.FromPrimary(ctx))
	defer lost(nil)
	h := &held{store: s, lease: lease, lost: lost}
	h.until.Store(&lease.Until)
	var extending sync.WaitGroup
	extending.Go(func() { h.extendUntilDone(working, term) })
	guard := func(context.Context) error { return h.ensure(working, term/leaseMargin, term) }
	err = work(conn.WithGuard(working, guard), lease)
	if cause := context.Cause(working); errors.Is(cause, ErrLeaseLost) {
		err = cause
	}
	lost(nil)
	extending.Wait()
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if released := s.extend(end, lease, time.Unix(0, 0)); err == nil && !errors.Is(released, ErrLeaseLost) {
		err = released
	}
	return err
}

// held is a lease while work runs under it.
type held struct {
	store *LeaseStore
	lease *Lease
	lost  context.CancelCauseFunc
	mu    sync.Mutex // held while the lease is extended
	until atomic.Pointer[time.Time]
}

func (h *held) lasts(least time.Duration) bool {
	return h.store.store.Now().Add(least).Before(*h.until.Load())
}

// ensure extends the lease, even one that has ended, for a term, unless it lasts for least.
func (h *held) ensure(ctx context.Context, least, term time.Duration) error {
	if h.lasts(least) {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.lasts(least) { // another call has extended it
		return nil
	}
	until, err := h.store.Extend(ctx, h.lease, term)
	switch {
	case err == nil:
		h.until.Store(&until)
	case errors.Is(err, ErrLeaseLost):
		h.lost(err)
	}
	return err
}

func (h *held) extendUntilDone(ctx context.Context, term time.Duration) {
	tick := time.NewTicker(term / 3)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			_ = h.ensure(ctx, term, term) // the next tick or call tries again
		}
	}
}

// Take takes a free lease for a term; nil when another instance holds it. A lease that was taken in an earlier run of
// the embedded server is free: its holder ended with the server.
func (s *LeaseStore) Take(ctx context.Context, name, holder string, term time.Duration) (*Lease, error) {
	server, err := s.store.hello(ctx)
	if err != nil {
		return nil, err
	}
	now := s.store.Now()
	free := bson.A{bson.D{{Key: "until", Value: bson.D{{Key: "$lte", Value: now}}}}}
	if server.Run != "" {
		free = append(free, bson.D{{Key: "run", Value: bson.D{{Key: "$ne", Value: server.Run}}}})
	}
	l := &Lease{Name: name, Holder: holder, Until: now.Add(term), Epoch: 1, Run: server.Run}
	var after Lease
	taken, err := s.db.Collection(Leases).FindOneAndUpdate(ctx,
		bson.D{{Key: "_id", Value: name}, {Key: "$or", Value: free}},
		bson.D{
			{Key: "$set", Value: bson.D{
				{Key: "holder", Value: holder}, {Key: "until", Value: l.Until}, {Key: "run", Value: l.Run},
			}},
			{Key: "$inc", Value: bson.D{{Key: "epoch", Value: int64(1)}}},
		},
		&after, options.FindOneAndUpdate().SetReturnDocument(options.After))
	switch {
	case err != nil:
		return nil, err
	case taken:
		return &after, nil
	}
	return s.insert(ctx, l)
}

// insert adds a lease that was never taken; nil when it exists. An upsert would do both, but engines report a lost race
// in different ways: as an error of the command, of a write, or not at all.
func (s *LeaseStore) insert(ctx context.Context, l *Lease) (*Lease, error) {
	found, err := s.Read(ctx, l.Name)
	if err != nil || found != nil {
		return nil, err
	}
	err = s.db.Collection(Leases).InsertOne(ctx, l)
	switch {
	case err == nil:
		return l, nil
	case errors.Is(err, ErrUnavailable):
		return nil, err
	}
	if found, readErr := s.Read(ctx, l.Name); readErr == nil && found != nil {
		return nil, nil // another instance was faster
	}
	return nil, err
}

// Read returns a lease as stored, nil if it was never taken.
func (s *LeaseStore) Read(ctx context.Context, name string) (*Lease, error) {
	found, err := find[Lease](ctx, s.db.Collection(Leases), bson.D{{Key: "_id", Value: name}})
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return found[0], nil
}

// Held reports whether a lease, which may be nil, is held now.
func (s *LeaseStore) Held(l *Lease) bool { return l != nil && l.Until.After(s.store.Now()) }

// Extend makes a lease last for a term from now, and returns its end. ErrLeaseLost when another instance has taken it
// since.
func (s *LeaseStore) Extend(ctx context.Context, l *Lease, term time.Duration) (until time.Time, err error) {
	if _, err = s.store.hello(ctx); err != nil {
		return until, err
	}
	until = s.store.Now().Add(term)
	return until, s.extend(ctx, l, until)
}

func (s *LeaseStore) extend(ctx context.Context, l *Lease, until time.Time) error {
	err := matchError(s.db.Collection(Leases).UpdateOne(ctx,
		bson.D{{Key: "_id", Value: l.Name}, {Key: "epoch", Value: l.Epoch}},
		bson.D{{Key: "$set", Value: bson.D{{Key: "until", Value: until}}}}))
	if errors.Is(err, ErrNotFound) {
		return ErrLeaseLost
	}
	return err
}

// RaiseEpoch gives every later holder of a lease a higher epoch than the given one, which was used elsewhere. The
// current holder loses the lease.
func (s *LeaseStore) RaiseEpoch(ctx context.Context, lease string, epoch int64) error {
	return retryUpsert(func() error {
		_, err := s.db.Collection(Leases).UpdateOne(ctx, bson.D{{Key: "_id", Value: lease}}, bson.D{
			{Key: "$max", Value: bson.D{{Key: "epoch", Value: epoch}}},
			{Key: "$set", Value: bson.D{{Key: "holder", Value: ""}, {Key: "until", Value: time.Unix(0, 0)}}},
		}, options.UpdateOne().SetUpsert(true))
		return err
	})
}
