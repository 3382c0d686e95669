package rest

import (
	"context"
	"net/http"

	"gamedata/graph"
	"gamedata/internal/httpapi"
)

// request is a request of an endpoint. Once its parameters are bound it is immutable, and shared by
// all requests with the same URI.
type request struct {
	*endpoint
	vars  map[string]any // of the path; once bound, of query and body too
	link  []string       // value of Link
	bound bool
	cache httpapi.CacheRequest // set once bound
}

// ServeHTTP serves the request, behind the middleware.
func (q *request) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header()[linkHeader] = q.link
	q.api.Serve(w, r, q.Endpoint, q.bind)
}

const (
	// maxRequests and maxURI limit the cache of bound requests. Programs repeat a few requests, and a cached request is
	// neither routed nor bound again.
	maxRequests = 1000
	maxURI      = 1 << 10
)

// bind is httpapi.Bind.
func (q *request) bind(w http.ResponseWriter, r *http.Request) (httpapi.CacheRequest, httpapi.Run, *graph.Error) {
	if !q.bound {
		if err := q.setVariables(w, r); err != nil {
			return httpapi.CacheRequest{}, nil, err
		}
	}
	table, cached := q.table(r), q.cache
	if table != nil {
		cached = table.CacheRequest(cached)
	}
	return cached, func(ctx context.Context) httpapi.Response { return q.run(ctx, q.vars, table) }, nil
}

// setVariables sets the variables from the query string and the body.
func (q *request) setVariables(w http.ResponseWriter, r *http.Request) *graph.Error {
	if err := q.op.bindQuery(r.URL.RawQuery, q.vars); err != nil {
		return err
	}
	def := q.op.body
	if def != nil {
		body, err := httpapi.ReadJSON(w, r, httpapi.DefaultMaxBody)
		if err != nil {
			return err
		}
		filter, err := q.op.bindBody(body)
		if err != nil {
			return err
		}
		q.vars[def.Variable] = filter
	}
	q.cache, q.bound = q.cacheRequest(q.vars), true
	if def == nil && r.RequestURI != "" && len(r.RequestURI) <= maxURI {
		q.requests.Add(r.RequestURI, q)
	}
	return nil
}
