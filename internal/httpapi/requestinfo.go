package httpapi

import (
	"context"
	"net/http"
	"time"

	"gamedata/graph"
	"gamedata/graph/viewer"
)

// Values of RequestInfo.API.
const (
	APIGraphQL = "graphql"
	APIREST    = "rest"
	APIOther   = "other" // pages, metadata, unknown paths
)

// Values of RequestInfo.Cache; it is empty for responses that are not cacheable.
const (
	CacheHit   = "hit"
	CacheStale = "stale" // served while the store fails
	CacheMiss  = "miss"
)

// RequestInfo describes a request and, once it is done, its response.
type RequestInfo struct {
	Request *http.Request
	// ID is the valid X-Request-Id that a proxy or the caller sent; empty otherwise.
	ID     string
	Start  time.Time
	Viewer viewer.Viewer
	API    string
	// Path is the route, such as /v3/player/{username}; empty for an unknown path.
	Path string
	// Operation is the name of the endpoint's fixed operation, or the name that a GraphQL caller chose, limited only in
	// length.
	Operation string
	// Label has few values: the fixed operation, or the root field of a GraphQL operation,
	// "several" when it has more than one, "none" when it did not run.
	Label    string
	Stream   bool  // open as long as the client listens: the duration is not a latency
	Status   int   // 0 until the header is written
	Bytes    int64 // of the body, as sent
	Duration time.Duration
	Cache    string
	// Cost is the total charge in all buckets; Bucket is the bucket in the headers.
	Cost   int
	Bucket string
	// Store is the summed duration of the store's commands; 0 for a cached response.
	Store time.Duration
}

// Labels that are not names of operations or root fields.
const (
	labelNone    = "none"
	labelSeveral = "several"
)

// requestState is the middleware's state of a request. It is also the request's context and contains the response
// writer: all three cost one allocation.
type requestState struct {
	context.Context
	connection      context.Context // ends with the connection
	api             *API
	info            RequestInfo
	credentialError *graph.Error
	deleteSession   bool // the response deletes the session cookie
	oauthErrors     bool // error bodies carry error_description too
	writer          responseWriter
	values          headerValues
}

type stateKey struct{}

// Value implements context.Context.
func (s *requestState) Value(key any) any {
	if _, ok := key.(stateKey); ok {
		return s
	}
	return s.Context.Value(key)
}

// stateFrom panics outside of API.Middleware: an unauthenticated caller must not pass for a guest.
func stateFrom(ctx context.Context) *requestState {
	s, ok := ctx.Value(stateKey{}).(*requestState)
	if !ok {
		panic("httpapi: the request did not pass API.Middleware")
	}
	return s
}

// withRequestInfo creates the state of a request and sets the headers of every response.
//
// The context does not end when the client has closed the connection or only its sending side: net/http ends its
// context in both cases and cannot distinguish them, and a half-closed client still waits for its response. Time limits
// bound requests instead.
func (a *API) withRequestInfo(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s := &requestState{Context: context.WithoutCancel(r.Context()), connection: r.Context(), api: a}
		s.writer = responseWriter{ResponseWriter: w, state: s}
		s.info.Start, s.info.ID, s.info.API, s.info.Label = a.o.Now(), requestID(r), APIOther, labelNone
		r = r.WithContext(s)
		s.info.Request = r
		h := w.Header()
		setStaticHeaders(h, r)
		if s.info.ID != "" {
			h["X-Request-Id"] = []string{s.info.ID}
		}
		next.ServeHTTP(&s.writer, r)
		s.writer.ResponseWriter = nil // a WebSocket keeps s
	})
}

// RequestInfoFrom returns the RequestInfo of a request's context. It panics outside of API.Middleware.
func RequestInfoFrom(ctx context.Context) *RequestInfo { return &stateFrom(ctx).info }

// ViewerFrom returns the authenticated caller. It panics outside of API.Middleware.
func ViewerFrom(ctx context.Context) viewer.Viewer {
	v := stateFrom(ctx).info.Viewer
	if v.Kind == "" {
		panic("httpapi: the caller was not authenticated")
	}
	return v
}

// CredentialError returns why the request's credential was rejected; nil when it is valid or absent.
func CredentialError(ctx context.Context) *graph.Error { return stateFrom(ctx).credentialError }

// SetRoute records which API and route a request belongs to, and its fixed operation.
func SetRoute(ctx context.Context, api, path, operation string) {
	i := RequestInfoFrom(ctx)
	i.API, i.Path, i.Operation = api, path, operation
	if operation != "" {
		i.Label = operation
	}
}

// SetStream records that the response of a request is a stream.
func SetStream(ctx context.Context) { RequestInfoFrom(ctx).Stream = true }

// SetOperation records the caller's GraphQL operation that a request runs.
func SetOperation(ctx context.Context, op *graph.Operation) {
	i := RequestInfoFrom(ctx)
	i.Operation, i.Label = op.Name, labelNone
	for n, f := range op.Policy.Fields {
		if n > 0 && f.Field != i.Label {
			i.Label = labelSeveral
			return
		}
		i.Label = f.Field
	}
}

// observation reports every finished request to OnDone. It wraps recovery, which writes the status after a panic.
func (a *API) observation(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s := stateFrom(r.Context())
		defer func() {
			if s.info.Status == 0 { // the handler aborted the response
				s.info.Status = http.StatusInternalServerError
			}
			s.info.Duration = a.o.Now().Sub(s.info.Start)
			a.o.OnDone(&s.info)
		}()
		next.ServeHTTP(w, r)
	})
}
