package conn

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

// fakeStore is a connection without server whose calls return a given error.
type fakeStore struct {
	t       *testing.T
	conn    *Conn
	down    error // of pings
	reached int   // calls that passed the breaker
	pings   int
	states  []bool // arguments of OnUnavailable
}

func (f *fakeStore) call(result error) error {
	_, err := call(f.t.Context(), f.conn, func(context.Context) (any, error) {
		f.reached++
		return nil, result
	})
	return err
}

// checkCalls makes n calls, of which want must pass the breaker.
func (f *fakeStore) checkCalls(when string, result error, n, want int) {
	f.t.Helper()
	before := f.reached
	for range n {
		reached := f.reached
		if err := f.call(result); f.reached == reached && !errors.Is(err, ErrUnavailable) {
			f.t.Errorf("%s: rejected with %v, want ErrUnavailable", when, err)
		}
	}
	if got := f.reached - before; got != want {
		f.t.Errorf("%s: %d of %d calls reached the store, want %d", when, got, n, want)
	}
}

func newFakeStore(t *testing.T) *fakeStore {
	f := &fakeStore{t: t}
	ping := func() error {
		f.pings++
		return f.down
	}
	f.conn = &Conn{
		timeout: 800 * time.Millisecond,
		breaker: newBreaker(ping, func(unavailable bool) { f.states = append(f.states, unavailable) }),
	}
	return f
}

var errDown = fmt.Errorf("%w: %w", ErrUnavailable, errors.New("connection refused"))

// While the store does not respond one ping a second reaches it; after it responds all calls do.
func TestBreakerOpensAndCloses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFakeStore(t)
		f.down = errDown
		f.checkCalls("while calls fail", errDown, 20, tripAfter)
		if got := f.conn.Circuit(); got != "open" {
			t.Errorf("got circuit %q", got)
		}
		f.checkCalls("while the breaker is open", nil, 20, 0)
		for n := range 3 {
			time.Sleep(probeAfter + time.Millisecond)
			f.checkCalls("one second later", errDown, 20, 0)
			if f.pings != n+2 {
				t.Errorf("%d pings", f.pings)
			}
		}
		time.Sleep(probeAfter + time.Millisecond)
		f.down = nil
		f.checkCalls("after recovery", nil, 20, 20)
		if !slices.Equal(f.states, []bool{true, false}) {
			t.Errorf("got OnUnavailable calls %v, want true and false", f.states)
		}
		if got := f.conn.Circuit(); got != "closed" {
			t.Errorf("got circuit %q", got)
		}
	})
}

// A query that is slow while the store responds does not open the breaker.
func TestSlowQuery(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFakeStore(t)
		f.checkCalls("a slow query", errDown, 20, 20)
		if len(f.states) > 0 || f.conn.Circuit() != "closed" {
			t.Errorf("circuit %s after %v", f.conn.Circuit(), f.states)
		}
	})
}

// While one caller pings the store others are rejected at once.
func TestBreakerProbe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFakeStore(t)
		f.down = errDown
		f.checkCalls("while calls fail", errDown, tripAfter, tripAfter)
		time.Sleep(probeAfter + time.Millisecond)
		ponged := make(chan error)
		f.conn.breaker.ping = func() error { return <-ponged }
		ended := make(chan error)
		go func() { ended <- f.call(nil) }()
		synctest.Wait()
		f.checkCalls("during the ping", nil, 20, 0)
		ponged <- errDown
		if err := <-ended; !errors.Is(err, ErrUnavailable) {
			t.Errorf("the caller that pings: %v", err)
		}
		f.checkCalls("after the ping", nil, 20, 0)
	})
}

// Errors that the store returns, and callers that leave, do not open the breaker.
func TestBreakerStaysClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFakeStore(t)
		for _, result := range []error{
			driver.ErrNoDocuments,
			driver.CommandError{Code: 11000, Message: "duplicate"},
			errors.New("no such record"),
		} {
			f.checkCalls(result.Error(), result, 50, 50)
		}
		for range 50 {
			ctx, leave := context.WithTimeout(t.Context(), time.Millisecond)
			_, err := call(ctx, f.conn, func(ctx context.Context) (any, error) {
				f.reached++
				<-ctx.Done()
				return nil, ctx.Err()
			})
			leave()
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Error(err)
			}
		}
		f.checkCalls("after callers that left", nil, 1, 1)
		for range tripAfter - 1 {
			f.checkCalls("one success in between", errDown, tripAfter-1, tripAfter-1)
			f.checkCalls("one success in between", nil, 1, 1)
		}
	})
}

func TestConnectionErrors(t *testing.T) {
	for _, err := range []error{
		&net.OpError{Op: "read", Err: syscall.ECONNRESET},
		fmt.Errorf("connection() incomplete read of message header: %w", io.EOF),
		topology.ConnectionError{Wrapped: io.ErrUnexpectedEOF},
	} {
		if !errors.Is(Translate(err), ErrUnavailable) {
			t.Errorf("%v is not translated to ErrUnavailable", err)
		}
	}
}
