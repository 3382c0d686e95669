package conn

import (
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"

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
	any     atomic.Bool // failing is not empty: healthy calls pay for no more than this
	mu      sync.Mutex
	failing map[string]*gobreaker.CircuitBreaker[any]
}

// run makes a call unless the breaker of its shape is open.
func (b *shapeBreakers) run(of shape, send func() error) error {
	if b.any.Load() {
		if breaker := b.of(of.String(), false); breaker != nil {
			var sent error
			_, err := breaker.Execute(func() (any, error) {
				sent = send()
				return nil, sent
			})
			switch {
			case sent != nil:
				return sent
			case err != nil:
				return &excludedError{rejection(err)}
			}
			b.forget(of.String())
			return nil
		}
	}
	err := send()
	if isUnanswered(err) {
		_, _ = b.of(of.String(), true).Execute(func() (any, error) { return nil, err })
	}
	return err
}

// of returns the breaker of a shape; nil if it has none and create is false.
func (b *shapeBreakers) of(name string, create bool) *gobreaker.CircuitBreaker[any] {
	b.mu.Lock()
	defer b.mu.Unlock()
	breaker := b.failing[name]
	if breaker == nil && create {
		settings := breakerSettings()
		settings.OnStateChange = func(_ string, _, to gobreaker.State) {
			if to == gobreaker.StateOpen {
				b.log.Warn("store does not answer a query in time: rejecting it for a second", "query", name)
			}
		}
		breaker = gobreaker.NewCircuitBreaker[any](settings)
		b.failing[name] = breaker
		b.any.Store(true)
	}
	return breaker
}

func (b *shapeBreakers) forget(name string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.failing, name)
	b.any.Store(len(b.failing) > 0)
}
