package httpapi

import (
	"net/http"
	"time"

	"gamedata/graph"
	"gamedata/graph/viewer"
)

// reply is the ResponseWriter that handlers behind Middleware get. It sees to the
// headers that no answer may lack, remembers what the access log tells, and carries a
// credential that Admit has yet to refuse.
type reply struct {
	http.ResponseWriter
	door       *Door
	request    *http.Request
	asker      viewer.Viewer
	credential *graph.Error // why the credential is refused, nil when it is not
	oauth      bool         // errors are described as OAuth clients expect it
	start      time.Time
	status     int // 0 until the header is written
	bytes      int64

	// What is observed of the request besides: see Observed.
	through, path, operation, label string
	cached                          string
	cost                            int
	store                           time.Duration

	// values is room for values of headers, of which most answers set no more.
	values [valuesRoom]string
	valued int // how many of them are taken
}

const valuesRoom = 11

// roomFor is room for n values of headers.
func roomFor(w http.ResponseWriter, n int) []string {
	p := replyOf(w)
	if p == nil || p.valued+n > valuesRoom {
		return make([]string, n)
	}
	p.valued += n
	return p.values[p.valued-n : p.valued : p.valued]
}

// WriteHeader fills in what the handler left open: freshness (nothing may be kept) and
// the state of the bucket SHARED.
func (p *reply) WriteHeader(status int) {
	if p.status != 0 {
		return
	}
	if status >= 200 || status == http.StatusSwitchingProtocols {
		p.status = status
		h := p.Header()
		if len(h["Cache-Control"]) == 0 {
			p.door.setFreshness(p, p.door.o.Now(), 0, graph.User, 0)
		}
		if len(h[rateLimit]) == 0 {
			p.door.SetRateHeaders(p, p.door.peek(p, Shared))
		}
		p.time(h)
	}
	p.ResponseWriter.WriteHeader(status)
}

func (p *reply) Write(b []byte) (int, error) {
	p.WriteHeader(http.StatusOK)
	n, err := p.ResponseWriter.Write(b)
	p.bytes += int64(n)
	return n, err
}

// Unwrap is for http.ResponseController.
func (p *reply) Unwrap() http.ResponseWriter { return p.ResponseWriter }

// replyOf finds the reply below w; nil outside Middleware.
func replyOf(w http.ResponseWriter) *reply {
	for {
		switch v := w.(type) {
		case *reply:
			return v
		case interface{ Unwrap() http.ResponseWriter }:
			w = v.Unwrap()
		default:
			return nil
		}
	}
}

// Asker is who asks: a guest of unknown address outside Middleware. The context of a request does
// not tell it, since making one costs more than all else that is done for a kept answer; that of
// an operation does.
func Asker(w http.ResponseWriter) viewer.Viewer {
	if p := replyOf(w); p != nil {
		return p.asker
	}
	return viewer.Viewer{Kind: viewer.Guest}
}

// badCredential is why the credential of the request is refused, nil when it is not.
func badCredential(w http.ResponseWriter) *graph.Error {
	if p := replyOf(w); p != nil {
		return p.credential
	}
	return nil
}

// Name tells which operation of ours a request runs, through which door it came, and which
// path it asks for, with the names of its variables in the place of their values.
func Name(w http.ResponseWriter, through, path, operation string) {
	if p := replyOf(w); p != nil {
		p.through, p.path, p.operation, p.label = through, path, operation, operation
	}
}

// nameGraphQL tells which operation of a caller's a request runs.
func nameGraphQL(w http.ResponseWriter, op *graph.Operation) {
	if p := replyOf(w); p != nil {
		p.operation, p.label = op.Name, labelOf(op)
	}
}

// charged adds to what a request cost.
func charged(w http.ResponseWriter, cost int) {
	if p := replyOf(w); p != nil {
		p.cost += cost
	}
}

// send sends a body whose length the headers tell: HEAD tells it too, and nothing is sent
// chunked.
func send(w http.ResponseWriter, r *http.Request, status int, body, end []byte) {
	w.WriteHeader(status)
	if r.Method == http.MethodHead {
		return
	}
	w.Write(body) // an error means that the client has left
	if len(end) > 0 {
		w.Write(end)
	}
}
