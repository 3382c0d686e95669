// Package graphqlhttp serves /graphql: it reads requests by GET and POST, finds persisted queries, charges an operation
// to the buckets of its root fields before it runs, and formats the response. Package graph executes, limits and prices
// operations; internal/httpapi holds what all endpoints share.
package graphqlhttp

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"runtime"
	"slices"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"golang.org/x/sync/semaphore"

	"gamedata/graph"
	"gamedata/internal/cache"
	"gamedata/internal/events/stream"
	"gamedata/internal/httpapi"
	"gamedata/internal/loadshed"
)

// Path of the endpoint.
const Path = httpapi.GraphQLPath

const allow = "GET, HEAD, POST, OPTIONS"

// Options of a Handler.
type Options struct {
	// AddressFields lists the root fields whose result depends on the client's address. Responses that contain one
	// carry no CORS headers.
	AddressFields []string
	// CounterFields lists the root fields that return the caller's rate-limit counters. A guest's counters belong to
	// their address, so addresses do not share these responses.
	CounterFields []string
	// Documents maps SHA-256 hashes to persisted queries that are never evicted.
	Documents map[string]string
	// Limiter limits concurrent parsing; nil means no limit.
	Limiter *loadshed.Limiter
	// Authenticator detects that a mutation has ended the caller's session; may be nil.
	Authenticator httpapi.Authenticator
	// Events is the source of subscriptions.
	Events *stream.Source
	// Generation counts the purges of the caches: results from before a purge are not shared after it.
	Generation func() uint64
	// Timeout bounds the execution of a subscription for an event; httpapi.DefaultTimeout when 0.
	Timeout time.Duration
	// Log is slog.Default() when nil.
	Log *slog.Logger
}

// Handler serves one operation by POST, or a query by GET and HEAD, as {errors, data, extensions}. Subscriptions, by
// POST or GET, are server-sent events; so is the response of any operation for callers who prefer them.
//
// The status is 200 for an operation that ran, whatever its errors, otherwise the status of the first error's code, but
// 200 in application/json for an invalid document or variables. Callers who prefer CSV or NDJSON get a list of the
// data, all others JSON. A request that does not run costs 1 in the bucket SHARED.
type Handler struct {
	api       *httpapi.API
	exec      *graph.Executor
	o         Options
	byBody    *cache.LRU[*operation] // of a POST
	byQuery   *cache.LRU[*operation] // the query string of a GET
	persisted *persistedQueries
	// deliveries limits how many events are executed concurrently.
	deliveries *semaphore.Weighted
	shared     *lru.Cache[deliveryKey, *delivery]
}

var _ http.Handler = (*Handler)(nil)

// New returns the handler of an executor's schema.
func New(api *httpapi.API, exec *graph.Executor, o Options) *Handler {
	o.Log = cmp.Or(o.Log, slog.Default())
	o.Timeout = cmp.Or(o.Timeout, httpapi.DefaultTimeout)
	shared, _ := lru.New[deliveryKey, *delivery](maxShared) // fails only for a size below 1
	return &Handler{
		deliveries: semaphore.NewWeighted(int64(runtime.GOMAXPROCS(0))), shared: shared,

		api: api, exec: exec, o: o,
		byBody: cache.NewLRU[*operation](maxOperationBytes), byQuery: cache.NewLRU[*operation](maxOperationBytes),
		persisted: newPersistedQueries(o.Documents),
	}
}

// ServeHTTP implements http.Handler. In this order it checks the request, reads its operation, binds, charges, and
// looks up the response in the cache or runs the operation: the charge depends on the operation.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ctx := r.Context()
	httpapi.VaryByAccept(w.Header())
	formatErr := applyFormat(r)
	httpapi.SetGraphQLType(w.Header(), r)
	httpapi.SetRoute(ctx, httpapi.APIGraphQL, Path, "")
	if r.Method == http.MethodOptions {
		httpapi.AllowHeaders(w, r, "Last-Event-ID")
		h.api.WriteOptions(w, r, httpapi.Shared, allow)
		return
	}
	if err := check(w, r, formatErr); err != nil {
		h.reject(w, r, listOf(err))
		return
	}
	if r.Method == http.MethodGet && isUpgrade(r) {
		h.serveSocket(w, r)
		return
	}
	httpapi.IgnoreCrossSiteSession(ctx)
	op, errs := h.readOperation(w, r)
	if len(errs) > 0 {
		h.reject(w, r, errs)
		return
	}
	httpapi.SetOperation(ctx, op.Operation)
	cached, run, err := h.bind(w, r, op)
	if err != nil {
		h.reject(w, r, listOf(err))
		return
	}
	if !h.charge(w, r, op.charges) {
		return
	}
	if op.hash != "" { // only callers who were charged may store a document
		h.persisted.put(op.hash, op.text)
	}
	_, events := httpapi.AcceptsEventStream(r.Header)
	switch {
	case op.IsSubscription():
		h.subscribe(w, r, op)
	case events && r.Method != http.MethodHead:
		h.serveEvents(w, r, func(w http.ResponseWriter, r *http.Request) { h.api.Cache.Serve(w, r, cached, run) })
	default:
		h.api.Cache.Serve(w, r, cached, run)
	}
}

