package httpapi

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/url"
)

// A request can contain others: operations on a WebSocket, calls of tools. Each of them comes from the same client,
// passes the middleware, and is charged, cached and limited like any other request.

// callerHeaders lists the headers that identify the caller.
var callerHeaders = []string{
	"Authorization", "Cookie", "Origin", "Sec-Fetch-Site", "X-Forwarded-For", "X-Request-Id", "User-Agent",
}

// NestedHeader returns the headers for nested requests: the caller headers of the outer request.
func NestedHeader(outer http.Header) http.Header {
	h := http.Header{}
	for _, name := range callerHeaders {
		if values := outer[name]; values != nil {
			h[name] = values
		}
	}
	return h
}

// Nested returns a request of the client that sent outer. It has no RequestURI, because nothing is routed by it.
func Nested(ctx context.Context, outer *http.Request, method string, target *url.URL, h http.Header,
	body []byte,
) *http.Request {
	r := outer.WithContext(ctx)
	r.Method, r.URL, r.RequestURI, r.Header = method, target, "", h
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return r
}

// Recorder is a response in memory.
type Recorder struct {
	Status int
	Body   bytes.Buffer

	header http.Header
}

var _ http.ResponseWriter = (*Recorder)(nil)

// NewRecorder returns an empty response.
func NewRecorder() *Recorder { return &Recorder{Status: http.StatusOK, header: http.Header{}} }

// Header implements http.ResponseWriter.
func (r *Recorder) Header() http.Header { return r.header }

// WriteHeader implements http.ResponseWriter.
func (r *Recorder) WriteHeader(status int) { r.Status = status }

// Write implements http.ResponseWriter.
func (r *Recorder) Write(b []byte) (int, error) { return r.Body.Write(b) }
