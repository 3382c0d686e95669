package webhook

import (
	"context"
	"net/url"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"gamedata/graph/model"
)

const (
	// maxSending is how many requests are sent at once, to receivers that respond soon and as many to slow ones.
	maxSending = 256
	// Shares of the slow receivers of one account, and of one host.
	slowOfAccount = 2
	slowOfHost    = 64
	// A receiver is slow if it took slowAfter for the last request, also when it succeeded, or if that failed.
	slowAfter = time.Second
)

// sending limits the requests that are sent at once, so that slow receivers delay only slow receivers.
type sending struct {
	soon, slow     *semaphore.Weighted
	accounts, host shares
}

func newSending() *sending {
	return &sending{
		soon: semaphore.NewWeighted(maxSending), slow: semaphore.NewWeighted(maxSending),
		accounts: shares{size: slowOfAccount, of: map[string]*share{}},
		host:     shares{size: slowOfHost, of: map[string]*share{}},
	}
}

// acquire waits until a request to a webhook may be sent. release ends it.
func (s *sending) acquire(ctx context.Context, hook *model.Webhook) (release func(), err error) {
	if len(hook.Deliveries) > 0 {
		if d := hook.Deliveries[0]; d.Error == nil && d.Milliseconds < int(slowAfter.Milliseconds()) {
			return func() { s.soon.Release(1) }, s.soon.Acquire(ctx, 1)
		}
	}
	account, err := s.accounts.acquire(ctx, hook.Account)
	if err != nil {
		return nil, err
	}
	var name string
	if u, err := url.Parse(hook.URL); err == nil {
		name = u.Host
	}
	host, err := s.host.acquire(ctx, name)
	if err != nil {
		account()
		return nil, err
	}
	leave := func() { host(); account() }
	if err := s.slow.Acquire(ctx, 1); err != nil {
		leave()
		return nil, err
	}
	return func() { s.slow.Release(1); leave() }, nil
}

// shares are semaphores of one size, one for each key that is in use.
type shares struct {
	size int64
	mu   sync.Mutex
	of   map[string]*share
}

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
