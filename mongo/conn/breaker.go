package conn

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sony/gobreaker/v2"
	"golang.org/x/sync/singleflight"
)

const (
	// tripAfter is the number of consecutive failures that open the circuit breaker.
	tripAfter = 5
	// probeAfter is how long an open breaker rejects calls before it tries again.
	probeAfter = time.Second
)

// breaker opens when consecutive calls fail and the store does not respond to a ping either: a slow query says nothing
// about the store. While it is open one ping a second finds out whether the store is back.
type breaker struct {
	*gobreaker.CircuitBreaker[any]
	ping  func() error
	pings singleflight.Group
}

// errLeft is a failure that is no sign of the store's state: the caller cancelled the call or had no time left.
var errLeft = errors.New("the caller left")

// newBreaker returns a breaker that calls ping to learn whether a server responds.
func newBreaker(ping func() error, onUnavailable func(bool)) *breaker {
	return &breaker{ping: ping, CircuitBreaker: gobreaker.NewCircuitBreaker[any](gobreaker.Settings{
		Timeout:     probeAfter,
		ReadyToTrip: func(c gobreaker.Counts) bool { return c.ConsecutiveFailures >= tripAfter },
		IsExcluded:  func(err error) bool { return errors.Is(err, errLeft) },
		OnStateChange: func(_ string, from, to gobreaker.State) {
			if from == gobreaker.StateClosed || to == gobreaker.StateClosed {
				onUnavailable(to != gobreaker.StateClosed)
			}
		},
	})}
}

// isUnanswered reports whether an error means that the store did not answer. A store that refuses writes answers.
func isUnanswered(err error) bool {
	return errors.Is(err, ErrUnavailable) && !errors.Is(err, ErrWriteRefused) && !errors.Is(err, ErrDamaged)
}

// run makes a call unless the breaker is open. It returns the error of the call, or of the breaker.
func (b *breaker) run(ctx context.Context, send func() error) error {
	if b.State() == gobreaker.StateHalfOpen {
		if _, err := b.Execute(func() (any, error) { return nil, b.ping() }); err != nil {
			return rejection(err)
		}
	}
	var sent error
	_, err := b.Execute(func() (any, error) {
		sent = send()
		switch {
		case sent != nil && ctx.Err() != nil:
			return nil, errLeft
		case !isUnanswered(sent) || b.Counts().ConsecutiveFailures >= tripAfter-1 && b.responds():
			return nil, nil
		}
		return nil, sent
	})
	if sent != nil {
		return sent
	}
	return rejection(err)
}

// responds pings the store. Callers at the same time share one ping.
func (b *breaker) responds() bool {
	_, err, _ := b.pings.Do("", func() (any, error) { return nil, b.ping() })
	return err == nil
}

// rejection returns the error of a breaker as ErrUnavailable.
func rejection(err error) error {
	if err == nil || errors.Is(err, ErrUnavailable) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrUnavailable, err)
}

// Circuit returns the state of the circuit breaker: "closed" when calls reach the store, "open" when they are rejected,
// "half-open" while one call probes the store.
func (c *Conn) Circuit() string {
	if c.breaker == nil {
		return gobreaker.StateClosed.String()
	}
	return c.breaker.State().String()
}
