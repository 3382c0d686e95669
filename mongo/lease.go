package mongo

import (
	"context"
	"errors"
	"fmt"
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

// leaseTerm is how long a lease is taken for. A holder extends it every third of that time. It bounds
// how long others wait for an instance that died.
const leaseTerm = 30 * time.Second

// leaseMargin is how long before the end of its lease a holder stops. It is more than the time of a command, so that
// the last one has ended, and than the difference of two synchronised clocks.
const leaseMargin = 3 * time.Second

// Lease is the exclusive right to do some work for a time. Its record is never deleted: Epoch rises
// with every holder, so that late writes of an earlier one can be rejected.
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

// With runs work while it holds a lease. ErrBusy when another holds it. The context of work is
// cancelled when the lease is lost; then the error is ErrLeaseLost. What work reads is up to date.
func (s *LeaseStore) With(ctx context.Context, name, holder string, work func(context.Context, *Lease) error) error {
	now := time.Now()
	lease, err := s.Take(ctx, name, holder, now, now.Add(leaseTerm))
	if err != nil {
		return err
	}
	if lease == nil {
		return fmt.Errorf("%s: %w", name, ErrBusy)
	}
	err = whileHeld(ctx, lease.Until, func(ctx context.Context, until time.Time) error {
		return s.Extend(ctx, lease, until)
	}, func(ctx context.Context) error { return work(ctx, lease) })
	end, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if released := s.Extend(end, lease, time.Unix(0, 0)); err == nil && !errors.Is(released, ErrLeaseLost) {
		err = released
	}
	return err
}

// whileHeld runs work while it holds a lease until some time, and extends it. The context of work is cancelled
// when it is lost; then the error is ErrLeaseLost. What work reads is up to date.
func whileHeld(ctx context.Context, until time.Time, extend func(context.Context, time.Time) error,
	work func(context.Context) error,
) error {
	working, stop := context.WithCancelCause(conn.FromPrimary(ctx))
	defer stop(nil)
	extended := make(chan struct{})
	go func() {
		defer close(extended)
		extendUntilDone(working, until, stop, extend)
	}()
	err := work(working)
	if cause := context.Cause(working); errors.Is(cause, ErrLeaseLost) {
		err = cause
	}
	stop(nil)
	<-extended
	return err
}

// extendUntilDone extends a lease or claim until ctx is done. It calls lost when another took it, or, leaseMargin
// before its end, when it could not be extended: as during a long election, or when this instance is cut off.
func extendUntilDone(ctx context.Context, until time.Time, lost context.CancelCauseFunc,
	extend func(context.Context, time.Time) error,
) {
	tick := time.NewTicker(leaseTerm / 3)
	defer tick.Stop()
	end := time.NewTimer(time.Until(until) - leaseMargin)
	defer end.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-end.C:
			lost(ErrLeaseLost)
			return
		case <-tick.C:
			until := time.Now().Add(leaseTerm)
			switch err := extend(ctx, until); {
			case err == nil:
				end.Reset(time.Until(until) - leaseMargin)
			case errors.Is(err, ErrLeaseLost):
				lost(ErrLeaseLost)
				return
			}
		}
	}
}

// Take takes a lease that is free at the time now; nil when another holds it. A lease that was taken
// in an earlier run of the embedded server is free: its holder ended with that server.
func (s *LeaseStore) Take(ctx context.Context, name, holder string, now, until time.Time) (*Lease, error) {
	run, err := s.serverRun(ctx)
	if err != nil {
		return nil, err
	}
	free := bson.A{bson.D{{Key: "until", Value: bson.D{{Key: "$lte", Value: now}}}}}
	if run != "" {
		free = append(free, bson.D{{Key: "run", Value: bson.D{{Key: "$ne", Value: run}}}})
	}
	var l Lease
	taken, err := s.db.Collection(Leases).FindOneAndUpdate(ctx,
		bson.D{{Key: "_id", Value: name}, {Key: "$or", Value: free}},
		bson.D{
			{Key: "$set", Value: bson.D{
				{Key: "holder", Value: holder}, {Key: "until", Value: until}, {Key: "run", Value: run},
			}},
			{Key: "$inc", Value: bson.D{{Key: "epoch", Value: int64(1)}}},
		},
		&l, options.FindOneAndUpdate().SetReturnDocument(options.After))
	switch {
	case err != nil:
		return nil, err
	case taken:
		return &l, nil
	}
	return s.insert(ctx, &Lease{Name: name, Holder: holder, Until: until, Epoch: 1, Run: run})
}

// insert adds a lease that was never taken; nil when it exists. An upsert would do both, but how an
// engine reports that another one came first differs: as error of the command, of a write, or of none.
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

// serverRun identifies the run of the embedded server; empty with MongoDB.
func (s *LeaseStore) serverRun(ctx context.Context) (string, error) {
	var hello struct {
		Run string `bson:"serverRun"`
	}
	err := s.db.Run(ctx, bson.D{{Key: "hello", Value: 1}}, &hello)
	return hello.Run, err
}

// Read returns a lease as stored, nil if it was never taken. It is held until its Until.
func (s *LeaseStore) Read(ctx context.Context, name string) (*Lease, error) {
	found, err := find[Lease](ctx, s.db.Collection(Leases), bson.D{{Key: "_id", Value: name}})
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return found[0], nil
}

// Extend moves the end of a lease: into the future to keep it, into the past to release it.
// ErrLeaseLost when another took it since.
func (s *LeaseStore) Extend(ctx context.Context, l *Lease, until time.Time) error {
	err := matchError(s.db.Collection(Leases).UpdateOne(ctx,
		bson.D{{Key: "_id", Value: l.Name}, {Key: "epoch", Value: l.Epoch}},
		bson.D{{Key: "$set", Value: bson.D{{Key: "until", Value: until}}}}))
	if errors.Is(err, ErrNotFound) {
		return ErrLeaseLost
	}
	return err
}

// RaiseEpoch gives every later holder of a lease a higher epoch than one that was used elsewhere. The
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
