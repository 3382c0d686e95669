package auth

import (
	"context"
	"maps"
	"sync"
	"time"

	"gamedata/graph/viewer"
	"gamedata/mongo"
)

const (
	// flushEvery is how long a use may wait in memory before the store is told.
	flushEvery = 10 * time.Second
	// maxUsed bounds the credentials whose use waits in memory: when so many wait the store is
	// told at once, and the use of further ones is not counted until it was.
	maxUsed = 10_000
)

// uses is what credentials were used for and the store does not know yet.
type uses struct {
	mu   sync.Mutex
	of   map[string]*use
	full chan struct{} // holds one when the store should be told before its time
	// telling is held while the store is told, so that who waits for it finds all told.
	telling sync.Mutex
}

type use struct {
	last    time.Time
	charged map[string]int64 // by bucket
}

func newUses() *uses { return &uses{of: map[string]*use{}, full: make(chan struct{}, 1)} }

func (u *uses) add(of, bucket string, n int64, at time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	one := u.of[of]
	if one == nil {
		if len(u.of) >= maxUsed {
			select {
			case u.full <- struct{}{}:
			default:
			}
			return
		}
		one = &use{charged: make(map[string]int64, 1)}
		u.of[of] = one
	}
	one.charged[bucket] += n
	if at.After(one.last) {
		one.last = at
	}
}

// take empties the memory.
func (u *uses) take() map[string]*use {
	u.mu.Lock()
	defer u.mu.Unlock()
	out := u.of
	u.of = make(map[string]*use, len(out))
	return out
}

// grantID names a grant among the credentials that are used.
func grantID(app, account string) string { return app + " " + account }

// Count notes what a request was charged. It asks nobody and takes no time to speak of; guests
// and sessions are not counted.
func (a *Accounts) CountUsage(v viewer.Viewer, bucket string, cost int) {
	switch v.Kind {
	case viewer.Token:
		a.used.add(v.Token, bucket, int64(cost), a.now())
	case viewer.OAuth:
		at := a.now()
		a.used.add(v.App, bucket, int64(cost), at)
		a.used.add(grantID(v.App, v.Account), bucket, int64(cost), at)
	}
}

// FlushUsage tells the store what Count noted. What it could not be told waits for the next time,
// and is counted twice if the store knew after all.
func (a *Accounts) FlushUsage(ctx context.Context) error {
	a.used.telling.Lock()
	defer a.used.telling.Unlock()
	waiting := a.used.take()
	list := make([]mongo.UsageDelta, 0, len(waiting))
	for of, u := range waiting {
		list = append(list, mongo.UsageDelta{Credential: of, Last: u.last.UTC().Truncate(time.Minute), Charged: u.charged})
	}
	err := a.store.AddUsage(ctx, list)
	if err != nil {
		for of, u := range waiting {
			for bucket, n := range maps.All(u.charged) {
				a.used.add(of, bucket, n, u.last)
			}
		}
	}
	return err
}

// StartUsageFlusher tells the store every few seconds, and a last time when it is stopped.
func (a *Accounts) StartUsageFlusher() (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		every := time.NewTicker(flushEvery)
		defer every.Stop()
		hurry := a.used.full
		for {
			select {
			case <-every.C:
			case <-hurry:
			case <-ctx.Done():
			}
			hurry = a.used.full
			told, end := context.WithTimeout(context.Background(), flushEvery)
			if err := a.FlushUsage(told); err != nil {
				a.log.Warn("the use of credentials is not noted yet", "error", err)
				hurry = nil // asking a lost store again at once helps nobody
			}
			end()
			if ctx.Err() != nil {
				return
			}
		}
	}()
	return func() { cancel(); <-done }
}
