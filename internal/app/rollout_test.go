package app_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"gamedata/internal/app"
	"gamedata/internal/auth"
	"gamedata/internal/config"
	"gamedata/internal/ratelimit"
	"gamedata/mongo"
	"gamedata/mongo/mongotest"
)

// rollout is a service of several instances behind a load balancer that checks readiness.
type rollout struct {
	t     *testing.T
	store *mongo.Store

	mu    sync.Mutex
	ready []*rolloutInstance
	next  int
}

type rolloutInstance struct {
	url     string
	stop    context.CancelFunc
	removed chan struct{} // closed when the load balancer has noticed that it drains
	ended   chan error
	sent    sync.WaitGroup // requests in flight
}

func (l *rollout) start() *rolloutInstance {
	var c config.Service
	set := pflag.NewFlagSet("serve", pflag.ContinueOnError)
	c.Add(set)
	if err := set.Parse([]string{"--request-timeout", "2m", "--queue-wait", "1m", "--guest-rate", "1000000"}); err != nil {
		l.t.Fatal(err)
	}
	log, removed := slog.New(slog.DiscardHandler), make(chan struct{})
	s, err := app.NewService(&c, app.Dependencies{
		Store: l.store, Accounts: auth.New(l.store, auth.Options{Pepper: "of a test, long enough for one", Log: log}),
		Counters: &app.Counters{Counters: ratelimit.New(ratelimit.Options{})}, Log: log,
		Sleep: func(time.Duration) { <-removed },
	})
	if err != nil {
		l.t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		l.t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	i := &rolloutInstance{
		url: "http://" + listener.Addr().String(), stop: stop, removed: removed, ended: make(chan error, 1),
	}
	go func() {
		err := s.Serve(ctx, listener, time.Second, time.Minute)
		s.Close()
		i.ended <- err
	}()
	return i
}

// check sends the instance requests once it is ready, until it is not.
func (l *rollout) check(i *rolloutInstance) {
	added := false
	for {
		res, err := client.Get(i.url + "/readyz")
		if err == nil {
			_, _ = io.Copy(io.Discard, res.Body)
			err = res.Body.Close()
		}
		l.mu.Lock()
		switch {
		case err == nil && res.StatusCode == http.StatusOK && !added:
			added = true
			l.ready = append(l.ready, i)
		case err == nil && res.StatusCode != http.StatusOK && added:
			for n, other := range l.ready {
				if other == i {
					l.ready = append(l.ready[:n:n], l.ready[n+1:]...)
					break
				}
			}
			l.mu.Unlock()
			i.sent.Wait() // those that were routed before
			close(i.removed)
			return
		}
		l.mu.Unlock()
		if err != nil {
			l.t.Errorf("health check: %v", err)
			return
		}
	}
}

// pick chooses the instances in turn; nil while none is ready. The caller calls sent.Done.
func (l *rollout) pick() *rolloutInstance {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.ready) == 0 {
		return nil
	}
	l.next++
	i := l.ready[l.next%len(l.ready)]
	i.sent.Add(1)
	return i
}

// send sends a request and reports whether the response ended the connection. The client does not send a POST again
// when its connection breaks.
func (i *rolloutInstance) send(ctx context.Context, c *http.Client, n int) (ended bool, err error) {
	defer i.sent.Done()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, i.url+"/graphql",
		strings.NewReader(fmt.Sprintf(`{"query":"query Q%d {leaderboards{nodes{type}}}"}`, n)))
	if err != nil {
		return false, err
	}
	r.Header.Set("Content-Type", "application/json")
	res, err := c.Do(r)
	if err != nil {
		return false, err
	}
	_, err = io.Copy(io.Discard, res.Body)
	if err = errors.Join(err, res.Body.Close()); err == nil && res.StatusCode != http.StatusOK {
		err = fmt.Errorf("status %d", res.StatusCode)
	}
	return res.Close, err
}

// Replacing all instances one after the other loses no request of clients with keep-alive connections.
func TestRollingRestartLosesNoRequest(t *testing.T) {
	t.Parallel()
	store, _ := mongotest.Open(t)
	l := &rollout{t: t, store: store}
	var checks, clients sync.WaitGroup
	launch := func() *rolloutInstance {
		i := l.start()
		checks.Go(func() { l.check(i) })
		return i
	}
	instances := []*rolloutInstance{launch(), launch()}
	var sent, closed atomic.Int64
	done := make(chan struct{})
	for n := range 8 {
		clients.Go(func() {
			transport := &http.Transport{}
			defer transport.CloseIdleConnections()
			c := &http.Client{Transport: transport, Timeout: time.Minute}
			for {
				select {
				case <-done:
					return
				default:
				}
				i := l.pick()
				if i == nil {
					continue
				}
				ended, err := i.send(t.Context(), c, n)
				if err != nil {
					t.Errorf("a request was lost: %v", err)
					return
				}
				sent.Add(1)
				if ended {
					closed.Add(1)
				}
			}
		})
	}
	more := func(n int64) {
		for goal, end := sent.Load()+n, time.Now().Add(30*time.Second); sent.Load() < goal && !t.Failed(); {
			if time.Sleep(time.Millisecond); time.Now().After(end) {
				t.Fatal("the clients stand still")
			}
		}
	}
	more(50)
	for n, old := range instances {
		instances[n] = launch()
		more(50)
		old.stop()
		if err := <-old.ended; err != nil {
			t.Error(err)
		}
		more(50)
	}
	close(done)
	clients.Wait()
	for _, i := range instances {
		i.stop()
		if err := <-i.ended; err != nil {
			t.Error(err)
		}
	}
	checks.Wait()
	if closed.Load() == 0 {
		t.Errorf("none of %d responses ended its connection", sent.Load())
	}
}
