package rest

import "gamedata/graph"

type errs []*graph.Error

// errAmbiguous reports a name shared by several objects.
var errAmbiguous = graph.ErrMultiple(nil)

// commonErrors are the errors of every endpoint.
var commonErrors = errs{
	graph.ErrInvalidToken, graph.ErrMethodNotAllowed, graph.ErrURITooLong,
	graph.Errorf(graph.TooManyRequests, "Too many requests, try again in 2 seconds."), graph.ErrInternal,
	graph.ErrUnavailable,
}

// PossibleErrors returns the errors with which a row's requests can fail, with example details. Errors of the row come
// first, then invalid requests, then the errors of every endpoint.
func (row Row) PossibleErrors(op *Operation) []*graph.Error {
	out := append(errs{}, row.Errors...)
	if op == nil {
		return append(out, commonErrors...)
	}
	for _, p := range row.Parameters(op) {
		if p.err != nil {
			out = append(out, p.err)
		}
	}
	if body := op.Body(); body != nil {
		out = append(out, graph.ErrMalformedPayload, graph.ErrPayloadTooLarge, graph.ErrUnsupportedMediaType)
		for _, f := range body.Fields {
			out = append(out, errFilter(f))
		}
	}
	return append(out, commonErrors...)
}