// check returns the first error of a request that does not depend on its operation.
func check(w http.ResponseWriter, r *http.Request, formatErr *graph.Error) *graph.Error {
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodPost:
	default:
		w.Header().Set("Allow", allow)
		return graph.ErrMethodNotAllowed
	}
	if err := cmp.Or(httpapi.CredentialError(r.Context()), formatErr); err != nil {
		return err
	}
	if httpapi.SessionSent(r) && !httpapi.SameOrigin(r) { // a POST
		httpapi.NoCORS(w.Header())
		return graph.ErrCrossSite
	}
	return nil
}

// bind checks that an operation may run in response to a request. It returns everything that the response depends on,
// and the function that runs the operation.
func (h *Handler) bind(w http.ResponseWriter, r *http.Request, op *operation) (
	cached httpapi.CacheRequest, run httpapi.Run, err *graph.Error,
) {
	if r.Context().Value(queriesKey{}) != nil && (op.IsMutation() || op.IsSubscription()) {
		return cached, nil, errQueriesOnly
	}
	if op.selects(h.o.AddressFields) {
		httpapi.NoCORS(w.Header())
	}
	if op.IsSubscription() && !acceptsSubscription(r) {
		return cached, nil, graph.ErrNoStream
	}
	if op.IsMutation() {
		run = func(ctx context.Context) httpapi.Response { return h.mutate(ctx, r, op) }
		return op.request, run, h.checkMutation(w, r)
	}
	t, err := op.table(r)
	if t == nil {
		return op.request, func(ctx context.Context) httpapi.Response { return h.run(ctx, op) }, err
	}
	run = func(ctx context.Context) httpapi.Response { return h.runTable(ctx, op, t) }
	return t.CacheRequest(op.request), run, nil
}

// acceptsSubscription reports whether the results of a subscription can be sent in response to a request.
func acceptsSubscription(r *http.Request) bool {
	_, overSocket := socketSink(r.Context())
	accepted, _ := httpapi.AcceptsEventStream(r.Header)
	return overSocket || accepted && r.Method != http.MethodHead
}

// run runs an operation that has been charged.
func (h *Handler) run(ctx context.Context, op *operation) httpapi.Response {
	result := h.exec.Run(ctx, op.Operation, op.variables)
	if len(result.Data) == 0 { // it did not run: the variables are invalid
		return errorResponse(result.Errors)
	}
	resp := httpapi.Response{
		MaxAge: min(op.request.MaxAge, result.MaxAge), Scope: op.request.Scope, ReadStats: result.ReadStats,
		Suffix: appendCacheInfo,
	}
	if len(result.Errors) > 0 {
		resp.MaxAge = 0
		resp.Failing = slices.ContainsFunc(result.Errors, func(e *gqlerror.Error) bool {
			return graph.ErrorOf(e).Code == graph.ServiceUnavailable
		})
	}
	var err error
	resp.Body, err = openBody(result.Response, resp, op.charges)
	if err != nil {
		h.o.Log.Error("encoding a GraphQL response failed", "error", err)
		return errorResponse(nil)
	}
	return resp
}

// runTable runs an operation for a table. A table cannot contain errors: the response is then JSON with the status of
// the first error.
func (h *Handler) runTable(ctx context.Context, op *operation, t *httpapi.Table) httpapi.Response {
	result := h.exec.Run(ctx, op.Operation, op.variables)
	if len(result.Errors) > 0 || len(result.Data) == 0 {
		return errorResponse(result.Errors)
	}
	resp, err := t.Fill(httpapi.Response{
		MaxAge: result.MaxAge, Scope: op.request.Scope, ReadStats: result.ReadStats,
	}, result.Data)
	if err != nil {
		h.o.Log.Error("encoding a table failed", "operation", op.Name, "error", err)
		return errorResponse(nil)
	}
	return resp
}
