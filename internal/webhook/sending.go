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
	// maxSending limits the concurrent requests in each lane.
	maxSending = 256
	// Limits for one account in each lane, and for one host in the slow lane.
	quickOfAccount = 4
	slowOfAccount  = 2
	slowOfHost     = 64
	// A request is slow once it takes slowAfter. A receiver is slow if one of the last deliveries was slow or failed.
	slowAfter = time.Second
)

// sending limits concurrent requests. Slow receivers delay only other slow receivers.
type sending struct{ quick, slow lane }

func newSending() *sending {
	return &sending{newLane(quickOfAccount, maxSending), newLane(slowOfAccount, slowOfHost)}
}

// acquire waits until a request to a webhook may be sent; release ends it. If a request in the quick lane turns out to
// be slow, it moves to the slow lane: the next quick request starts at once, and the account's next slow request waits
// for it.
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

// shares holds a semaphore of the same size for each key in use.
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
