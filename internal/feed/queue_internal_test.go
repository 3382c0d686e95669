package feed

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"gamedata/mongo"
)

// turns is an apply that takes a second and notes the keys of the events that it applies together.
type turns struct {
	mu   sync.Mutex
	made []string
	fail func(keys string) error
}

func (t *turns) apply(_ context.Context, events []Sent) ([]Outcome, error) {
	time.Sleep(time.Second)
	outcomes, keys := make([]Outcome, len(events)), ""
	for i, e := range events {
		keys += e.Key
		outcomes[i].Err = &Error{Message: e.Key}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.made = append(t.made, keys)
	if t.fail != nil {
		return outcomes, t.fail(keys)
	}
	return outcomes, nil
}

// send queues a batch with an event for each letter of keys. The result is its error and outcomes.
func (t *turns) send(ctx context.Context, q *queue, keys string) func() (string, error) {
	var events []Sent
	for _, key := range keys {
		events = append(events, Sent{Key: string(key)})
	}
	var outcomes []Outcome
	var err error
	var sender sync.WaitGroup
	sender.Go(func() { outcomes, err = q.wait(ctx, events, t.apply) })
	synctest.Wait() // its place in the queue is known
	return func() (got string, _ error) {
		sender.Wait()
		for _, o := range outcomes {
			got += o.Err.Message
		}
		return got, err
	}
}

func (t *turns) want(test *testing.T, want ...string) {
	test.Helper()
	time.Sleep(joinDelay) // until no one applies batches
	if !slices.Equal(t.made, want) {
		test.Errorf("applied %q, want %q", t.made, want)
	}
}

func TestWaitingBatchesAreJoined(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q, made := &queue{}, &turns{}
		batches := []string{"a", "bc", "d", strings.Repeat("e", maxJoined), "f", "g"}
		var results []func() (string, error)
		for _, keys := range batches {
			results = append(results, made.send(t.Context(), q, keys))
		}
		for i, result := range results {
			if got, err := result(); got != batches[i] || err != nil {
				t.Errorf("got the outcomes of %.10q, %v, want the outcomes of %.10q", got, err, batches[i])
			}
		}
		made.want(t, "a", "bcd", batches[3], "fg")
		if got, err := made.send(t.Context(), q, "h")(); got != "h" || err != nil {
			t.Errorf("after a pause: got %q, %v", got, err)
		}
	})
}

// A batch that cannot be applied, or panics, fails alone. A store that is away is not called again for each.
func TestBatchesFailAlone(t *testing.T) {
	for _, c := range []struct {
		name string
		fail func() error
		made []string
		bad  string
	}{
		{"error", func() error { return errors.New("cannot be stored") }, []string{"a", "bxd", "b", "x", "d"}, "x"},
		{"panic", func() error { panic("nobody thought of that") }, []string{"a", "bxd", "b", "x", "d"}, "x"},
		{"away", func() error { return fmt.Errorf("%w: no server", mongo.ErrUnavailable) }, []string{"a", "bxd"}, "bxd"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				q, made := &queue{}, &turns{fail: func(keys string) error {
					if strings.Contains(keys, "x") {
						return c.fail()
					}
					return nil
				}}
				var results []func() (string, error)
				for _, key := range "abxd" {
					results = append(results, made.send(t.Context(), q, string(key)))
				}
				for i, result := range results {
					key := string("abxd"[i])
					if _, err := result(); (err != nil) != strings.Contains(c.bad, key) {
						t.Errorf("%s: %v", key, err)
					}
				}
				made.want(t, c.made...)
			})
		})
	}
}

// A sender that leaves returns at once. Its batch is dropped if it waits, and does not take others with it.
func TestSendersLeave(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q, made := &queue{}, &turns{}
		ctx, leave := context.WithCancel(t.Context())
		running := made.send(ctx, q, "a")
		waiting := made.send(ctx, q, "b")
		stays := made.send(t.Context(), q, "c")
		leave()
		began := time.Now()
		for _, result := range []func() (string, error){running, waiting} {
			if _, err := result(); !errors.Is(err, context.Canceled) || time.Since(began) > 0 {
				t.Errorf("got %v after %s", err, time.Since(began))
			}
		}
		if got, err := stays(); got != "c" || err != nil {
			t.Errorf("the other sender: got %q, %v", got, err)
		}
		made.want(t, "a", "c")
	})
}
