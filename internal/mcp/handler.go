// Package mcp offers the API to language models, over the Model Context Protocol: the fixed operations of the REST API
// and queries of the GraphQL API as tools, the schema and the guides as resources. A call of a tool is a request of its
// endpoint by the same caller, so that limits, access rules, caches and errors are the same. Names, descriptions and
// arguments of tools come from routes, operations and the schema.
package mcp

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"gamedata/graph"
	"gamedata/internal/httpapi"
	"gamedata/rest"
)

// Path of the endpoint.
const Path = "/mcp"

const (
	allow = "POST, OPTIONS"
	// allowedHeaders are the headers that pages of other sites may send.
	allowedHeaders = "Authorization, Content-Type, Mcp-Method, Mcp-Name, Mcp-Protocol-Version, Mcp-Session-Id"
)

var errMessage = graph.Errorf(graph.MalformedPayload, "Send one message of JSON-RPC 2.0, not a list of them.")

// Handler serves the streamable HTTP transport without sessions: a message by POST, its response as JSON. A call of a
// tool is charged like the request that it makes; any other message costs 1 in the bucket SHARED.
type Handler struct {
	api       *httpapi.API
	rest      *rest.Handler
	graphQL   http.Handler
	tools     map[string]bool
	transport http.Handler
}

var _ http.Handler = (*Handler)(nil)

// New returns the endpoint. endpoints serves the operations of rest.Load, graphQL queries, both behind the middleware.
func New(api *httpapi.API, exec *graph.Executor, ops map[string]*rest.Operation, endpoints *rest.Handler,
	graphQL http.Handler,
) (*Handler, error) {
	h := &Handler{api: api, rest: endpoints, graphQL: graphQL, tools: map[string]bool{}}
	server, err := h.newServer(exec, ops)
	if err != nil {
		return nil, err
	}
	// The service itself checks the host, of every request.
	h.transport = sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server },
		&sdk.StreamableHTTPOptions{Stateless: true, JSONResponse: true, DisableLocalhostProtection: true})
	return h, nil
}

// ServeHTTP implements http.Handler.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ctx := r.Context()
	httpapi.SetRoute(ctx, httpapi.APIOther, Path, "mcp")
	if r.Method == http.MethodOptions {
		w.Header().Set("Access-Control-Allow-Headers", allowedHeaders)
	}
	switch {
	case !h.api.AllowsMethod(w, r, httpapi.Shared, allow):
		return
	case httpapi.SessionSent(r) && !httpapi.SameOrigin(r):
		httpapi.NoCORS(w.Header())
		h.api.Reject(w, r, graph.ErrCrossSite)
		return
	}
	body, tool, err := h.read(w, r)
	if err != nil {
		h.api.Reject(w, r, err)
		return
	}
	charged := h.tools[tool] && httpapi.CredentialError(ctx) == nil // by the endpoint of the tool
	if charged || h.api.Limits.Authorize(w, r, httpapi.Shared, 1) {
		h.handle(w, r, body)
	}
}

// read reads a message, and which tool it calls.
func (h *Handler) read(w http.ResponseWriter, r *http.Request) (body []byte, tool string, _ *graph.Error) {
	if len(r.Header["Content-Type"]) == 0 { // pages of other sites can send that without a preflight
		return nil, "", graph.ErrUnsupportedMediaType
	}
	body, bad := httpapi.ReadJSON(w, r, httpapi.DefaultMaxBody)
	if bad != nil {
		return nil, "", bad
	}
	body = withTextID(body)
	message, err := jsonrpc.DecodeMessage(body)
	if err != nil {
		return nil, "", errMessage
	}
	var params struct{ Name string }
	if call, ok := message.(*jsonrpc.Request); ok && call.Method == "tools/call" {
		_ = json.Unmarshal(call.Params, &params) // the SDK reports what is wrong
	}
	return body, params.Name, nil
}

type requestKey struct{}

// handle lets the SDK handle a message. What it rejects with a text becomes a documented error.
func (h *Handler) handle(w http.ResponseWriter, r *http.Request, body []byte) {
	header := r.Header.Clone()
	header.Set("Accept", "application/json, text/event-stream") // it wants both, though it sends the first
	rec := httpapi.NewRecorder()
	ctx := context.WithValue(r.Context(), requestKey{}, r)
	h.transport.ServeHTTP(rec, httpapi.Nested(ctx, r, r.Method, r.URL, header, body))
	kind := rec.Header()["Content-Type"]
	if len(kind) > 0 && strings.HasPrefix(kind[0], "text/plain") {
		h.api.Errors.Write(w, r, graph.Errorf(graph.MalformedPayload, "%s", strings.TrimSpace(rec.Body.String())))
		return
	}
	resp := httpapi.Response{Status: rec.Status, Body: withSentID(rec.Body.Bytes())}
	if len(kind) > 0 {
		resp.Header = http.Header{"Content-Type": kind}
	}
	httpapi.WriteResponse(w, r, resp)
}
