package httpapi

import (
	"context"
	"errors"
	"net/http"

	"gamedata/graph"
	"gamedata/internal/loadshed"
)

// DefaultMaxAnswer is the most bytes of one answer: several times the largest that is documented.
const DefaultMaxAnswer = 64 << 20

// heavyCost is what an operation asks for, by its charges, that is turned away first.
const heavyCost = 10

// within bounds the runs of an operation: so many at once, so many bytes each. One that gets no
// place is 503 and gives way to nothing older: the store does not fail.
func (d *Door) within(q Question, run func(context.Context) Answer) func(context.Context) Answer {
	return func(ctx context.Context) Answer {
		leave, err := d.enter(ctx, q.class())
		if err != nil {
			a := d.refused(q, graph.ErrUnavailable)
			a.busy = errors.Is(err, loadshed.ErrBusy)
			return a
		}
		defer leave()
		a := run(ctx)
		if size := len(a.Body); size > d.o.MaxAnswer {
			return d.refused(q, graph.Errorf(graph.LimitExceeded,
				"The answer has %d bytes, at most %d are allowed: ask for less at once.", size, d.o.MaxAnswer))
		}
		return a
	}
}

// enter waits for a place to work at.
func (d *Door) enter(ctx context.Context, class loadshed.Class) (leave func(), err error) {
	if d.o.Gate == nil {
		return func() {}, nil
	}
	return d.o.Gate.Enter(ctx, class)
}

func (q Question) class() loadshed.Class {
	if q.Cost > heavyCost {
		return loadshed.Heavy
	}
	return loadshed.Light
}

// refused is the answer to a question that is not answered, in the form of its door.
func (d *Door) refused(q Question, e *graph.Error) Answer {
	if q.Refuse != nil {
		return q.Refuse(e)
	}
	return d.ErrorAnswer(e)
}

// refuseQuestion writes it.
func (d *Door) refuseQuestion(w http.ResponseWriter, r *http.Request, q Question, e *graph.Error) {
	if q.Refuse != nil {
		a := q.Refuse(e)
		d.write(w, r, &a)
		return
	}
	d.Error(w, r, e)
}
