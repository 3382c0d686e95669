package httpapi

import (
	"net/http"

	"github.com/vektah/gqlparser/v2/gqlerror"

	"gamedata/graph"
	"gamedata/internal/loadshed"
)

// asked is what a GraphQL request asks, read and checked. It may be shared by requests.
type asked struct {
	op        *graph.Operation
	variables map[string]any
	charges   map[string]int // by bucket
	question  Question
	// hash and text are the document that the client names, when it sent both.
	hash, text string
}

// readGraphQL reads a request. The same body again is not read again, nor the same parameters
// of a GET: programs send the same few all the time.
func (d *Door) readGraphQL(w http.ResponseWriter, r *http.Request) (*asked, gqlerror.List) {
	text, body := []byte(nil), []byte(nil)
	var err *graph.Error
	if r.Method == http.MethodPost {
		if body, err = readText(w, r, d.o.MaxBody); err != nil {
			return nil, listOf(err)
		}
		text = body
	} else {
		text = append(append(make([]byte, 0, 512), '?'), r.URL.RawQuery...) // which no body begins with
	}
	if a, ok := d.bodies.GetBytes(text); ok {
		return a, nil
	}
	req, err := readRequest(r, body)
	sent := req.query
	if err == nil {
		err = d.persisted.text(&req)
	}
	if err != nil {
		return nil, listOf(err)
	}
	// A text that was not seen before may take long to read.
	leave, busy := d.enter(r.Context(), loadshed.Light)
	if busy != nil {
		return nil, listOf(graph.ErrUnavailable)
	}
	defer leave()
	op, problems := d.o.Exec.Parse(req.query, req.operationName)
	if len(problems) > 0 {
		return nil, problems
	}
	charges, tooDear := d.o.Exec.Price(op, req.variables)
	if tooDear != nil {
		return nil, gqlerror.List{tooDear}
	}
	a := &asked{op: op, variables: req.variables, charges: charges, question: Question{
		MaxAge: op.Policy.MaxAge, Scope: op.Policy.Scope, Source: SourceGraphQL, Refuse: d.graphqlRefused,
		ByAddress: holds(op, d.o.AddressFields) || holds(op, d.o.CounterFields),
	}}
	if req.hash != "" && sent != "" && !isMutation(op) { // a mutation may hold a password
		a.hash, a.text = req.hash, sent
	}
	for _, cost := range charges {
		a.question.Cost += cost
	}
	key, ok := graphqlKey(op, req.variables)
	if a.question.Key = key; !ok || isMutation(op) {
		a.question.MaxAge = 0
	}
	if a.question.MaxAge > 0 && len(text) <= longestBody {
		a.question = a.question.Keyed()
		d.bodies.Put(string(text), a, len(text)+len(req.query)-len(sent))
	}
	return a, nil
}

// longestBody is the length of the longest body that is remembered, in bytes.
const longestBody = 8 << 10

// bodiesRoom bounds the bodies that are remembered, in bytes of them. A page query has some
// 600, so some 400 are remembered; the documents they hold take at most some 80 times as much,
// when they are all fields of one letter.
const bodiesRoom = 256 << 10
