package rest

import (
	"context"
	"net/http"

	"gamedata/graph"
	"gamedata/internal/httpapi"
)

// asked is what a request asks of an endpoint. Requests for one target share it: once it is bound
// nothing of it changes.
type asked struct {
	endpoint *endpoint
	vars     map[string]any // of the path, and of query and body when it is bound
	link     []string       // value of Link
	bound    bool
	// When it is bound:
	question httpapi.Question
	run      func(context.Context) httpapi.Answer
}

const (
	// askedRoom bounds the requests that are remembered, in bytes: some 900 of them.
	askedRoom = 1 << 20
	// askedSize is what one takes besides the texts in it, longestTarget the longest target that
	// is remembered.
	askedSize     = 1000
	longestTarget = 1 << 10
)

// bind reads the parameters and the body of a request. What a request without a body asks is
// told by its target, and is not read again when the same comes again: programs ask for the same
// few all the time.
func (e *endpoint) bind(w http.ResponseWriter, r *http.Request, a *asked) *graph.Error {
	if err := e.op.bindQuery(r.URL.RawQuery, a.vars); err != nil {
		return err
	}
	def := e.op.body
	if def != nil {
		body, err := httpapi.ReadJSON(w, r, e.door.MaxBody())
		if err != nil {
			return err
		}
		filter, err := e.op.bindBody(body)
		if err != nil {
			return err
		}
		a.vars[def.Variable] = filter
	}
	a.question, a.bound = e.question(a.vars).Keyed(), true
	a.run = func(ctx context.Context) httpapi.Answer { return e.run(ctx, a.vars) }
	if target := r.RequestURI; def == nil && target != "" && len(target) <= longestTarget {
		e.known.Put(target, a, askedSize+4*len(target))
	}
	return nil
}
