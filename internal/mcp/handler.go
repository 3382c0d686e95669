// Package mcp offers the API to language models, over the Model Context Protocol: the fixed operations of the REST API
// and queries of the GraphQL API as tools, the schema and the guides as resources. A tool call is a request to its
// endpoint by the same caller: the same limits, access rules, caches and errors apply. Names, descriptions and
// arguments of tools come from routes, operations and the schema.
package mcp

import (
	"context"
	"net/http"
	"strings"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"gamedata/graph"
	"gamedata/internal/httpapi"
	"gamedata/rest"
)

// Path of the endpoint.
const Path = "/mcp"

const allow = "POST, OPTIONS"

var errMessage = graph.Errorf(graph.MalformedPayload,
	"Send one JSON-RPC 2.0 message as the body. Lists of messages are not accepted.")

// Handler serves the streamable HTTP transport without sessions: a message by POST, its response as JSON. A tool call
// is charged like the request that it makes; other messages cost 1 in the bucket SHARED.
type Handler struct {
	api       *httpapi.API
	rest      *rest.Handler
	graphQL   http.Handler
	transport http.Handler
}

var _ http.Handler = (*Handler)(nil)

// New returns the endpoint. endpoints serves the operations of rest.Load, and graphQL serves queries; both are behind
// the middleware.
func New(api *httpapi.API, exec *graph.Executor, ops map[string]*rest.Operation, endpoints *rest.Handler,
	graphQL http.Handler,
) *Handler {
	h := &Handler{api: api, rest: endpoints, graphQL: graphQL}
	server := h.newServer(exec, ops)
	// The service itself checks the host, of every request.
	h.transport = sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server },
		&sdk.StreamableHTTPOptions{Stateless: true, JSONResponse: true, DisableLocalhostProtection: true})
	return h
}

// ServeHTTP implements http.Handler.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ctx := r.Context()
	httpapi.SetRoute(ctx, httpapi.APIOther, Path, "mcp")
	httpapi.AllowHeaders(w, r, "Mcp-Method, Mcp-Name, Mcp-Protocol-Version, Mcp-Session-Id")
	switch {
	case !h.api.AllowsMethod(w, r, httpapi.Shared, allow):
		return
	case httpapi.SessionSent(r) && !httpapi.SameOrigin(r):
		httpapi.NoCORS(w.Header())
		h.api.Reject(w, r, graph.ErrCrossSite)
		return
	}
	body, request, err := read(w, r)
	if err != nil {
		h.api.Reject(w, r, err)
		return
	}
	tool := request != nil && request.Method == "tools/call" && httpapi.CredentialError(ctx) == nil
	if !tool && !h.api.Limits.Authorize(w, r, httpapi.Shared, 1) {
		return
	}
	c := &call{outer: r}
	kind, resp := h.handle(c, body)
	switch {
	case tool && !c.charged.Load() && !h.api.Limits.Authorize(w, r, httpapi.Shared, 1):
	case !strings.HasPrefix(kind, "text/plain"):
		httpapi.WriteResponse(w, r, resp)
	case request != nil && request.IsCall() && strings.HasPrefix(string(resp.Body), notHandled):
		httpapi.WriteResponse(w, r, httpapi.Response{Body: methodNotFound(request)})
	default:
		text := strings.TrimSpace(string(resp.Body))
		h.api.Errors.Write(w, r, graph.Errorf(graph.MalformedPayload, "%s", text))
	}
}

// read reads a message; request is nil if it is a response.
func read(w http.ResponseWriter, r *http.Request) (body []byte, request *jsonrpc.Request, _ *graph.Error) {
	if len(r.Header["Content-Type"]) == 0 { // other sites can send that without a preflight
		return nil, nil, graph.ErrUnsupportedMediaType
	}
	body, bad := httpapi.ReadJSON(w, r, httpapi.DefaultMaxBody)
	if bad != nil {
		return nil, nil, bad
	}
	body = withTextID(body)
	message, err := jsonrpc.DecodeMessage(body)
	if err != nil {
		return nil, nil, errMessage
	}
	request, _ = message.(*jsonrpc.Request)
	return body, request, nil
}

// call is a message for the SDK to handle.
type call struct {
	outer   *http.Request
	charged atomic.Bool // the endpoint of a tool has charged the caller
}

type callKey struct{}

// handle lets the SDK handle a message. It converts the SDK's plain-text rejections to documented errors.
func (h *Handler) handle(c *call, body []byte) (kind string, _ httpapi.Response) {
	header := c.outer.Header.Clone()
	header.Set("Accept", "application/json, text/event-stream") // the SDK requires both, but sends only the first
	rec := httpapi.NewRecorder()
	ctx := context.WithValue(c.outer.Context(), callKey{}, c)
	h.transport.ServeHTTP(rec, httpapi.Nested(ctx, c.outer, c.outer.Method, c.outer.URL, header, body))
	resp := httpapi.Response{Status: rec.Status, Body: withSentID(rec.Body.Bytes())}
	kind = rec.Header().Get("Content-Type")
	if kind != "" {
		resp.Header = http.Header{"Content-Type": {kind}}
	}
	return kind, resp
}

// notHandled is the beginning of the SDK's message for an unsupported method.
const notHandled = "JSON RPC not handled"

// methodNotFound returns the response to a call of an unsupported method.
func methodNotFound(request *jsonrpc.Request) []byte {
	body, _ := jsonrpc.EncodeMessage(&jsonrpc.Response{ID: request.ID, Error: &jsonrpc.Error{
		Code: jsonrpc.CodeMethodNotFound, Message: "method not found",
	}})
	return withSentID(body)
}
