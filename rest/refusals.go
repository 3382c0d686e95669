package rest

import "gamedata/graph"

// shared are the refusals of every endpoint.
var shared = errs{
	graph.ErrInvalidToken, graph.ErrMethodNotAllowed, graph.ErrURITooLong,
	graph.Errorf(graph.TooManyRequests, "Too many requests, try again in 2 seconds."), graph.ErrInternal,
	graph.ErrUnavailable,
}

// Refusals are the errors that a row's requests can be answered with, as examples: some details
// are made for the case. Those of the row come first, then what is wrong with a request, then
// what every endpoint shares (WIRE §2.2).
func (row Row) Refusals(op *Operation) []*graph.Error {
	out := append(errs{}, row.Errors...)
	if op == nil {
		return append(out, shared...)
	}
	for _, p := range row.Parameters(op) {
		if p.refusal != nil {
			out = append(out, p.refusal)
		}
	}
	if body := op.Body(); body != nil {
		out = append(out, graph.ErrMalformedPayload, graph.ErrPayloadTooLarge, graph.ErrUnsupportedMediaType)
		for _, f := range body.Fields {
			out = append(out, errFilter(f))
		}
	}
	return append(out, shared...)
}

// refuse gives the error that a query parameter of a wrong value is answered with, nil when none is.
func (p *parameter) refuse() *graph.Error {
	wrong := ""
	if p.typ == "Boolean" {
		wrong = "true"
	}
	_, err := p.read([]string{wrong})
	return err
}
