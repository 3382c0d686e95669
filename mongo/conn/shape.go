package conn

import (
	"log/slog"
	"maps"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sony/gobreaker/v2"
	"go.mongodb.org/mongo-driver/v2/bson"
)

// shape is what calls of one kind have in common: the command, the collection, and the fields and operators of the
// filter or pipeline, whatever their values.
type shape struct {
	command, collection string
	filter              any
}

// String returns the shape as logs show it, such as "find players (_id $in online)".
func (s shape) String() string {
	var names []string
	addNames(&names, s.filter)
	return s.command + " " + s.collection + " (" + strings.Join(names, " ") + ")"
}

func addNames(names *[]string, value any) {
	switch value := value.(type) {
	case bson.D:
		for _, e := range value {
			*names = append(*names, e.Key)
			addNames(names, e.Value)
		}
	case bson.A:
		for _, element := range value {
			addNames(names, element)
		}
	}
}

// shapeBreakers are the circuit breakers of the shapes whose last call failed.
type shapeBreakers struct {
	log     *slog.Logger
	any     atomic.Bool // failing is not empty: otherwise calls pay for no more than this
	mu      sync.Mutex
	failing map[string]*shapeBreaker
}

type shapeBreaker struct {
	*gobreaker.CircuitBreaker[any]
	failed time.Time // when the last call failed
}

// forgetAfter is how long after its last failure the breaker of a shape that no one calls is kept.
const forgetAfter = time.Minute

// run makes a call unless the breaker of its shape is open.
func (b *shapeBreakers) run(of shape, send func() error) error {
	var name string
	var breaker *shapeBreaker
	if b.any.Load() {
		name = of.String()
		breaker = b.of(name)
	}
	if breaker == nil {
		err := send()
		if isUnanswered(err) {
			_, _ = b.fail(of.String()).Execute(func() (any, error) { return nil, err })
		}
		return err
	}
	var sent error
	_, err := breaker.Execute(func() (any, error) {
		sent = send()
		return nil, sent
	})
	switch {
	case isUnanswered(sent):
		b.fail(name)
	case sent == nil && err != nil:
		return &excludedError{rejection(err)}
	case sent == nil:
		b.forget(name)
	}
	return sent
}

// of returns the breaker of a shape, nil if it has none, and forgets old ones.
func (b *shapeBreakers) of(name string) *shapeBreaker {
	b.mu.Lock()
	defer b.mu.Unlock()
	maps.DeleteFunc(b.failing, func(_ string, s *shapeBreaker) bool { return time.Since(s.failed) > forgetAfter })
	b.any.Store(len(b.failing) > 0)
	return b.failing[name]
}

// fail returns the breaker of a shape of which a call failed.
func (b *shapeBreakers) fail(name string) *shapeBreaker {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := b.failing[name]
	if s == nil {
		settings := breakerSettings()
		settings.OnStateChange = func(_ string, _, to gobreaker.State) {
			if to == gobreaker.StateOpen {
				b.log.Warn("store does not answer a query in time: rejecting it for a second", "query", name)
			}
		}
		s = &shapeBreaker{CircuitBreaker: gobreaker.NewCircuitBreaker[any](settings)}
		b.failing[name] = s
		b.any.Store(true)
	}
	s.failed = time.Now()
	return s
}

func (b *shapeBreakers) forget(name string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.failing, name)
	b.any.Store(len(b.failing) > 0)
}
