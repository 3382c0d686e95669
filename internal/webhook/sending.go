package webhook

import (
	"context"
	"net/url"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"gamedata/graph/model"
)

const (
	// maxSending is how many requests are sent at once in each lane.
	maxSending = 256
	// Shares of one account in each lane, and of one host in the lane of slow receivers.
	quickOfAccount = 4
	slowOfAccount  = 2
	slowOfHost     = 64
	// A request is slow when it has taken slowAfter. A receiver is slow if one of the last deliveries was slow or
	// failed.
	slowAfter = time.Second
)

// sending limits the requests that are sent at once, so that slow receivers delay only slow receivers.
type sending struct{ quick, slow lane }

func newSending() *sending {
	return &sending{newLane(quickOfAccount, maxSending), newLane(slowOfAccount, slowOfHost)}
}

// acquire waits until a request to a webhook may be sent. release ends it. A request in the lane of quick receivers
// that turns out to be slow moves to the other lane: the next quick one begins at once, the next slow one of the
// account waits for it.
func (s *sending) acquire(ctx context.Context, hook *model.Webhook) (release func(), err error) {
	if slices.ContainsFunc(hook.Deliveries, func(d *model.WebhookDelivery) bool {
		return d.Error != nil || d.Milliseconds >= int(slowAfter.Milliseconds())
	}) {
		return s.slow.acquire(ctx, hook)
	}
	leave, err := s.quick.acquire(ctx, hook)
	if err != nil {
		return nil, err
	}
	sent, done := context.WithCancel(context.WithoutCancel(ctx))
	timer := time.AfterFunc(slowAfter, func() {
		leave()
		if moved, err := s.slow.acquire(sent, hook); err == nil {
			<-sent.Done()
			moved()
		}
	})
	return func() {
		done()
		if timer.Stop() {
			leave()
		}
	}, nil
}

// lane limits requests by account, by host and in total.
type lane struct{ accounts, hosts, all *shares }

func newLane(ofAccount, ofHost int64) lane {
	return lane{newShares(ofAccount), newShares(ofHost), newShares(maxSending)}
}

func (l lane) acquire(ctx context.Context, hook *model.Webhook) (release func(), err error) {
	var held []func()
	release = func() {
		for _, leave := range held {
			leave()
		}
	}
	host := ""
	if u, err := url.Parse(hook.URL); err == nil {
		host = u.Host
	}
	for _, limit := range []struct {
		of  *shares
		key string
	}{{l.accounts, hook.Account}, {l.hosts, host}, {l.all, ""}} {
		leave, err := limit.of.acquire(ctx, limit.key)
		if err != nil {
			release()
			return nil, err
		}
		held = append(held, leave)
	}
	return release, nil
}

// shares are semaphores of one size, one for each key that is in use.
type shares struct {
	size int64
	mu   sync.Mutex
	of   map[string]*share
}

func newShares(size int64) *shares { return &shares{size: size, of: map[string]*share{}} }

type share struct {
	*semaphore.Weighted
	users int
}

func (s *shares) acquire(ctx context.Context, key string) (release func(), err error) {
	s.mu.Lock()
	found := s.of[key]
	if found == nil {
		found = &share{Weighted: semaphore.NewWeighted(s.size)}
		s.of[key] = found
	}
	found.users++
	s.mu.Unlock()
	leave := func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if found.users--; found.users == 0 {
			delete(s.of, key)
		}
	}
	if err := found.Acquire(ctx, 1); err != nil {
		leave()
		return nil, err
	}
	return func() { found.Release(1); leave() }, nil
}
