package door

import (
	"net/http"
	"sync"

	"github.com/vektah/gqlparser/v2/gqlerror"

	"gamedata/graph"
	"gamedata/shed"
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
	if a := d.bodies.get(text); a != nil {
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
	leave, busy := d.enter(r.Context(), shed.Light)
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
	if a.question.MaxAge > 0 {
		d.bodies.put(text, a, len(text)+len(req.query)-len(sent))
	}
	return a, nil
}

const (
	// bodiesRoom bounds the bodies that are remembered, in bytes of them. A page query has some
	// 600, so some 400 are remembered; the documents they hold take at most some 80 times as
	// much, when they are all fields of one letter. When it is full all are forgotten.
	bodiesRoom = 256 << 10
	// longestBody is the length of the longest that is remembered.
	longestBody = 8 << 10
)

// bodies remembers what bodies of POSTs mean.
type bodies struct {
	mu     sync.RWMutex
	byText map[string]*asked
	size   int
}

func (b *bodies) get(text []byte) *asked {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.byText[string(text)]
}

// put remembers what a text means; size is that of the text and of a document it only names.
func (b *bodies) put(text []byte, a *asked, size int) {
	if len(text) == 0 || len(text) > longestBody {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.byText[string(text)] != nil {
		return // another request of it came at the same time
	}
	if b.size += size; b.byText == nil || b.size > bodiesRoom {
		b.byText, b.size = map[string]*asked{}, size
	}
	b.byText[string(text)] = a
}
