// Package loadshed keeps work within what can be done: so much runs at once, a little more waits
// for a short while, the rest is turned away at once, what asks for much first. It knows no
// HTTP and no operation; what is not counted here (kept answers, health, the exchange of
// tokens) goes on however many are turned away.
package loadshed

import (
	"context"
	"errors"
	"sync"
	"time"
)

// ErrBusy says that work was turned away. Coming again in a few seconds may help.
var ErrBusy = errors.New("too much work at once")

// Class says who is turned away first.
type Class int

// The classes, those turned away last first.
const (
	Light Class = iota // asks for little: it may use every place
	Heavy              // asks for much: it gets half of the places, and none while Light waits
	classes
)

// Options of a Gate.
type Options struct {
	// Places is how many may work at once, 2 or more.
	Places int
	// Wait is how long one waits for a place before it is turned away.
	Wait time.Duration
	// Queue is how many may wait for a place in each class.
	Queue int
}

// Gate counts who works and who waits. It is safe for concurrent use.
type Gate struct {
	o Options

	mu      sync.Mutex
	working [classes]int
	waiting [classes][]chan struct{} // first come first; a channel is closed when its place is free
	turned  [classes]uint64
}

// New returns a gate with nobody behind it.
func New(o Options) *Gate { return &Gate{o: o} }

// Enter waits for a place. Whoever got one calls leave when done, once. ErrBusy when there is
// no place soon enough, the error of ctx when that ends first.
func (g *Gate) Enter(ctx context.Context, class Class) (leave func(), err error) {
	leave = func() { g.leave(class) }
	g.mu.Lock()
	if g.place(class) && len(g.waiting[class]) == 0 {
		g.working[class]++
		g.mu.Unlock()
		return leave, nil
	}
	if len(g.waiting[class]) >= g.o.Queue {
		g.turned[class]++
		g.mu.Unlock()
		return nil, ErrBusy
	}
	mine := make(chan struct{})
	g.waiting[class] = append(g.waiting[class], mine)
	g.mu.Unlock()

	patience := time.NewTimer(g.o.Wait)
	defer patience.Stop()
	select {
	case <-mine:
		return leave, nil
	case <-patience.C:
		err = ErrBusy
	case <-ctx.Done():
		err = ctx.Err()
	}
	if !g.giveUp(class, mine, err) {
		return leave, nil
	}
	return nil, err
}

// place tells whether one more of a class may work; mu is held.
func (g *Gate) place(class Class) bool {
	free := g.working[Light]+g.working[Heavy] < g.o.Places
	if class == Heavy {
		return free && g.working[Heavy] < g.o.Places/2 && len(g.waiting[Light]) == 0
	}
	return free
}

func (g *Gate) leave(class Class) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.working[class]--
	g.admit()
}

// admit gives free places to those who wait; mu is held.
func (g *Gate) admit() {
	for class := range classes {
		for len(g.waiting[class]) > 0 && g.place(class) {
			close(g.waiting[class][0])
			g.waiting[class] = g.waiting[class][1:]
			g.working[class]++
		}
	}
}

// giveUp takes one who waits out of the queue; false when the place came at the same moment.
func (g *Gate) giveUp(class Class, mine chan struct{}, err error) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	for i, other := range g.waiting[class] {
		if other == mine {
			g.waiting[class] = append(g.waiting[class][:i:i], g.waiting[class][i+1:]...)
			if err == ErrBusy {
				g.turned[class]++
			}
			g.admit() // Heavy may have waited for the last of Light
			return true
		}
	}
	return false
}

// State is how full a gate is.
type State struct {
	Places, Working, Waiting int
	// TurnedAway counts those who got ErrBusy since the start.
	TurnedAway struct{ Light, Heavy uint64 }
}

// State tells how full the gate is now.
func (g *Gate) State() (s State) {
	g.mu.Lock()
	defer g.mu.Unlock()
	s.Places, s.Working = g.o.Places, g.working[Light]+g.working[Heavy]
	s.Waiting = len(g.waiting[Light]) + len(g.waiting[Heavy])
	s.TurnedAway.Light, s.TurnedAway.Heavy = g.turned[Light], g.turned[Heavy]
	return s
}
