package httpapi

import (
	"context"
	"net/http"

	"gamedata/graph"
)

// Endpoint describes an endpoint of the REST API.
type Endpoint struct {
	Path, Operation string // the route and its fixed operation, for logs and metrics
	Bucket          string
	Allow           string // the methods, comma separated
	ByAddress       bool   // the response depends on the client's address, so it carries no CORS headers
	Tables          bool   // the endpoint also serves CSV and NDJSON
}

// Bind reads the parameters and the body of a request. It returns everything that the response depends on, and the
// function that runs the operation if the response is not cached.
type Bind func(w http.ResponseWriter, r *http.Request) (CacheRequest, Run, *graph.Error)

// Run runs an operation.
type Run func(ctx context.Context) Response

// Serve serves a request of an endpoint in this order: check the method, check the credential and charge 1, bind, look
// up the response in the cache, run the operation.
func (a *API) Serve(w http.ResponseWriter, r *http.Request, e Endpoint, bind Bind) {
	SetRoute(r.Context(), APIREST, e.Path, e.Operation)
	IgnoreCrossSiteSession(r.Context())
	if e.ByAddress {
		NoCORS(w.Header())
	}
	if e.Tables {
		VaryByAccept(w.Header())
	}
	if !a.AllowsMethod(w, r, e.Bucket, e.Allow) || !a.Limits.Authorize(w, r, e.Bucket, 1) {
		return
	}
	request, run, err := bind(w, r)
	if err != nil {
		a.Errors.Write(w, r, err)
		return
	}
	a.Cache.Serve(w, r, request, run)
}
