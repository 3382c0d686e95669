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
	// maxBuffered bounds the credentials in memory. A full buffer is flushed at once; until then the usage of further
	// credentials is not counted.
	maxBuffered = 10_000
)

// Usage counts the usage of credentials in memory and periodically writes it to the store.
type Usage struct {
	*base

	mu   sync.Mutex
	byID map[string]*usage
	full chan struct{} // has an element if the buffer should be flushed now

	// flushing is held during a flush; a caller that waits for it reads all usage.
	flushing sync.Mutex
	batch    mongo.UsageBatch // the last one; empty when it was written
}

type usage struct {
	last    time.Time
	charged map[string]int64 // by bucket
}

func newUsage(b *base) *Usage {
	return &Usage{
		base: b, byID: map[string]*usage{}, full: make(chan struct{}, 1), batch: mongo.UsageBatch{Instance: rand.Text()},
	}
}

func (u *Usage) add(id, bucket string, n int64, at time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	counted := u.byID[id]
	if counted == nil {
		if len(u.byID) >= maxBuffered {
			select {
			case u.full <- struct{}{}:
			default:
			}
			return
		}
		counted = &usage{charged: make(map[string]int64, 1)}
		u.byID[id] = counted
	}
	if n > 0 {
		counted.charged[bucket] += n
	}
	if at.After(counted.last) {
		counted.last = at
	}
}

func (u *Usage) take() map[string]*usage {
	u.mu.Lock()
	defer u.mu.Unlock()
	taken := u.byID
	u.byID = make(map[string]*usage, len(taken))
	return taken
}

// grantID is the id of a grant in usage records.
func grantID(app, account string) string { return app + " " + account }

// Count adds a request's charge to the usage of its token, or of its application and grant. For a session it records
// only the last use, for a guest nothing. It only writes to memory.
func (u *Usage) Count(v viewer.Viewer, bucket string, cost int) {
	switch v.Kind {
	case viewer.Session:
		u.add(v.Session, bucket, 0, u.now())
	case viewer.Token:
		u.add(v.Token, bucket, int64(cost), u.now())
	case viewer.OAuth:
		at := u.now()
		u.add(v.App, bucket, int64(cost), at)
		u.add(grantID(v.App, v.Account), bucket, int64(cost), at)
	}
}

// Flush writes counted usage to the store. After an error the next flush begins with the same batch; the store counts
// each batch once.
func (u *Usage) Flush(ctx context.Context) error {
	u.flushing.Lock()
	defer u.flushing.Unlock()
	if len(u.batch.Usage) > 0 {
		if err := u.store.Usage.Add(ctx, u.batch); err != nil {
			return err
		}
	}
	u.batch.Number++
	u.batch.Usage = nil
	for id, counted := range u.take() {
		u.batch.Usage = append(u.batch.Usage, mongo.UsageDelta{
			Credential: id, Last: counted.last.UTC().Truncate(time.Minute), Charged: counted.charged,
		})
	}
	err := u.store.Usage.Add(ctx, u.batch)
	if err == nil {
		u.batch.Usage = nil
	}
	return err
}

// StartFlusher flushes usage every few seconds in the background, and once more when stopped.
func (u *Usage) StartFlusher() (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		ticker := time.NewTicker(flushInterval)
		defer ticker.Stop()
		full := u.full
		for {
			select {
			case <-ticker.C:
			case <-full:
			case <-ctx.Done():
			}
			full = u.full
			flushCtx, cancel := context.WithTimeout(context.Background(), flushInterval)
			if err := u.Flush(flushCtx); err != nil {
				u.log.Warn("writing usage failed, trying again later", "error", err)
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
