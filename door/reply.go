package door

import (
	"net/http"

	"gamedata/graph"
)

// reply is the ResponseWriter that handlers behind Middleware get. It sees to the
// headers that no answer may lack, remembers what the access log tells, and carries a
// credential that Admit has yet to refuse.
type reply struct {
	http.ResponseWriter
	door       *Door
	request    *http.Request // with the viewer in its context
	credential *graph.Error  // why the credential is refused, nil when it is not
	oauth      bool          // errors are described as OAuth clients expect it
	operation  string
	status     int // 0 until the header is written
	bytes      int64
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
			p.door.setFreshness(h, 0, graph.User, 0)
		}
		if len(h[rateLimit]) == 0 {
			p.door.SetRateHeaders(h, p.door.peek(p.request, Shared))
		}
		spell(h)
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

// badCredential is why the credential of the request is refused, nil when it is not.
func badCredential(w http.ResponseWriter) *graph.Error {
	if p := replyOf(w); p != nil {
		return p.credential
	}
	return nil
}

// Name tells the access log which operation a request runs.
func Name(w http.ResponseWriter, operation string) {
	if p := replyOf(w); p != nil {
		p.operation = operation
	}
}

// send sends a body whose length the headers tell: HEAD tells it too, and nothing is sent
// chunked.
func send(w http.ResponseWriter, r *http.Request, status int, body []byte) {
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		w.Write(body) // an error means that the client has left
	}
}
