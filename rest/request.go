package rest

import (
	"net/http"

	"gamedata/graph"
	"gamedata/internal/httpapi"
)

// request is a request of an endpoint. Once its parameters are bound it is immutable, and shared by
// all requests with the same URI.
type request struct {
	endpoint *endpoint
	vars     map[string]any // of the path; once bound, of query and body too
	link     []string       // value of Link
	bound    bool
	// Set once bound:
	cache   httpapi.CacheRequest
	handler http.Handler // serves the request again, behind the middleware
}

// ServeHTTP serves a bound request again.
func (q *request) ServeHTTP(w http.ResponseWriter, r *http.Request) { q.endpoint.serve(w, r, q) }

const (
	// maxRequests and maxURI limit the cache of bound requests. Programs repeat a few requests, and a cached request is
	// neither routed nor bound again (BenchmarkRequestCache).
	maxRequests = 1000
	maxURI      = 1 << 10
)

// bind reads the parameters and the body.
func (q *request) bind(w http.ResponseWriter, r *http.Request) *graph.Error {
	e := q.endpoint
	if err := e.op.bindQuery(r.URL.RawQuery, q.vars); err != nil {
		return err
	}
	def := e.op.body
	if def != nil {
		body, err := httpapi.ReadJSON(w, r, httpapi.DefaultMaxBody)
		if err != nil {
			return err
		}
		filter, err := e.op.bindBody(body)
		if err != nil {
			return err
		}
		q.vars[def.Variable] = filter
	}
	q.cache, q.bound = e.cacheRequest(q.vars), true
	if def == nil && r.RequestURI != "" && len(r.RequestURI) <= maxURI {
		q.handler = e.o.Middleware(q)
		e.requests.Add(r.RequestURI, q)
	}
	return nil
}
