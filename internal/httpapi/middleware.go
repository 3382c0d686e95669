package httpapi

import (
	"net/http"
	"runtime/debug"
	"slices"

	"gamedata/graph"
)

// Middleware finds out who asks, as Asker tells, and sets the headers that are true of every
// answer; it contains panics and tells what every request came to.
//
// Framing: net/http refuses what it cannot frame (several lengths, unknown transfer
// codings), but of a request with a length and chunks it hides the length and keeps the
// connection. What follows such a request may be a smuggled one, so the connection ends
// after every chunked request.
func (d *Door) Middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v, bad := d.identify(r)
		p := &reply{ResponseWriter: w, door: d, request: r, asker: v, credential: bad, start: d.o.Now()}
		d.setAlways(p.Header())
		if id := requestID(r); id != "" {
			p.Header()["X-Request-Id"] = []string{id}
		}
		if slices.Contains(r.TransferEncoding, "chunked") {
			p.Header().Set("Connection", "close")
		}
		defer d.finish(p)
		if len(r.RequestURI) > d.o.MaxURI {
			d.refuse(p, r, graph.ErrURITooLong)
			return
		}
		next.ServeHTTP(p, r)
	})
}

// finish is deferred around every handler. After a panic the client gets 500, or, when
// a part of another answer is already on its way, a connection that visibly breaks off.
func (d *Door) finish(p *reply) {
	failure := recover()
	broken := false
	switch {
	case failure == http.ErrAbortHandler: // a handler's way to say: break off
		broken = true
	case failure != nil:
		d.o.Log.Error("panic", "error", failure, "path", p.request.URL.Path, "stack", string(debug.Stack()))
		broken = p.status != 0
		if !broken {
			p.Header().Del("Content-Encoding")
			delete(p.Header(), "ETag")
			d.Error(p, p.request, graph.ErrInternal)
		}
	case p.status == 0: // the handler wrote nothing
		p.WriteHeader(http.StatusOK)
	}
	d.observe(p)
	if broken {
		panic(http.ErrAbortHandler)
	}
}

// NotFound answers a path that nothing lies under, in bucket SHARED.
func (d *Door) NotFound(w http.ResponseWriter, r *http.Request) {
	d.refuse(w, r, graph.ErrNotFound)
}

// MethodNotAllowed answers a path that exists with a method it does not have, in bucket
// SHARED. allow names the methods it has, comma separated.
func (d *Door) MethodNotAllowed(w http.ResponseWriter, r *http.Request, allow string) {
	w.Header().Set("Allow", allow)
	d.refuse(w, r, graph.ErrMethodNotAllowed)
}

// refuse answers a request that reaches no endpoint. It is counted all the same;
// credentials are not looked at, since path and method are checked before them.
func (d *Door) refuse(w http.ResponseWriter, r *http.Request, err *graph.Error) {
	dec := d.Take(w, Shared, 1)
	if !dec.Allowed {
		d.TooMany(w, r, dec)
		return
	}
	d.SetRateHeaders(w, dec)
	d.Error(w, r, err)
}
