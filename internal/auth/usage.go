package auth

import (
	"context"
	"crypto/rand"
	"sync"
	"time"

	"gamedata/graph/viewer"
	"gamedata/mongo"
)

const (
	// flushInterval is how long usage stays in memory before it is written to the store.
	flushInterval = 10 * time.Second
	// maxBuffered bounds the credentials in memory. When that many have unwritten usage the buffer is
	// flushed at once, and the usage of further ones is not counted until it was.
	maxBuffered = 10_000
)

// usageBuffer sums up the usage of credentials that is not in the store yet.
type usageBuffer struct {
	mu   sync.Mutex
	byID map[string]*usage
	full chan struct{} // has an element if the buffer should be flushed now

	// flushing is held during a flush, so that a caller that waits for it reads all usage.
	flushing sync.Mutex
	batch    mongo.UsageBatch // the last one; empty when it was written
}

type usage struct {
	last    time.Time
	charged map[string]int64 // by bucket
}

func newUsageBuffer() *usageBuffer {
	return &usageBuffer{
		byID: map[string]*usage{}, full: make(chan struct{}, 1), batch: mongo.UsageBatch{Instance: rand.Text()},
	}
}

func (b *usageBuffer) add(id, bucket string, n int64, at time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	u := b.byID[id]
	if u == nil {
		if len(b.byID) >= maxBuffered {
			select {
			case b.full <- struct{}{}:
			default:
			}
			return
		}
		u = &usage{charged: make(map[string]int64, 1)}
		b.byID[id] = u
	}
	if n > 0 {
		u.charged[bucket] += n
	}
	if at.After(u.last) {
		u.last = at
	}
}

func (b *usageBuffer) take() map[string]*usage {
	b.mu.Lock()
	defer b.mu.Unlock()
	taken := b.byID
	b.byID = make(map[string]*usage, len(taken))
	return taken
}

// grantID is the id of a grant in usage records.
func grantID(app, account string) string { return app + " " + account }

// CountUsage adds what a request was charged to the usage of its token, or of its application and grant. Of a session
// it records the last use only, of a guest nothing. It only writes to memory.
func (a *Accounts) CountUsage(v viewer.Viewer, bucket string, cost int) {
	switch v.Kind {
	case viewer.Session:
		a.usage.add(v.Session, bucket, 0, a.now())
	case viewer.Token:
		a.usage.add(v.Token, bucket, int64(cost), a.now())
	case viewer.OAuth:
		at := a.now()
		a.usage.add(v.App, bucket, int64(cost), at)
		a.usage.add(grantID(v.App, v.Account), bucket, int64(cost), at)
	}
}

// FlushUsage writes counted usage to the store. After an error the next flush begins with the same batch, which the
// store counts once.
func (a *Accounts) FlushUsage(ctx context.Context) error {
	b := a.usage
	b.flushing.Lock()
	defer b.flushing.Unlock()
	if len(b.batch.Usage) > 0 {
		if err := a.store.Tokens.AddUsage(ctx, b.batch); err != nil {
			return err
		}
	}
	b.batch.Number++
	b.batch.Usage = nil
	for id, u := range b.take() {
		b.batch.Usage = append(b.batch.Usage, mongo.UsageDelta{
			Credential: id, Last: u.last.UTC().Truncate(time.Minute), Charged: u.charged,
		})
	}
	err := a.store.Tokens.AddUsage(ctx, b.batch)
	if err == nil {
		b.batch.Usage = nil
	}
	return err
}

// StartUsageFlusher flushes usage every few seconds in the background, and once more when stopped.
func (a *Accounts) StartUsageFlusher() (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		ticker := time.NewTicker(flushInterval)
		defer ticker.Stop()
		full := a.usage.full
		for {
			select {
			case <-ticker.C:
			case <-full:
			case <-ctx.Done():
			}
			full = a.usage.full
			flushCtx, cancel := context.WithTimeout(context.Background(), flushInterval)
			if err := a.FlushUsage(flushCtx); err != nil {
				a.log.Warn("writing usage failed, trying again later", "error", err)
				full = nil // a failing store is not retried before the next tick
			}
			cancel()
			if ctx.Err() != nil {
				return
			}
		}
	}()
	return func() { cancel(); <-done }
}
