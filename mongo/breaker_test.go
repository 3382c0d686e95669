package mongo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/topology"
)

// calls makes calls of a store that answer as told, by a clock of their own.
type calls struct {
	t     *testing.T
	store *Store
	made  int
	told  []bool // whether the store is lost, as it changed
}

func (c *calls) call(answer error) error {
	_, err := withBreaker(c.t.Context(), c.store.guard, func(context.Context) (any, error) { c.made++; return nil, answer })
	return err
}

// reach fails unless so many of n calls reached the store.
func (c *calls) reach(what string, answer error, n, want int) {
	c.t.Helper()
	before := c.made
	for range n {
		reached := c.made
		if err := c.call(answer); c.made == reached && !errors.Is(err, ErrUnavailable) {
			c.t.Errorf("%s: refused with %v", what, err)
		}
	}
	if got := c.made - before; got != want {
		c.t.Errorf("%s: %d of %d calls reach the store, want %d", what, got, n, want)
	}
}

func failFast(t *testing.T) *calls {
	c := &calls{t: t}
	c.store = &Store{guard: &guard{
		timeout: 800 * time.Millisecond,
		breaker: newBreaker(func(lost bool) { c.told = append(c.told, lost) }),
	}}
	return c
}

var errLost = fmt.Errorf("%w: %w", ErrUnavailable, errors.New("connection refused"))

// A store that does not answer is asked no more, but for one call each second; one that answers
// is taken for found again.
func TestLostStoreIsNotAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := failFast(t)
		c.reach("while it fails", errLost, 20, tripAfter)
		if got := c.store.Circuit(); got != "open" {
			t.Errorf("the circuit is %s", got)
		}
		c.reach("while it is lost", nil, 20, 0)
		for range 3 {
			time.Sleep(probeAfter + time.Millisecond)
			c.reach("a second later", errLost, 20, 1)
		}
		time.Sleep(probeAfter + time.Millisecond)
		c.reach("when it is back", nil, 20, 20)
		if !slices.Equal(c.told, []bool{true, false}) {
			t.Errorf("told that it is lost: %v", c.told)
		}
		if got := c.store.Circuit(); got != "closed" {
			t.Errorf("the circuit is %s", got)
		}
	})
}

// While one call tries again the others do not wait for it.
func TestOneCallTriesAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := failFast(t)
		c.reach("while it fails", errLost, tripAfter, tripAfter)
		time.Sleep(probeAfter + time.Millisecond)
		answered := make(chan error)
		go func() {
			_, err := withBreaker(t.Context(), c.store.guard, func(ctx context.Context) (any, error) {
				<-ctx.Done()
				return nil,
					ctx.Err()
			})
			answered <- err
		}()
		synctest.Wait()
		c.reach("beside it", nil, 20, 0)
		begun := time.Now()
		if err := <-answered; !errors.Is(err, context.DeadlineExceeded) || time.Since(begun) != 800*time.Millisecond {
			t.Errorf("it ends after %s with %v", time.Since(begun), err)
		}
		c.reach("after it", nil, 20, 0)
	})
}

// What the store answers, and what its callers do, does not make it a lost one.
func TestAnswersAreNoLoss(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := failFast(t)
		for _, answer := range []error{
			driver.ErrNoDocuments,
			driver.CommandError{Code: 11000, Message: "duplicate"},
			ErrNotFound,
		} {
			c.reach(answer.Error(), answer, 50, 50)
		}
		for range 50 {
			ctx, leave := context.WithTimeout(t.Context(), time.Millisecond)
			_, err := withBreaker(ctx, c.store.guard, func(ctx context.Context) (any, error) {
				c.made++
				<-ctx.Done()
				return nil,
					ctx.Err()
			})
			if leave(); !errors.Is(err, context.DeadlineExceeded) {
				t.Error(err)
			}
		}
		c.reach("callers without time", nil, 1, 1)
		for range tripAfter - 1 {
			c.reach("one answer in between", errLost, tripAfter-1, tripAfter-1)
			c.reach("one answer in between", nil, 1, 1)
		}
	})
}

// A server that says that it cannot answer now is lost; one that says no is not.
func TestPassing(t *testing.T) {
	for code, lost := range map[int32]bool{91: true, 10107: true, 189: true, 2: false, 59: false, 11000: false} {
		if got := errors.Is(translateError(driver.CommandError{Code: code}), ErrUnavailable); got != lost {
			t.Errorf("code %d: lost %v", code, got)
		}
	}
}

// A connection that broke tells that the store does not answer, wherever the driver met it.
func TestBrokenConnections(t *testing.T) {
	for _, err := range []error{
		&net.OpError{Op: "read", Err: syscall.ECONNRESET},
		fmt.Errorf("connection() incomplete read of message header: %w", io.EOF),
		topology.ConnectionError{Wrapped: io.ErrUnexpectedEOF},
	} {
		if !errors.Is(translateError(err), ErrUnavailable) {
			t.Errorf("%v is no loss", err)
		}
	}
}
